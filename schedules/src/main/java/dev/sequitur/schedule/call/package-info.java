/**
 * What hands the calls of schedules to the sequencer and looks for what came of them: errands of
 * {@link dev.sequitur.schedule.attempt.Attempts}, the same in a node and in the simulation.
 */
package dev.sequitur.schedule.call;

/**
 * How attempts that answer later are carried out: {@link dev.sequitur.schedule.attempt.Attempts} is
 * the machine between a queue and the sequencer.
 */
package dev.sequitur.schedule.attempt;

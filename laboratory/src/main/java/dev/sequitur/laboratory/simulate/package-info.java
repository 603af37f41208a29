/**
 * What {@code sequitur simulate} does: many simulated networks, on all processors, and what to tell
 * of them. What happens in a network is the business of {@link dev.sequitur.simulation.RandomRun}.
 */
package dev.sequitur.laboratory.simulate;

/**
 * The words that all families of scheduled transactions share: ids, times, amounts, targets,
 * outcomes, policies. Nothing here knows a family or the queue. The machine is in {@code queue},
 * what a family is to it in {@code family}, the money in {@code book}, what happens from Due to
 * Settled in {@code execution}. Each family has a room of its own, and {@code registry} knows them
 * all.
 */
package dev.sequitur.schedule;

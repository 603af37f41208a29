/**
 * The words that all families of scheduled transactions share: ids, times, amounts, targets,
 * outcomes, policies. Nothing here knows a family or the queue. The machine is in {@code queue},
 * the families in {@code family}, the money in {@code book}, what happens from Due to Settled in
 * {@code execution}.
 */
package dev.sequitur.protocol.schedule;

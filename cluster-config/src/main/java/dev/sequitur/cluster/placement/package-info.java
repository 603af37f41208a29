/**
 * In which of a node's JVMs its entities live. Where a shard belongs is a function of the JVMs that
 * are there and of what shards weigh ({@link dev.sequitur.protocol.placement.EvenShares}), the same
 * for each kind of entity; Akka is told it by an allocation strategy.
 */
package dev.sequitur.cluster.placement;

/**
 * Which JVM of a node has what: a function of the JVMs that are there, of how many shards there are
 * and of what they weigh, and of nothing else.
 */
package dev.sequitur.protocol.placement;

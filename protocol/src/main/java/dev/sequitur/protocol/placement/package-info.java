/**
 * Which JVM of a node has what: a function of the JVMs that are there and of what shards weigh, and
 * of nothing else.
 */
package dev.sequitur.protocol.placement;

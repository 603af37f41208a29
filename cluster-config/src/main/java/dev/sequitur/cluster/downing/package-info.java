/**
 * How a JVM of a node learns at once that another one has died, and leaves it out of the cluster
 * without waiting for Akka's failure detector. Who may write is not decided here but in {@code
 * dev.sequitur.cluster.store}.
 */
package dev.sequitur.cluster.downing;

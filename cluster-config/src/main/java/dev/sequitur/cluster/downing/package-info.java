/**
 * How a JVM of a node learns at once that another one has died, and leaves it out of the cluster
 * without waiting for Akka's failure detector; and the lease that decides which side stays when the
 * JVMs have lost sight of each other. Who may write is not decided here but in {@code
 * dev.sequitur.persistence.store}.
 */
package dev.sequitur.cluster.downing;

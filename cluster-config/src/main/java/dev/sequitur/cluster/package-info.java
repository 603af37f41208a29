/**
 * How a node becomes an Akka cluster. Each profile is a file among the resources; {@link
 * dev.sequitur.cluster.ClusterConfiguration} turns it and a node's own settings into one checked
 * configuration. What it keeps is in {@code dev.sequitur.persistence}.
 *
 * <p>No rules of the protocol: nothing here knows what the actors do.
 */
package dev.sequitur.cluster;

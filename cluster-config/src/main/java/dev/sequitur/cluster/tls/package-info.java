/**
 * Mutual TLS between the JVMs of one node, for Akka remoting. The transport between nodes of
 * different parties has its own, in {@code sequencer-actors}.
 */
package dev.sequitur.cluster.tls;

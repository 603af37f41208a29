/**
 * TLS between the JVMs of one node, which Akka remoting speaks by {@link
 * dev.sequitur.cluster.tls.RemotingTls}, and what the node tells of the certificates that it shows.
 * How files become TLS is in {@code links}.
 */
package dev.sequitur.cluster.tls;

/**
 * Keys and certificates in files, and mutual TLS by them: {@link dev.sequitur.cluster.tls.TlsFiles}
 * says which, {@link dev.sequitur.cluster.tls.IdentityFiles} reads them again when they have
 * changed. Everything that speaks TLS here begins with these: the transport between nodes, the
 * ledger's server and clients, and, by {@link dev.sequitur.cluster.tls.RemotingTls}, Akka remoting
 * between the JVMs of one node. {@link dev.sequitur.cluster.tls.Certificates} makes certificates
 * for tests and demonstrations.
 */
package dev.sequitur.cluster.tls;

/**
 * Keys and certificates in files, and mutual TLS by them: {@link dev.sequitur.links.tls.TlsFiles}
 * says which, {@link dev.sequitur.links.tls.IdentityFiles} reads them again when they have changed.
 * Everything that speaks TLS here begins with these: the transport between nodes, the ledger's
 * server and clients, what calls a node, and Akka remoting between the JVMs of one node. {@link
 * dev.sequitur.links.tls.Certificates} makes certificates for tests and demonstrations.
 *
 * <p>Knows neither Akka nor a store, so that a program that only calls a node needs neither.
 */
package dev.sequitur.links.tls;

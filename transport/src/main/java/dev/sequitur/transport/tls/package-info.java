/**
 * Streams over mutual TLS 1.3 between nodes in different JVMs: {@link
 * dev.sequitur.transport.tls.TlsTransport}. A peer's certificate says which node speaks; nothing
 * else is believed.
 *
 * <p>Each node dials each of its peers and sends on what it has dialled; what it accepts it only
 * reads. So no two connections compete, and a node may be several JVMs behind one address.
 */
package dev.sequitur.transport.tls;

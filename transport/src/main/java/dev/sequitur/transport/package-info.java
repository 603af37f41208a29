/**
 * What implements {@link dev.sequitur.protocol.port.Transport}: {@link
 * dev.sequitur.transport.InProcessNetwork} between nodes of one JVM, {@code tls} between JVMs, and
 * {@link dev.sequitur.transport.FaultyTransport} around either. Knows nothing of what the messages
 * mean.
 */
package dev.sequitur.transport;

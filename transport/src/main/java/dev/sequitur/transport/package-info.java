/**
 * What implements {@link dev.sequitur.protocol.port.Transport}: {@link
 * dev.sequitur.sequencer.transport.InProcessNetwork} between nodes of one JVM, {@code tls} between
 * JVMs, and {@link dev.sequitur.sequencer.transport.FaultyTransport} around either. Knows nothing
 * of what the messages mean.
 */
package dev.sequitur.sequencer.transport;

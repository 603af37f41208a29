package dev.sequitur.node.process;

import dev.sequitur.node.configuration.HostAndPort;

/**
 * A ledger process that serves.
 *
 * @param address where nodes reach it
 * @param stop ends it, and returns when its blocks are on disk; may be called twice
 */
public record RunningLedger(HostAndPort address, Runnable stop) implements AutoCloseable {
  @Override
  public void close() {
    stop.run();
  }
}

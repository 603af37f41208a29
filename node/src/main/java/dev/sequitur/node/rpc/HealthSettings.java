package dev.sequitur.node.rpc;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * When a node counts as ready, and where that is told.
 *
 * @param listen where health and metrics listen beside the endpoint of JSON-RPC, not yet resolved;
 *     port 0 lets the operating system choose
 * @param confirmations blocks upon a block before the node reads it
 * @param blocksBehind final blocks that the node may have yet to read and be ready
 * @param noBlockFor how long the ledger may make no block; empty if it need not make any
 * @param ledgerKey of the configuration, which says where the ledger is
 */
public record HealthSettings(
    Optional<InetSocketAddress> listen,
    int confirmations,
    int blocksBehind,
    Optional<Duration> noBlockFor,
    String ledgerKey) {
  /** Without a port of its own, over a ledger of which every block is final. */
  public static final HealthSettings DEFAULT =
      new HealthSettings(
          Optional.empty(), 0, 100, Optional.of(Duration.ofMinutes(2)), "ledger.mode");
}

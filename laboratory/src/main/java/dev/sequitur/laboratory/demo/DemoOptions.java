package dev.sequitur.laboratory.demo;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a person asked the demonstration for; empty where the data directory's own plan counts, or
 * else the default.
 *
 * @param confirmations blocks upon a block until it counts as final
 * @param data empty for a temporary directory that is removed at the end
 * @param report where the summary is written as JSON
 */
public record DemoOptions(
    OptionalInt transactions,
    OptionalInt nodes,
    OptionalInt contracts,
    Duration blockTime,
    long rangeSize,
    int confirmations,
    Optional<Path> data,
    Optional<Path> report,
    boolean keepRunning,
    Ledger ledger) {
  /** What the nodes have as their base ledger. */
  public sealed interface Ledger {
    /** In the process. */
    record Embedded() implements Ledger {}

    /**
     * A chain.
     *
     * @param rpc of one that runs; empty for one that is started, and stopped at the end
     */
    record Ethereum(Optional<URI> rpc) implements Ledger {}
  }

  /** About half a minute on two cores. */
  public static final int DEFAULT_TRANSACTIONS = 10_000;

  public static final int DEFAULT_NODES = 4;

  /** One of each domain. */
  public static final int DEFAULT_CONTRACTS = 2;
}

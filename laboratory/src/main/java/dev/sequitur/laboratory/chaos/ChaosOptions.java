package dev.sequitur.laboratory.chaos;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What a person asked for.
 *
 * @param nodes where their JSON-RPC listens
 * @param token the same on all of them
 * @param duration in which faults are set
 * @param watch how long the metrics are watched before and after
 */
public record ChaosOptions(
    List<URI> nodes, String token, long seed, Duration duration, Duration watch) {
  public ChaosOptions {
    nodes = List.copyOf(nodes);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "ChaosOptions[" + nodes + ", " + seed + ", " + duration + "]";
  }
}

package dev.sequitur.laboratory.chaos;

import dev.sequitur.client.Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What a person asked for.
 *
 * @param nodes where their JSON-RPC listens
 * @param credentials what each of them is shown
 * @param duration in which faults are set
 * @param watch how long the metrics are watched before and after
 */
public record ChaosOptions(
    List<URI> nodes, Credentials credentials, long seed, Duration duration, Duration watch) {
  public ChaosOptions {
    nodes = List.copyOf(nodes);
  }
}

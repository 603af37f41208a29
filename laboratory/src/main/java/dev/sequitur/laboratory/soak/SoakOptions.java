package dev.sequitur.laboratory.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a person asked for.
 *
 * @param load how long transactions are sent; the wait for the last of them comes after
 * @param killEvery between two kills
 * @param seed of the transactions and of which JVM is killed
 * @param rate transactions a second, over all nodes
 * @param data empty for a temporary directory
 * @param port the first of those that the network takes
 * @param settings of every JVM beside its usual ones
 * @param mostStart how long one process may take until it serves
 */
public record SoakOptions(
    int nodes,
    int jvmsPerNode,
    Duration load,
    Duration killEvery,
    long seed,
    int rate,
    Optional<Path> data,
    int port,
    Optional<Path> report,
    Map<String, String> settings,
    Duration mostStart) {
  public SoakOptions {
    settings = Map.copyOf(settings);
  }
}

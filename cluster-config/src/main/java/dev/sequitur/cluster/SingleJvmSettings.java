package dev.sequitur.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What tells one node of the profile {@code single-jvm.conf} from another.
 *
 * @param nodeName also the name to give its actor system: letters, digits, '-' and '_', the first a
 *     letter or digit
 * @param dataDirectory its own directory, made if missing; a relative path is taken from the
 *     working directory
 */
public record SingleJvmSettings(String nodeName, Path dataDirectory) {
  private static final Pattern NODE_NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

  /** Refuses what could not start. */
  public SingleJvmSettings {
    requireValid(nodeName);
    if (dataDirectory.toString().isBlank()) {
      throw new InvalidConfigurationException(
          "Node %s has no data directory: name one that only it uses.".formatted(nodeName));
    }
  }

  static void requireValid(String nodeName) {
    if (!NODE_NAME.matcher(nodeName).matches()) {
      throw new InvalidConfigurationException(
          "The node name '%s' must be letters, digits, '-' and '_', the first a letter or digit."
              .formatted(nodeName));
    }
  }

  /** Among them all that keeps the node from listening: no setting of Akka's opens a port. */
  Map<String, Object> toConfig() {
    var artery = "akka.remote.artery.";
    return Map.of(
        "sequitur.node-name",
        nodeName,
        "sequitur.data-directory",
        dataDirectory.toAbsolutePath().toString(),
        "akka.actor.provider",
        OneJvmProvider.class.getName(),
        artery + "transport",
        "tcp",
        artery + "canonical.hostname",
        OneJvmProvider.HOST,
        artery + "canonical.port",
        0);
  }
}

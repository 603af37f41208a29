package dev.sequitur.cluster;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What tells one node of the profile {@code single-jvm.conf} from another.
 *
 * @param nodeName also the name to give its actor system: letters, digits, '-' and '_', the first a
 *     letter or digit
 * @param dataDirectory its own directory, made if missing; a relative path is taken from the
 *     working directory
 * @param arteryHost the address on which its Akka remoting listens
 * @param arteryPort the port for it, 0 for any free one
 */
public record SingleJvmSettings(
    String nodeName, Path dataDirectory, String arteryHost, int arteryPort) {
  private static final Pattern NODE_NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

  /** Refuses what could not start. */
  public SingleJvmSettings {
    requireValid(nodeName);
    if (dataDirectory.toString().isBlank()) {
      throw new InvalidConfigurationException(
          "Node %s has no data directory: name one that only it uses.".formatted(nodeName));
    }
    if (arteryHost.isBlank()) {
      throw new InvalidConfigurationException(
          "Node %s has no address for Akka remoting; 127.0.0.1 will do.".formatted(nodeName));
    }
    if (arteryPort < 0 || arteryPort > 65_535) {
      throw new InvalidConfigurationException(
          "Node %s can't listen on port %d: choose 1 to 65535, or 0 for any free one."
              .formatted(nodeName, arteryPort));
    }
  }

  static void requireValid(String nodeName) {
    if (!NODE_NAME.matcher(nodeName).matches()) {
      throw new InvalidConfigurationException(
          "The node name '%s' must be letters, digits, '-' and '_', the first a letter or digit."
              .formatted(nodeName));
    }
  }

  /** A node that listens on this machine only, on any free port. */
  public static SingleJvmSettings local(String nodeName, Path dataDirectory) {
    return new SingleJvmSettings(nodeName, dataDirectory, "127.0.0.1", 0);
  }
}

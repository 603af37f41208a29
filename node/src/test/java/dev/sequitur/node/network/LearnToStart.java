package dev.sequitur.node.network;

import dev.sequitur.node.process.LearnedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Maven runs it before the first tests that start processes: a node of two JVMs and one of one JVM,
 * of which a JVM that joins again leaves behind how all others start.
 */
final class LearnToStart {
  private static final int CALLS = 20;

  private LearnToStart() {}

  /**
   * @param arguments a folder for what the network leaves
   */
  public static void main(String... arguments) throws IOException {
    if (LearnedStart.ofBuild().filter(start -> !start.isUpToDate()).isEmpty()) {
      return;
    }
    var directory = Files.createTempDirectory(Path.of(arguments[0]), "network");
    try (var network = Network.start(directory, NetworkPlan.of(NetworkPlan.ONE_RANGE, 2, 1))) {
      var learning = network.jvm(1, 2);
      learning.stop();
      learning.beginLearning();
      learning.awaitUp();
      var intents = new Intents(network);
      intents.send(CALLS, 1, Group.create(network, 2));
      intents.awaitSuccess();
      learning.stop();
    }
  }
}

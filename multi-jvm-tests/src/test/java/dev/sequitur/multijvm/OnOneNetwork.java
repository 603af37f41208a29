package dev.sequitur.multijvm;

import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests that share a network, which takes longer to start than most of them take. */
abstract class OnOneNetwork {
  @TempDir private static Path directory;
  private static int networks;

  static Network network;

  /** The ledger's blocks tell of all tests, so they are counted together. */
  static Intents intents;

  /** In place of the one that there is, if there is one. */
  static void start(NetworkPlan plan) {
    stop();
    try {
      networks++;
      var folder = Files.createDirectory(directory.resolve("network" + networks));
      network = Network.start(folder, plan);
      intents = new Intents(network);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() {
    if (network != null) {
      network.close();
      network = null;
    }
  }
}

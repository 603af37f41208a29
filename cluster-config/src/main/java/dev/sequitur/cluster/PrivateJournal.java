package dev.sequitur.cluster;

import com.typesafe.config.Config;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A journal or snapshot store that only the JVM it runs in can read.
 *
 * @param plugin its id in the configuration
 */
record PrivateJournal(String plugin) {
  private static final Set<String> CLASSES =
      Set.of(
          "dev.sequitur.persistence.journal.GroupCommitJournal",
          "dev.sequitur.persistence.journal.LevelDbSnapshotStore",
          "akka.persistence.journal.leveldb.LeveldbJournal",
          "akka.persistence.journal.inmem.InmemJournal");

  /** The first such plugin that is in use. */
  static Optional<PrivateJournal> of(Config config) {
    return Stream.of("akka.persistence.journal.plugin", "akka.persistence.snapshot-store.plugin")
        .filter(config::hasPath)
        .map(config::getString)
        .filter(plugin -> isPrivate(config, plugin))
        .findFirst()
        .map(PrivateJournal::new);
  }

  private static boolean isPrivate(Config config, String plugin) {
    String path = plugin + ".class";
    return !plugin.isBlank() && config.hasPath(path) && CLASSES.contains(config.getString(path));
  }

  /** Why another JVM is out of the question, for the operator. */
  String refusal(String otherJvm) {
    return ("This node is configured to share a cluster with another JVM (%s), but %s keeps its"
            + " data in this JVM's own directory: an entity that moves to the other JVM would lose"
            + " its state. Remove the other JVM from the configuration, or choose a journal that"
            + " all JVMs share.")
        .formatted(otherJvm, plugin);
  }
}

package dev.sequitur.node.process;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.persistence.backup.BackupContent;
import dev.sequitur.persistence.backup.BackupException;
import dev.sequitur.persistence.backup.DatabaseTarget;
import dev.sequitur.persistence.backup.DirectoryTarget;
import dev.sequitur.persistence.backup.Restore;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.StoreException;
import java.io.IOException;
import java.time.Duration;

/** Puts a backup into the empty store of a node that is stopped. */
public final class StoreRestore {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private StoreRestore() {}

  /**
   * Blocks until all of it is there. If it throws, nothing is.
   *
   * @throws StartFailure with a sentence that says what to do
   */
  public static void into(NodeConfiguration configuration, BackupContent backup) {
    var keys = fingerprint(configuration);
    var restored = new RestoredRecords(ProcessDirectory.make(configuration.directory()));
    try {
      switch (configuration.jvms()) {
        case NodeJvms.One() ->
            Restore.into(
                new DirectoryTarget(configuration.directory()), configuration.name(), keys, backup);
        case NodeJvms.Several several -> {
          try (var database = PostgresDatabase.open(several.database(), 2, PATIENCE)) {
            Restore.into(new DatabaseTarget(database), configuration.name(), keys, backup);
          }
        }
      }
      restored.are(backup.manifest().source());
    } catch (BackupException | StoreException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  /** A node that finds no seed would make another one, and sign for nobody that it was. */
  private static Bytes fingerprint(NodeConfiguration configuration) {
    var directory = configuration.keyDirectory();
    if (!FileKeys.exist(directory)) {
      throw new StartFailure(
          "There is no key seed in %s, and none in a backup: put back the seed that the node had, keys.seed, first."
              .formatted(directory));
    }
    try {
      return NodeSystem.fingerprint(
          FileKeys.open(directory, KeyPassphrase.ofProcess(configuration.keyPassphrase())));
    } catch (IOException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}

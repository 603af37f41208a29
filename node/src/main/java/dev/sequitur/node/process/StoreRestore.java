package dev.sequitur.node.process;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.persistence.backup.BackupContent;
import dev.sequitur.persistence.backup.BackupException;
import dev.sequitur.persistence.backup.DatabaseTarget;
import dev.sequitur.persistence.backup.DirectoryTarget;
import dev.sequitur.persistence.backup.Restore;
import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.StoreException;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Puts a backup into the empty store of a node that is stopped. */
public final class StoreRestore {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private StoreRestore() {}

  /**
   * Blocks until all of it is there. If it throws, nothing is.
   *
   * @return keys that the node had, and that those of now lack: its seed is there, and others may
   *     not be
   * @throws StartFailure with a sentence that says what to do
   */
  public static List<Keys.Placed> into(NodeConfiguration configuration, BackupContent backup) {
    var file = keys(configuration);
    var keys = NodeSystem.fingerprint(file);
    var restored = new RestoredRecords(ProcessDirectory.make(configuration.directory()));
    try {
      switch (configuration.jvms()) {
        case NodeJvms.One() ->
            Restore.into(
                new DirectoryTarget(configuration.directory()),
                configuration.name(),
                keys,
                encryption(configuration, file, backup),
                backup);
        case NodeJvms.Several several -> {
          try (var database = PostgresDatabase.open(several.database(), 2, PATIENCE)) {
            Restore.into(
                new DatabaseTarget(database), configuration.name(), keys, Encryption.NONE, backup);
          }
        }
      }
      restored.are(backup.manifest().source());
      return backup.manifest().source().besideSeed().stream()
          .filter(key -> !isHeld(key, configuration, file))
          .toList();
    } catch (BackupException | StoreException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  /** Of what is not encrypted yet: so a backup and a restore encrypt what a node has. */
  private static Encryption encryption(
      NodeConfiguration configuration, FileKeys file, BackupContent backup) {
    boolean isEncrypted = backup.manifest().source().encrypted();
    if (isEncrypted && !configuration.encryptRecords()) {
      throw new StartFailure(
          "The backup is of records that are encrypted: set node.encrypt-records = on.");
    }
    if (!configuration.encryptRecords() || isEncrypted) {
      return Encryption.NONE;
    }
    var wrapping = NodeSystem.wrapping(file);
    if (wrapping.isEmpty()) {
      throw new StartFailure(
          "The key that this node's records are to be encrypted by is revoked: give it another by `sequitur keys rotate %s`, and restore then."
              .formatted(NodeKeyNames.records()));
    }
    return Encryption.of(wrapping.getLast());
  }

  /** What is revoked since is there. */
  private static boolean isHeld(Keys.Placed key, NodeConfiguration configuration, Keys file) {
    return file.standing(key.name(), key.key()) != Keys.Standing.UNKNOWN
        || configuration
            .signer()
            .filter(signer -> key.key().equals(signer.identities().get(key.name())))
            .isPresent();
  }

  /** A node that finds no seed would make another one, and sign for nobody that it was. */
  private static FileKeys keys(NodeConfiguration configuration) {
    var directory = configuration.keyDirectory();
    if (!FileKeys.exist(directory)) {
      throw new StartFailure(
          "There is no key seed in %s, and none in a backup: put back the seed that the node had, keys.seed, first."
              .formatted(directory));
    }
    try {
      return FileKeys.open(directory, KeyPassphrase.ofProcess(configuration.keyPassphrase()));
    } catch (IOException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}

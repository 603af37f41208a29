package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import java.util.Locale;

/** Brings what a backup has into an empty store. */
public final class Restore {
  private Restore() {}

  /**
   * Blocks until all of it is there. If it throws, nothing is.
   *
   * @param node that the store is to be of
   * @param keys as of {@link BackupManifest.Source#keys}
   * @param encryption of what is not encrypted in the backup and is to be in the store
   * @throws BackupException with a sentence, if the backup is of another node, of other keys, of a
   *     format that is not read here or over another engine, or damaged, or the store is not empty
   */
  public static void into(
      RestoreTarget target,
      NodeName node,
      Bytes keys,
      Encryption encryption,
      BackupContent backup) {
    var source = backup.manifest().source();
    if (!source.node().equals(node)) {
      throw new BackupException(
          "The backup is of node %s, and the configuration of node %s: name the backup's own."
              .formatted(source.node(), node));
    }
    if (!keys.equals(source.keys())) {
      throw new BackupException(
          "The backup is of a node %s with another key seed: put the seed that it had into the key directory first."
              .formatted(node));
    }
    var refusal = DiskFormat.OURS.refusal("The backup", source.diskFormat());
    if (refusal.isPresent()) {
      throw new BackupException(refusal.get());
    }
    if (source.engine() != target.engine()) {
      throw new BackupException(
          "The backup is of a node over %s, and the configuration has it over %s: set cluster.enabled as it was."
              .formatted(word(source.engine()), word(target.engine())));
    }
    target.fill(
        taker -> {
          backup.visit(
              (key, value) -> {
                taker.accept(key, encryption.encrypted(key, value));
                return true;
              });
          encryption.made().forEach(taker);
        });
  }

  private static String word(BackupManifest.Engine engine) {
    return engine.name().toLowerCase(Locale.ROOT);
  }
}

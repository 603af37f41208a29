package dev.sequitur.node.process;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.links.file.ReplacedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which key of the key store opens all of a node's records. A start encrypts anew what older ones
 * opened, and tells so in a file beside the records, for whoever would revoke an older one. Of
 * records that were brought from elsewhere the file tells nothing.
 */
public final class RecordsKey {
  private static final String RECORDS = "leveldb";
  private static final String FILE = "opened-by";

  private RecordsKey() {}

  /**
   * A start has encrypted anew.
   *
   * @param records where they lie
   */
  static void tell(Path records, FileKeys keys) {
    try {
      ReplacedFile.write(records.resolve(FILE), newest(keys), true);
    } catch (IOException e) {
      throw new StartFailure(
          "It cannot be written to %s which key the records are encrypted by: %s"
              .formatted(records, e.getMessage()),
          e);
    }
  }

  /**
   * Whether the newest key that is not revoked opens all records that there are.
   *
   * @param directory of the node's data
   */
  public static boolean isNewest(Path directory, FileKeys keys) throws IOException {
    var records = directory.resolve(RECORDS);
    var file = records.resolve(FILE);
    return Files.notExists(records)
        || (Files.exists(file) && Files.readString(file).equals(newest(keys)));
  }

  private static String newest(FileKeys keys) {
    return NodeSystem.wrapping(keys).getLast().name() + "\n";
  }
}

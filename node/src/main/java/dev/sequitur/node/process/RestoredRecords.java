package dev.sequitur.node.process;

import dev.sequitur.persistence.backup.BackupManifest.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * That a node's records were put back from a backup, until a node has begun upon them. The ledger
 * shows what was sent there since; what was only accepted nobody shows.
 */
record RestoredRecords(Path directory) {
  /** In the data directory of the JVM that has restored them. */
  private static final String NAME = "restored";

  private Path file() {
    return directory.resolve(NAME);
  }

  /**
   * Notes that what is there is of a backup.
   *
   * @throws StartFailure if that can't be written
   */
  void are(Source source) {
    var upTo =
        source.block().map(block -> "block " + block).orElse("none of the base ledger's blocks");
    var sentence =
        "The records of this node were restored from a backup of %s, which has %s as the newest: what callers gave the node after that it knows only as far as the ledger shows it. A call that is repeated with an idempotency key of that time is done once more, and schedules are as they were then."
            .formatted(source.moment(), upTo);
    try {
      Files.writeString(file(), sentence + "\n", StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Whoever begins upon them has been told. */
  void areNoMore() {
    try {
      Files.deleteIfExists(file());
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** A sentence for who begins upon them. */
  Optional<String> told() {
    try {
      return Optional.of(Files.readString(file(), StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private StartFailure unusable(IOException e) {
    return new StartFailure(
        "The file %s can't be used (%s): look at its rights.".formatted(file(), e), e);
  }
}

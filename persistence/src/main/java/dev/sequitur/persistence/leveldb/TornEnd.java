package dev.sequitur.persistence.leveldb;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the torn last record off LevelDB's newest log and its manifest.
 *
 * <p>A power cut in the middle of a write leaves a record half on the disk, and a paranoid LevelDB
 * then refuses to open. With one writer and an fsync per record only the last record can be torn,
 * and its fsync had not returned, so nobody was told that it is stored. So: damage after which no
 * other record begins is torn and may go; damage before a whole record is real, and stays for a
 * person to see.
 *
 * <p>A manifest's last record can also be damaged long after LevelDB has acted upon it. Then a file
 * is gone that the rest still names, and nothing is cut at all. If all are there, the rest has lost
 * nothing: see {@link Manifest}.
 *
 * <p>What goes is kept beside the rest, with the ending {@code .torn}: what was cut off, and tables
 * that the rest of a manifest doesn't name, whose numbers LevelDB gives anew.
 */
final class TornEnd {
  private static final Logger LOG = LoggerFactory.getLogger(TornEnd.class);
  private static final String KEPT = ".torn";

  /** A file, and where its torn record begins. */
  private record Cut(Path file, byte[] content, int from) {
    byte[] rest() {
      return Arrays.copyOf(content, from);
    }

    void make() throws IOException {
      Files.write(kept(file), Arrays.copyOfRange(content, from, content.length));
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        channel.truncate(from).force(true);
      }
      LOG.warn(
          "The last write to {} is not whole, as after a power cut; it is cut off at byte {} and"
              + " kept beside the file",
          file,
          from);
    }
  }

  private TornEnd() {}

  /**
   * Repairs what can be; does nothing if another process holds the directory.
   *
   * @return why nothing was repaired, if a file is gone that the rest of the manifest names
   */
  static Optional<String> cutOff(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory.resolve("LOCK"), CREATE, WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null ? Optional.empty() : cutOffLocked(directory);
    }
  }

  private static Optional<String> cutOffLocked(Path directory) throws IOException {
    var manifest = cut(Manifest.current(directory));
    List<Path> unnamed = List.of();
    if (manifest.isPresent()) {
      var rest = Manifest.of(new RecordLog(manifest.get().rest()).records());
      if (rest.filter(Manifest::complete).isEmpty()) {
        return Optional.of(
            "what is left of " + manifest.get().file().getFileName() + " names no log");
      }
      var gone = rest.get().gone(directory);
      if (gone.isPresent()) {
        return Optional.of(
            "the end of %s is damaged, and the rest names %s, which is gone"
                .formatted(manifest.get().file().getFileName(), gone.get()));
      }
      unnamed = rest.get().unnamed(directory);
    }
    for (var cut : List.of(manifest, newestLog(directory).flatMap(TornEnd::cut))) {
      if (cut.isPresent()) {
        cut.get().make();
      }
    }
    for (var table : unnamed) {
      Files.move(table, kept(table));
    }
    return Optional.empty();
  }

  private static Optional<Path> newestLog(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .max(Comparator.comparingLong(Manifest::number));
    }
  }

  private static Optional<Cut> cut(Path file) {
    try {
      var content = Files.readAllBytes(file);
      var torn = in(content);
      return torn.isPresent()
          ? Optional.of(new Cut(file, content, torn.getAsInt()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path kept(Path file) {
    return file.resolveSibling(file.getFileName() + KEPT);
  }

  /** Where the torn record of a log begins; empty if none is torn or the damage is real. */
  static OptionalInt in(byte[] log) {
    return new RecordLog(log).torn();
  }
}

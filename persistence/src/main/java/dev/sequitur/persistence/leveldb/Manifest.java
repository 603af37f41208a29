package dev.sequitur.persistence.leveldb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which files a LevelDB consists of, as its manifest says: each table, and the oldest log whose
 * writes are in no table yet. A file leaves the disk only after a record has said that it is no
 * longer needed. So a manifest whose files are all there has lost nothing, even if its last record
 * is missing; and one that names a file that is gone is older than the directory, or the directory
 * has lost that file.
 *
 * @param log the oldest log that is needed; empty if none was named
 * @param complete whether it has all that LevelDB opens a directory by
 * @param tables numbers, with their sizes in bytes
 */
record Manifest(OptionalLong log, boolean complete, Map<Long, Long> tables) {
  private static final int COMPARATOR = 1;
  private static final int LOG = 2;
  private static final int NEXT_FILE = 3;
  private static final int LAST_SEQUENCE = 4;
  private static final int COMPACT_POINTER = 5;
  private static final int DELETED_FILE = 6;
  private static final int NEW_FILE = 7;
  private static final int PREVIOUS_LOG = 9;

  /** A running LevelDB changes its files between two looks; it does so less often than this. */
  private static final int LOOKS = 5;

  Manifest {
    tables = Map.copyOf(tables);
  }

  /** What its records say; empty if one is not of the known form, which LevelDB may judge. */
  static Optional<Manifest> of(List<byte[]> records) {
    var reading = new Reading();
    try {
      records.forEach(record -> reading.edit(ByteBuffer.wrap(record)));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.of(reading.manifest());
  }

  /** The manifest that a directory is opened by. */
  static Path current(Path directory) throws IOException {
    return directory.resolve(Files.readString(directory.resolve("CURRENT"), US_ASCII).strip());
  }

  /**
   * A file that the manifest of a directory names and that is gone, with the manifest's own name.
   * Changes nothing, and takes no lock: if the directory is in use, its manifest is read anew until
   * it has not changed meanwhile. Empty as well if the manifest can't be read, as LevelDB will say.
   */
  static Optional<String> missing(Path directory) throws IOException {
    var missing = Optional.<String>empty();
    byte[] read = {};
    for (int look = 0; look < LOOKS; look++) {
      var current = directory.resolve("CURRENT");
      if (!Files.isRegularFile(current) || !Files.isRegularFile(current(directory))) {
        return Optional.empty();
      }
      var file = current(directory);
      var content = Files.readAllBytes(file);
      if (missing.isPresent() && Arrays.equals(content, read)) {
        return missing;
      }
      read = content;
      var manifest = of(new RecordLog(content).records());
      missing =
          manifest.isEmpty()
              ? Optional.empty()
              : manifest
                  .get()
                  .gone(directory)
                  .map(gone -> gone + ", which " + name(file) + " names");
      if (missing.isEmpty()) {
        return missing;
      }
    }
    return Optional.empty();
  }

  /** The first of its files that is not in the directory, or a table of another size. */
  Optional<String> gone(Path directory) throws IOException {
    if (log.isPresent() && !Files.exists(directory.resolve(logName(log.getAsLong())))) {
      return Optional.of(logName(log.getAsLong()));
    }
    for (var table : tables.entrySet()) {
      var file = table(directory, table.getKey());
      if (file.isEmpty() || Files.size(file.get()) < table.getValue()) {
        return Optional.of(file.map(Manifest::name).orElse(tableName(table.getKey())));
      }
    }
    return Optional.empty();
  }

  /** The tables in a directory that it does not name. */
  List<Path> unnamed(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> name(file).matches("\\d+\\.(sst|ldb)"))
          .filter(file -> !tables.containsKey(number(file)))
          .sorted()
          .toList();
    }
  }

  /** Where a table lies, by either of the two endings that LevelDB has given them. */
  static Optional<Path> table(Path directory, long number) {
    return Stream.of(tableName(number), "%06d.ldb".formatted(number))
        .map(directory::resolve)
        .filter(Files::exists)
        .findFirst();
  }

  /** Of a log or a table. */
  static long number(Path file) {
    var name = name(file);
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private static String logName(long number) {
    return "%06d.log".formatted(number);
  }

  private static String tableName(long number) {
    return "%06d.sst".formatted(number);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** What the records read until now come to. */
  private static final class Reading {
    private final Map<Long, Long> tables = new TreeMap<>();
    private OptionalLong log = OptionalLong.empty();
    private boolean hasNextFile;
    private boolean hasLastSequence;

    Manifest manifest() {
      // 0 stands for none: of a directory that was made and never opened.
      var needed = log.stream().filter(number -> number > 0).findFirst();
      return new Manifest(needed, log.isPresent() && hasNextFile && hasLastSequence, tables);
    }

    void edit(ByteBuffer record) {
      while (record.hasRemaining()) {
        int tag = Math.toIntExact(Varint.read(record));
        switch (tag) {
          case COMPARATOR -> Varint.readBytes(record);
          case LOG -> log = OptionalLong.of(Varint.read(record));
          case NEXT_FILE -> hasNextFile = Varint.read(record) > 0;
          case LAST_SEQUENCE -> hasLastSequence = Varint.read(record) >= 0;
          case PREVIOUS_LOG -> Varint.read(record);
          case COMPACT_POINTER -> {
            Varint.read(record);
            Varint.readBytes(record);
          }
          case DELETED_FILE -> {
            Varint.read(record);
            tables.remove(Varint.read(record));
          }
          case NEW_FILE -> {
            Varint.read(record);
            tables.put(Varint.read(record), Varint.read(record));
            Varint.readBytes(record);
            Varint.readBytes(record);
          }
          default -> throw new IllegalArgumentException("Tag " + tag);
        }
      }
    }
  }
}

package dev.sequitur.persistence.leveldb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Settings, keys and copies of directories for tests. */
public final class LevelDbFixture {
  public static final LevelDbSettings SETTINGS =
      new LevelDbSettings(true, 1_000, 4 * 1024 * 1024, 1024 * 1024, 0);

  private LevelDbFixture() {}

  public static Key key(String name) {
    return Key.in(KeySpace.NODE_STORE).octet(0).text(name);
  }

  public static Key key(long number) {
    return Key.in(KeySpace.NODE_STORE).octet(1).number(number);
  }

  public static byte[] value(String text) {
    return text.getBytes(UTF_8);
  }

  public static Optional<String> read(LevelDb levelDb, Key key) {
    return levelDb.get(key).map(bytes -> new String(bytes, UTF_8));
  }

  /** The numbers of {@link #key(long)} that are stored, in the order of the visit. */
  public static List<Long> numbers(LevelDb levelDb, long from, long to, Order order) {
    List<Long> found = new ArrayList<>();
    levelDb.scan(
        KeyRange.numbered(Key.in(KeySpace.NODE_STORE).octet(1), from, to),
        order,
        (key, value) -> found.add(key.lastNumber()));
    return found;
  }

  /**
   * As {@link #copyWithoutClosing}, when LevelDB's own thread has written its tables and deleted
   * what it needs no more: until two looks find the same files, and only those that are needed.
   */
  public static Path copyWhenStill(Path directory, Path to) {
    for (int attempt = 0; ; attempt++) {
      var copy = to.resolveSibling(to.getFileName() + "-" + attempt);
      try {
        var before = sizes(directory);
        copyWithoutClosing(directory, copy);
        if (before.equals(sizes(directory))
            && Manifest.missing(copy).isEmpty()
            && hasOnlyWhatIsNeeded(copy)) {
          return Files.move(copy, to);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (UncheckedIOException e) {
        // A file has gone while it was copied.
        continue;
      }
    }
  }

  private static boolean hasOnlyWhatIsNeeded(Path directory) throws IOException {
    byte[] content = Files.readAllBytes(Manifest.current(directory));
    Manifest manifest = Manifest.of(new RecordLog(content).records()).orElseThrow();
    try (Stream<Path> files = Files.list(directory)) {
      return manifest.unnamed(directory).isEmpty()
          && files
              .filter(file -> file.toString().endsWith(".log"))
              .allMatch(log -> Manifest.number(log) >= manifest.log().orElseThrow());
    }
  }

  private static Map<String, Long> sizes(Path directory) throws IOException {
    var sizes = new TreeMap<String, Long>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        sizes.put(file.getFileName().toString(), file.toFile().length());
      }
    }
    return sizes;
  }

  /**
   * The files as another process would find them if this one were killed now. The lock file is left
   * alone: reading it would let go of this process's lock.
   */
  public static Path copyWithoutClosing(Path directory, Path to) {
    try (Stream<Path> files = Files.list(directory)) {
      Files.createDirectories(to);
      for (Path file : files.filter(each -> !each.endsWith("LOCK")).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

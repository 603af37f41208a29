package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that say what bytes of a version mean, named after it. With {@code
 * -Dbuild.golden.write=DIRECTORY} those of this version are written; one that is there is never
 * changed, since bytes of its version may be stored somewhere.
 */
public final class Golden {
  private Golden() {}

  /**
   * @param now what it would be by this program
   */
  public static String ofThisVersion(String name, String ending, String now) throws IOException {
    return of(name, StoredTypes.VERSION, ending, now);
  }

  /** As {@link #ofThisVersion}, of what has versions of its own. */
  static String of(String name, int version, String ending, String now) throws IOException {
    var directory = System.getProperty("build.golden.write");
    if (directory != null) {
      write(Path.of(directory), name, version, ending, now);
      return now;
    }
    return of(name, version, ending);
  }

  static String of(String name, int version, String ending) throws IOException {
    var file = file(name, version, ending);
    try (var content = Golden.class.getResourceAsStream("/golden/" + file)) {
      assertThat(content).as("golden/" + file + " (see Golden)").isNotNull();
      return new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  static void write(Path directory, String name, int version, String ending, String now)
      throws IOException {
    var file = directory.resolve(file(name, version, ending));
    if (Files.exists(file) && !Files.readString(file).strip().equals(now)) {
      throw new AssertionError(
          file.getFileName()
              + " says what bytes of version "
              + version
              + " mean, and they would mean something else: raise the version.");
    }
    Files.createDirectories(directory);
    Files.writeString(file, now + "\n");
  }

  private static String file(String name, int version, String ending) {
    return name + "-" + version + "." + ending;
  }
}

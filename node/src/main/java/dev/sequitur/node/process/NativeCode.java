package dev.sequitur.node.process;

import dev.sequitur.persistence.natives.NativeDirectory;
import dev.sequitur.persistence.natives.NativeDirectory.UnusableDirectory;
import java.nio.file.Path;

/** Where this process has its native libraries. Must come before anything uses one. */
public final class NativeCode {
  private NativeCode() {}

  /**
   * In {@code native/} below a data directory.
   *
   * @throws StartFailure with a sentence that says what to do, if it cannot be run there
   */
  public static void under(Path dataDirectory) {
    in(dataDirectory.resolve("native"));
  }

  /**
   * In the cache of the person who runs this process, for a command that has no data directory and
   * ends soon. Where there can be no cache, the libraries are left to unpack themselves and to take
   * that away again.
   *
   * @throws StartFailure with a sentence that says what to do, if a directory was named for it and
   *     cannot be used
   */
  public static void ofUser() {
    var cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    var base =
        cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    try {
      in(base.resolve("sequitur").resolve("native"));
    } catch (StartFailure e) {
      if (NativeDirectory.isNamed()) {
        throw e;
      }
    }
  }

  private static void in(Path directory) {
    try {
      NativeDirectory.use(directory);
    } catch (UnusableDirectory e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}

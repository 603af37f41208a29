package dev.sequitur.laboratory.local;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** A file that its user alone may read, since it may hold a password or a token. */
final class PrivateFile {
  private PrivateFile() {}

  /**
   * A configuration; see {@link #write}.
   *
   * @param values by their path in it
   */
  static Path configuration(Path file, Map<String, Object> values) throws IOException {
    var options =
        ConfigRenderOptions.defaults().setOriginComments(false).setJson(false).setComments(false);
    return write(file, ConfigFactory.parseMap(values).root().render(options));
  }

  /** Replaces it at once; at no time can anybody else read the content. */
  static Path write(Path file, String content) throws IOException {
    // The JDK gives a temporary file to nobody but its user.
    var fresh = Files.createTempFile(file.toAbsolutePath().getParent(), ".new", ".conf");
    try {
      Files.writeString(fresh, content);
      return Files.move(
          fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}

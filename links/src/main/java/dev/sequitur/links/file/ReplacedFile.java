package dev.sequitur.links.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a file that others may be reading: they see the old content or the new one. */
public final class ReplacedFile {
  private ReplacedFile() {}

  /**
   * Replaces a file, or makes it.
   *
   * @param secret whether only its owner may read it
   */
  public static void write(Path file, String content, boolean secret) throws IOException {
    var absolute = file.toAbsolutePath();
    boolean posix = absolute.getFileSystem().supportedFileAttributeViews().contains("posix");
    var rights = PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--");
    var attributes =
        posix
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
            : new FileAttribute<?>[0];
    var fresh = Files.createTempFile(absolute.getParent(), ".new", ".pem", attributes);
    try {
      Files.writeString(fresh, content);
      if (posix) {
        Files.setPosixFilePermissions(fresh, rights);
      }
      Files.move(
          fresh, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}

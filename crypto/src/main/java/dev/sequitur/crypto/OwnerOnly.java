package dev.sequitur.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that nobody but their owner may read, where the file system can say so. */
final class OwnerOnly {
  private static final Set<PosixFilePermission> PERMISSIONS =
      PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /**
   * @param what it is, at the beginning of a sentence
   * @param then what to do if another has read it, at the end of one
   * @throws IOException with a sentence that says what to do, if others may read it or it is not
   *     there
   */
  static void require(Path file, String what, String then) throws IOException {
    if (!isPosix(file)) {
      return;
    }
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (IOException e) {
      throw new IOException(
          what + file + " cannot be read: make it a file that the user of this process may read.",
          e);
    }
    if (!PERMISSIONS.containsAll(permissions)) {
      throw new IOException(
          what
              + file
              + " is open to other users ("
              + PosixFilePermissions.toString(permissions)
              + "): run 'chmod 600' on it, and "
              + then
              + " if anyone may have read it.");
    }
  }

  static FileAttribute<?>[] attributes(Path directory) {
    return isPosix(directory)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PERMISSIONS)}
        : new FileAttribute<?>[0];
  }

  static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}

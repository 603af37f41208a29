package dev.sequitur.persistence.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Directories that the user of this process alone may enter. */
public final class PrivateDirectory {
  /** What nobody else may do: read it, change it, enter it. */
  public static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateDirectory() {}

  /**
   * Makes a directory, and those above it that are missing. One that is there stays as it is:
   * whether others may read it is then the operator's choice. On a file system that knows no such
   * rights it is an ordinary one.
   *
   * @return the directory
   */
  public static Path make(Path directory) throws IOException {
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    return Files.isDirectory(directory)
        ? directory
        : Files.createDirectories(
            directory,
            posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0]);
  }
}

package dev.sequitur.crypto;

import dev.sequitur.persistence.journal.PrivateDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/** The 32 secret bytes that all keys of a node are derived from, in a file only its owner reads. */
final class SeedFile {
  static final String NAME = "keys.seed";
  static final int BYTES = 32;

  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  private final Path directory;
  private final Path file;

  SeedFile(Path directory) {
    this.directory = directory;
    this.file = directory.resolve(NAME);
  }

  /** Reads the seed; makes it first, if there is none. */
  byte[] readOrCreate(SecureRandom random) throws IOException {
    if (!Files.exists(file)) {
      create(random);
    }
    requirePrivate();
    return read();
  }

  private byte[] read() throws IOException {
    byte[] seed;
    try (var in = Files.newInputStream(file)) {
      seed = in.readNBytes(BYTES + 1);
    } catch (IOException e) {
      throw new IOException(
          "The key seed "
              + file
              + " cannot be read: make it a file that the user of this process may read.",
          e);
    }
    if (seed.length != BYTES) {
      throw new IOException(
          "The key seed "
              + file
              + " is damaged, it should have "
              + BYTES
              + " bytes: restore it from a backup, since without it this node cannot sign for its"
              + " identities.");
    }
    return seed;
  }

  /**
   * The seed appears under its name whole and once: a link, unlike a rename, replaces nothing, so
   * two processes that start at once end with the same seed.
   */
  private void create(SecureRandom random) throws IOException {
    try {
      PrivateDirectory.make(directory);
      var draft = Files.createTempFile(directory, NAME, ".new", attributes(OWNER_FILE));
      try {
        var seed = new byte[BYTES];
        random.nextBytes(seed);
        write(draft, seed);
        publish(draft);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new IOException(
          "The key seed "
              + file
              + " cannot be made: let the user of this process write into its directory.",
          e);
    }
  }

  private static void write(Path draft, byte[] seed) throws IOException {
    try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      var buffer = ByteBuffer.wrap(seed);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  private void publish(Path draft) throws IOException {
    try {
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      return; // another process was faster: its seed is the node's
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(draft, file); // a file system without links
    }
    if (isPosix()) {
      try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private void requirePrivate() throws IOException {
    if (!isPosix()) {
      return;
    }
    var permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_FILE.containsAll(permissions)) {
      throw new IOException(
          "The key seed "
              + file
              + " is open to other users ("
              + PosixFilePermissions.toString(permissions)
              + "): run 'chmod 600' on it, and make new keys if anyone may have read it.");
    }
  }

  private FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private boolean isPosix() {
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}

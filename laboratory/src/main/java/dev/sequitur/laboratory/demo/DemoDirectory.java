package dev.sequitur.laboratory.demo;

import dev.sequitur.console.WrongOption;
import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Where a demonstration keeps its data.
 *
 * @param temporary whether it is removed at the end
 */
public record DemoDirectory(Path path, boolean temporary) {

  /**
   * The directory that was asked for, made if it is not there, or else a temporary one.
   *
   * @throws WrongOption if it is a file
   * @throws StartFailure if it cannot be made
   */
  public static DemoDirectory open(Optional<Path> asked) {
    try {
      if (asked.isEmpty()) {
        return new DemoDirectory(Files.createTempDirectory("sequitur-demo-"), true);
      }
      var path = asked.get().toAbsolutePath().normalize();
      if (Files.exists(path) && !Files.isDirectory(path)) {
        throw new WrongOption(path + " is a file: name a directory with --data.");
      }
      return new DemoDirectory(Files.createDirectories(path), false);
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory cannot be made ("
              + e.getMessage()
              + "): name one with --data that you may write to.",
          e);
    }
  }

  /**
   * Lets every user of this machine pass through a temporary one and see no list of it: a server
   * that runs as another user may have its own directory below.
   */
  public DemoDirectory enterable() {
    if (temporary && path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
      } catch (IOException e) {
        throw new StartFailure("The directory " + path + " cannot be opened for others.", e);
      }
    }
    return this;
  }

  public Path ledger() {
    return path.resolve("ledger");
  }

  public Path node(String name) {
    return path.resolve(name);
  }

  /** Removes a temporary one with all it holds; leaves another alone. */
  public void release() {
    if (!temporary) {
      return;
    }
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      throw new StartFailure(path + " could not be removed (" + e.getMessage() + ").", e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}

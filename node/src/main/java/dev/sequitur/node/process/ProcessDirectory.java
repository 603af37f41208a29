package dev.sequitur.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a process keeps what it must not lose. */
final class ProcessDirectory {
  private ProcessDirectory() {}

  /**
   * Makes it if it is not there.
   *
   * @throws StartFailure with a sentence that says what to do, if it cannot be
   */
  static Path make(Path directory) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new StartFailure("The data directory " + directory + " is a file: name a directory.");
    }
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory "
              + directory
              + " cannot be made: choose one that this user may write.",
          e);
    }
  }
}

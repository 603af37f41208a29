package dev.sequitur.node.process;

import dev.sequitur.persistence.directory.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a process keeps what it must not lose, and what concerns nobody else. */
final class ProcessDirectory {
  private ProcessDirectory() {}

  /**
   * Makes it if it is not there, for the user of this process alone.
   *
   * @throws StartFailure with a sentence that says what to do, if it cannot be
   */
  static Path make(Path directory) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new StartFailure("The data directory " + directory + " is a file: name a directory.");
    }
    try {
      return PrivateDirectory.make(directory);
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory "
              + directory
              + " cannot be made: choose one that this user may write.",
          e);
    }
  }
}

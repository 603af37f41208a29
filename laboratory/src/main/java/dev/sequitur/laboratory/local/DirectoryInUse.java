package dev.sequitur.laboratory.local;

import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Keeps a second network out of a directory in which one runs: it would write over the
 * configurations and outputs of the first. The system lets go of it when this process ends, however
 * it ends.
 */
final class DirectoryInUse implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryInUse(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws IOException if the directory cannot be written
   * @throws StartFailure with a sentence that says what to do, if a network runs in it
   */
  static DirectoryInUse by(Path directory) throws IOException {
    var channel =
        FileChannel.open(
            directory.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (locked(channel).isEmpty()) {
      channel.close();
      throw new StartFailure(
          ("Another cluster or soak runs in %s: stop it, or name another directory by --data (and"
                  + " other ports by --port).")
              .formatted(directory));
    }
    return new DirectoryInUse(channel);
  }

  private static Optional<FileLock> locked(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StartFailure("The lock of the directory cannot be given back.", e);
    }
  }
}

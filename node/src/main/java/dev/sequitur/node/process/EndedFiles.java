package dev.sequitur.node.process;

import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.EndedLines;
import dev.sequitur.persistence.directory.PrivateDirectory;
import dev.sequitur.protocol.port.RoomExport;
import dev.sequitur.protocol.port.RoomStore.Ended;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Writes what a node is about to forget into files of a directory, a line of JSON for each receipt,
 * and says that it is written once the disk has it. A file is named by the number of its first
 * receipt, so that names are in the order of what is in them, and has one more ending, {@code
 * .open}, as long as it is written to: others may take those that have not. A line that a crash has
 * torn is taken off; what was written and not forgotten before the crash is written again.
 * Thread-safe.
 */
final class EndedFiles implements RoomExport, AutoCloseable {
  private static final String LINES = ".jsonl";
  private static final String OPEN = LINES + ".open";
  private static final int TAIL = 1 << 13;

  private final Path directory;
  private final long fileBytes;
  private final Function<List<Ended>, CompletionStage<List<byte[]>>> lines;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          work -> {
            var thread = new Thread(work, "sequitur-export");
            thread.setDaemon(true);
            return thread;
          });

  private Optional<FileChannel> channel = Optional.empty(); // on the writer's thread
  private Path file; // likewise

  /**
   * @param fileBytes a file that has so many is closed
   * @param lines of what has ended, one for each
   */
  EndedFiles(
      Path directory, long fileBytes, Function<List<Ended>, CompletionStage<List<byte[]>>> lines) {
    this.directory = directory;
    this.fileBytes = fileBytes;
    this.lines = lines;
  }

  static EndedFiles of(Path directory, long fileBytes, EndedLines shape) {
    return new EndedFiles(
        directory,
        fileBytes,
        ended -> shape.write(ended).thenApply(all -> all.stream().map(JsonText::write).toList()));
  }

  @Override
  public CompletionStage<Void> write(List<Ended> ended) {
    long first = ended.getFirst().receipt().sequence();
    return lines.apply(ended).thenAcceptAsync(made -> append(first, made), writer);
  }

  private void append(long first, List<byte[]> made) {
    var text = new ByteArrayOutputStream();
    for (var line : made) {
      text.writeBytes(line);
      text.write('\n');
    }
    try {
      if (channel.isEmpty()) {
        begin(first);
      }
      var to = channel.orElseThrow();
      var bytes = ByteBuffer.wrap(text.toByteArray());
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      to.force(false);
      if (to.size() >= fileBytes) {
        leave();
        finish(file);
      }
    } catch (IOException e) {
      leaveQuietly();
      throw new UncheckedIOException(
          "it cannot be written to room.export.directory (%s). Make room there, or let the node's user write it."
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Goes on where the last one ended, or begins one. */
  private void begin(long first) throws IOException {
    PrivateDirectory.make(directory);
    var open = open();
    for (var older : open.subList(0, Math.max(0, open.size() - 1))) {
      finish(older);
    }
    if (open.isEmpty()) {
      file = unused(first);
      channel =
          Optional.of(
              FileChannel.open(
                  file,
                  Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                  ownerOnly(file)));
      force();
    } else {
      file = open.getLast();
      var found = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      channel = Optional.of(found);
      long whole = wholeLines(found);
      found.truncate(whole);
      found.position(whole);
    }
  }

  /** The directory may have been there, and be open to others. */
  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private List<Path> open() throws IOException {
    try (var all = Files.list(directory)) {
      return all.filter(each -> each.getFileName().toString().endsWith(OPEN)).sorted().toList();
    }
  }

  /** A node whose records were set back gives numbers again. */
  private Path unused(long first) {
    for (int again = 0; ; again++) {
      var name = "ended-%019d-%03d".formatted(first, again);
      var made = directory.resolve(name + OPEN);
      if (!Files.exists(made) && !Files.exists(directory.resolve(name + LINES))) {
        return made;
      }
    }
  }

  /** How long it is up to the end of its last line that is whole. */
  private static long wholeLines(FileChannel of) throws IOException {
    long until = of.size();
    while (until > 0) {
      int length = (int) Math.min(TAIL, until);
      var part = ByteBuffer.allocate(length);
      while (part.hasRemaining() && of.read(part, until - length + part.position()) >= 0) {}
      for (int at = length - 1; at >= 0; at--) {
        if (part.get(at) == '\n') {
          return until - length + at + 1;
        }
      }
      until -= length;
    }
    return 0;
  }

  private void finish(Path whole) throws IOException {
    var name = whole.getFileName().toString();
    Files.move(
        whole,
        directory.resolve(name.substring(0, name.length() - OPEN.length()) + LINES),
        StandardCopyOption.ATOMIC_MOVE);
    force();
  }

  /** A new name is on the disk once its directory is. */
  private void force() throws IOException {
    try (var names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private void leave() throws IOException {
    var left = channel;
    channel = Optional.empty();
    if (left.isPresent()) {
      left.get().close();
    }
  }

  /** The next write looks what of this one is there. */
  private void leaveQuietly() {
    try {
      leave();
    } catch (IOException ignored) {
      // It is opened anew, whatever became of it.
    }
  }

  @Override
  public void close() {
    writer.execute(this::leaveQuietly);
    writer.shutdown();
  }
}

package dev.sequitur.node.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.persistence.journal.PrivateDirectory;
import dev.sequitur.protocol.guard.AuditChain.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has changed what, in files of its own that are only added to. One thread writes: all that
 * waits goes to the disk in one write. What cannot be written is not done: a call takes a place
 * before it begins, and there is none while the disk takes nothing. Thread-safe.
 *
 * <p>An entry is on the disk before its call is answered. A crash may lose the entry of a call that
 * was done and not answered.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Calls that are under way or wait for their entry to be written. */
  private static final int PLACES = 8_192;

  private static final int MOST_IN_ONE_WRITE = 1_024;

  private final Semaphore places = new Semaphore(PLACES);
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(PLACES + 1);
  private final AuditFiles files;
  private final long fileBytes;
  private final int keepFiles;
  private final Thread writer;
  private Path file;
  private FileChannel channel;
  private Place place;
  private long size;
  private volatile boolean failed;

  /**
   * @param content null ends the thread
   */
  private record Waiting(String content, CompletableFuture<Void> written) {}

  private AuditLog(AuditFiles files, long fileBytes, int keepFiles) throws IOException {
    this.files = files;
    this.fileBytes = fileBytes;
    this.keepFiles = keepFiles;
    var last = files.repair();
    this.place = last.place();
    this.writer = new Thread(this::run, "sequitur-audit");
    if (last.file().isPresent()) {
      file = last.file().get();
      channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      size = channel.size();
    } else {
      begin();
    }
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Goes on where the files end. Blocks while it reads the last one.
   *
   * @param fileBytes a file that has more is followed by another
   * @param keepFiles of those that are full, the newest; 0 to keep all
   * @throws IOException with a sentence, if the last file is not as it was written, or cannot be
   *     written
   */
  public static AuditLog open(Path directory, long fileBytes, int keepFiles) throws IOException {
    PrivateDirectory.make(directory);
    return new AuditLog(new AuditFiles(directory), fileBytes, keepFiles);
  }

  /**
   * Takes a place for a call that is to be written down; {@link #write} gives it back.
   *
   * @return false if there is none: then the call must not be done
   */
  public boolean takePlace() {
    return !failed && places.tryAcquire();
  }

  /** Of a call that was refused, and is not written down by itself. */
  public void givePlaceBack() {
    places.release();
  }

  /**
   * Writes what has become of a call that has a place.
   *
   * @return completes on the writer's thread when the entry is on the disk; fails if it cannot be
   */
  public CompletableFuture<Void> write(ObjectNode entry) {
    var written = new CompletableFuture<Void>();
    String content;
    try {
      content = new String(JsonText.write(entry), StandardCharsets.UTF_8);
    } catch (UncheckedIOException e) {
      places.release();
      return CompletableFuture.failedFuture(e);
    }
    // There is room for all that have a place.
    waiting.add(new Waiting(content, written));
    return written;
  }

  private void run() {
    var batch = new ArrayList<Waiting>();
    boolean open = true;
    while (open) {
      try {
        batch.add(waiting.take());
        waiting.drainTo(batch, MOST_IN_ONE_WRITE);
        open = batch.stream().noneMatch(each -> each.content() == null);
        batch.removeIf(each -> each.content() == null);
        write(batch);
        batch.forEach(each -> each.written().complete(null));
      } catch (InterruptedException e) {
        open = false;
      } catch (IOException e) {
        failed = true;
        LOG.error(
            "The audit cannot be written to {} ({}): calls that change something are refused until"
                + " the node is started again. Make room there, or let the node's user write it.",
            file,
            e.getMessage());
        batch.forEach(each -> each.written().completeExceptionally(e));
      }
      places.release(batch.size());
      batch.clear();
    }
  }

  private void write(List<Waiting> batch) throws IOException {
    if (failed) {
      throw new IOException("an earlier entry could not be written");
    }
    if (size > fileBytes) {
      channel.close();
      begin();
      forget();
    }
    var text = new StringBuilder();
    var after = place;
    for (var each : batch) {
      var next = after.next(each.content());
      text.append(next.line()).append('\n');
      after = next.place();
    }
    if (text.length() == 0) {
      return;
    }
    append(text.toString());
    channel.force(false);
    place = after;
  }

  private void begin() throws IOException {
    file = files.after(place);
    channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    size = 0;
    append(place.head() + "\n");
    channel.force(true);
  }

  /** Under the policy alone; the chain goes on in what is left. */
  private void forget() throws IOException {
    var all = files.list();
    if (keepFiles > 0) {
      for (var old : all.subList(0, Math.max(0, all.size() - 1 - keepFiles))) {
        Files.delete(old);
      }
    }
  }

  private void append(String text) throws IOException {
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    size += bytes.remaining();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Writes what waits and ends. Blocks. */
  @Override
  public void close() {
    waiting.add(new Waiting(null, new CompletableFuture<>()));
    try {
      writer.join();
      channel.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("The audit's file {} could not be closed: {}", file, e.getMessage());
    }
  }
}

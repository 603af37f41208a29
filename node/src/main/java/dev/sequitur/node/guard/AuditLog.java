package dev.sequitur.node.guard;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.persistence.directory.PrivateDirectory;
import dev.sequitur.protocol.guard.AuditChain.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has changed what, in files of its own that are only added to. One thread writes: all that
 * waits goes to the disk in one write. What cannot be written is not done: a call takes a place
 * before it begins, and there is none while the disk takes nothing. That is tried again from time
 * to time; of calls that were done meanwhile the entries are kept, and written first. Thread-safe.
 *
 * <p>An entry is on the disk before its call is answered. A crash may lose the entry of a call that
 * was done and not answered.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Calls that are under way or wait for their entry to be written. */
  private static final int PLACES = 8_192;

  private static final int MOST_IN_ONE_WRITE = 1_024;

  /** Between two tries, while the disk takes nothing. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);

  private final Semaphore places = new Semaphore(PLACES);
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(PLACES + 1);
  private final AuditFiles files;
  private final long fileBytes;
  private final int keepFiles;
  private final Duration againAfter;
  private final Thread writer;

  /** Of calls that were done and could not be written down; they hold their places. */
  private final List<Waiting> owed = new ArrayList<>();

  private Path file;
  private FileChannel channel;
  private Place place;
  private long size;

  /** Why the last try failed; empty if it did not. */
  private volatile Optional<String> failed = Optional.empty();

  /**
   * @param content null ends the thread
   */
  private record Waiting(String content, CompletableFuture<Void> written) {}

  private AuditLog(AuditFiles files, long fileBytes, int keepFiles, Duration againAfter)
      throws IOException {
    this.files = files;
    this.againAfter = againAfter;
    this.fileBytes = fileBytes;
    this.keepFiles = keepFiles;
    goOn(files.repair());
    this.writer = new Thread(this::run, "sequitur-audit");
    writer.setDaemon(true);
    writer.start();
  }

  private void goOn(AuditFiles.Last last) throws IOException {
    place = last.place();
    if (last.file().isPresent()) {
      file = last.file().get();
      channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      size = channel.size();
    } else {
      begin();
    }
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
    return open(directory, fileBytes, keepFiles, AGAIN_AFTER);
  }

  static AuditLog open(Path directory, long fileBytes, int keepFiles, Duration againAfter)
      throws IOException {
    PrivateDirectory.make(directory);
    return new AuditLog(new AuditFiles(directory), fileBytes, keepFiles, againAfter);
  }

  /**
   * Why calls that change something are refused now, as a sentence; empty if they are not. It does
   * not say where the audit is: with {@code health.for-all} anybody reads it.
   */
  public Optional<String> trouble() {
    return failed.map(
        why ->
            "The audit cannot be written (%s), and so no call that changes something is done: make room on its disk, or let the node's user write it; the node's log names the file. It is tried again every %d s."
                .formatted(withoutDirectory(why), againAfter.toSeconds()));
  }

  /** What the system says of a file begins with its path. */
  private String withoutDirectory(String why) {
    return why.replace(files.directory().toString(), "its directory");
  }

  /**
   * Takes a place for a call that is to be written down; {@link #write} gives it back.
   *
   * @return false if there is none: then the call must not be done
   */
  public boolean takePlace() {
    return failed.isEmpty() && places.tryAcquire();
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
        var next =
            failed.isPresent() ? waiting.poll(againAfter.toNanos(), NANOSECONDS) : waiting.take();
        Optional.ofNullable(next).ifPresent(batch::add);
        waiting.drainTo(batch, MOST_IN_ONE_WRITE);
        open = batch.stream().noneMatch(each -> each.content() == null);
        batch.removeIf(each -> each.content() == null);
        // Calls do not make it try more often; a stop does, since it is the last time.
        if (failed.isPresent() && next != null && open) {
          owe(batch, new IOException("an earlier entry could not be written"));
        } else {
          write(batch);
          batch.forEach(each -> each.written().complete(null));
          places.release(batch.size());
        }
      } catch (InterruptedException e) {
        open = false;
      } catch (IOException | UncheckedIOException e) {
        fail(String.valueOf(e.getMessage()));
        owe(batch, e);
      }
      batch.clear();
    }
    if (!owed.isEmpty()) {
      LOG.error(
          "The node stops, and the audit lacks the entries of {} calls that were done: {}",
          owed.size(),
          failed.orElse(""));
    }
  }

  private void owe(List<Waiting> batch, Exception why) {
    owed.addAll(batch);
    batch.forEach(each -> each.written().completeExceptionally(why));
  }

  private void fail(String why) {
    var before = failed;
    failed = Optional.of(why);
    if (!before.equals(failed)) {
      LOG.error(
          "The audit cannot be written to {} ({}): calls that change something are refused until it"
              + " can be, which is tried every {} s. Make room there, or let the node's user write"
              + " it.",
          file,
          why,
          againAfter.toSeconds());
    }
  }

  /** Goes on after the last entry that is whole. */
  private void mend() throws IOException {
    channel.close();
    var last = files.repair();
    int there = writtenOfOwed(last.place());
    owed.subList(0, there).clear();
    places.release(there);
    goOn(last);
    append(owed);
    places.release(owed.size());
    owed.clear();
    failed = Optional.empty();
    LOG.info("The audit is written to {} again", file);
  }

  /** A write that failed may have left whole entries behind: they are not written twice. */
  private int writtenOfOwed(Place last) throws IOException {
    long there = last.number() - place.number();
    if (there < 0) {
      throw new IOException(
          "entries that were written are gone: put them back, or start the node again to go on"
              + " without them");
    }
    var after = place;
    for (var each : owed.subList(0, (int) Math.min(there, owed.size()))) {
      after = after.next(each.content()).place();
    }
    if (!after.equals(last)) {
      throw new IOException(
          "there are entries that this node has not written: find out who wrote them");
    }
    return (int) there;
  }

  private void write(List<Waiting> batch) throws IOException {
    if (failed.isPresent()) {
      mend();
    }
    append(batch);
  }

  private void append(List<Waiting> batch) throws IOException {
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

package dev.sequitur.node.configuration;

import dev.sequitur.node.configuration.TransportConfiguration.MutualTls;
import dev.sequitur.node.guard.GuardSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of the configuration as its file has it now. It is looked at most four times a second
 * whether the file has changed, as for tokens; while it has a mistake, what was read before stays,
 * and it is read again from time to time, since what it names may have been renewed just then. What
 * the file includes is read with it, but no change of it is noticed. Thread-safe; who asks takes
 * what is there and waits for nothing: one task beside looks.
 */
public final class ReadAgain<T> implements Supplier<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAgain.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** While what is there cannot be used. */
  static final Duration READ_AGAIN_EVERY = Duration.ofSeconds(5);

  private final String what;
  private final Path file;
  private final Function<Path, T> reader;
  private final LongSupplier nanoTime;
  private final Executor beside;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile T settings;
  private volatile long looked;

  // Only of the task that looks.
  private String stamp;
  private long read;
  private Optional<String> mistake = Optional.empty();

  private ReadAgain(
      String what,
      Path file,
      T first,
      Function<Path, T> reader,
      LongSupplier nanoTime,
      Executor beside) {
    this.what = what;
    this.file = file;
    this.settings = first;
    this.reader = reader;
    this.nanoTime = nanoTime;
    this.beside = beside;
    this.stamp = stamp(file);
    this.looked = nanoTime.getAsLong();
  }

  /** Who may do what, roles of certificates included. */
  public static Supplier<GuardSettings> roles(GuardSettings first) {
    return of(
        "the roles of callers", first.file(), first, path -> NodeConfiguration.read(path).guard());
  }

  /**
   * The nodes to talk to.
   *
   * @param file where they were read; empty if nowhere
   */
  public static Supplier<MutualTls> peers(Optional<Path> file, MutualTls first) {
    return of("its peers", file, first, ReadAgain::peersIn);
  }

  static MutualTls peersIn(Path file) {
    return switch (NodeConfiguration.read(file).transport()) {
      case MutualTls tls -> tls;
      case TransportConfiguration.InProcess() ->
          throw new ConfigurationMistakes(
              List.of("transport.enabled is false now: only a restart can do that."));
    };
  }

  private static <T> Supplier<T> of(
      String what, Optional<Path> file, T first, Function<Path, T> reader) {
    return of(
        what,
        file,
        first,
        reader,
        System::nanoTime,
        task -> Thread.ofVirtual().name("configuration").start(task));
  }

  /** What was read, and what it becomes if it came from a file. */
  static <T> Supplier<T> of(
      String what,
      Optional<Path> file,
      T first,
      Function<Path, T> reader,
      LongSupplier nanoTime,
      Executor beside) {
    return file.<Supplier<T>>map(it -> new ReadAgain<>(what, it, first, reader, nanoTime, beside))
        .orElse(() -> first);
  }

  @Override
  public T get() {
    if (nanoTime.getAsLong() - looked >= LOOK_EVERY.toNanos()
        && looking.compareAndSet(false, true)) {
      beside.execute(this::look);
    }
    return settings;
  }

  private void look() {
    try {
      long now = nanoTime.getAsLong();
      var current = stamp(file);
      if (!current.equals(stamp)
          || (mistake.isPresent() && now - read >= READ_AGAIN_EVERY.toNanos())) {
        stamp = current;
        read = now;
        readAgain();
      }
      looked = now;
    } finally {
      looking.set(false);
    }
  }

  private void readAgain() {
    try {
      settings = reader.apply(file);
      mistake = Optional.empty();
      LOG.info("The node has read {} again from {}", what, file);
    } catch (RuntimeException e) {
      // A mistake is a sentence; anything else must not end this for good.
      var why = e instanceof ConfigurationMistakes ? e.getMessage() : e.toString();
      if (!mistake.equals(Optional.of(why))) {
        LOG.warn("The node keeps {} as they were: {}", what, why);
      }
      mistake = Optional.of(why);
    }
  }

  private static String stamp(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException e) {
      return "none";
    }
  }
}

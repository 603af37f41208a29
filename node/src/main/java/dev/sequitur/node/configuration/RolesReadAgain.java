package dev.sequitur.node.configuration;

import dev.sequitur.node.guard.GuardSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what, as the configuration's file has it now. It is looked at most four times a second
 * whether the file has changed, as for tokens; while it has a mistake, what was read before stays,
 * and it is read again from time to time, since what it names may have been renewed just then. Only
 * roles, and those of certificates, hold without a restart. Thread-safe; who asks takes what is
 * there and waits for nothing: one task beside looks.
 */
public final class RolesReadAgain implements Supplier<GuardSettings> {
  private static final Logger LOG = LoggerFactory.getLogger(RolesReadAgain.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** While what is there cannot be used. */
  static final Duration READ_AGAIN_EVERY = Duration.ofSeconds(5);

  private final Path file;
  private final Function<Path, GuardSettings> reader;
  private final LongSupplier nanoTime;
  private final Executor beside;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile GuardSettings settings;
  private volatile long looked;

  // Only of the task that looks.
  private String stamp;
  private long read;
  private Optional<String> mistake = Optional.empty();

  private RolesReadAgain(
      Path file,
      GuardSettings first,
      Function<Path, GuardSettings> reader,
      LongSupplier nanoTime,
      Executor beside) {
    this.file = file;
    this.settings = first;
    this.reader = reader;
    this.nanoTime = nanoTime;
    this.beside = beside;
    this.stamp = stamp(file);
    this.looked = nanoTime.getAsLong();
  }

  /** What was read, and what it becomes if it came from a file. */
  public static Supplier<GuardSettings> of(GuardSettings first) {
    return of(
        first,
        path -> NodeConfiguration.read(path).guard(),
        System::nanoTime,
        task -> Thread.ofVirtual().name("roles").start(task));
  }

  static Supplier<GuardSettings> of(
      GuardSettings first,
      Function<Path, GuardSettings> reader,
      LongSupplier nanoTime,
      Executor beside) {
    return first
        .file()
        .<Supplier<GuardSettings>>map(
            file -> new RolesReadAgain(file, first, reader, nanoTime, beside))
        .orElse(() -> first);
  }

  @Override
  public GuardSettings get() {
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
      LOG.info("The node has read the roles of callers again from {}", file);
    } catch (RuntimeException e) {
      // A mistake is a sentence; anything else must not end this for good.
      var why = e instanceof ConfigurationMistakes ? e.getMessage() : e.toString();
      if (!mistake.equals(Optional.of(why))) {
        LOG.warn("The node keeps the roles it knows: {}", why);
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

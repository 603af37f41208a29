package dev.sequitur.node.configuration;

import dev.sequitur.node.guard.GuardSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what, as the configuration's file has it now. It is looked at most four times a second
 * whether the file has changed, as for tokens; while it has a mistake, what was read before stays.
 * Only roles, and those of certificates, hold without a restart. Thread-safe; reads a small file on
 * the thread that asks.
 */
public final class RolesReadAgain implements Supplier<GuardSettings> {
  private static final Logger LOG = LoggerFactory.getLogger(RolesReadAgain.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final Path file;
  private final LongSupplier nanoTime;
  private volatile Seen seen;

  /**
   * @param stamp tells whether the file is still the same
   */
  private record Seen(String stamp, GuardSettings settings, long nanos) {}

  private RolesReadAgain(Path file, GuardSettings first, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.seen = new Seen(stamp(file), first, nanoTime.getAsLong());
  }

  /** What was read, and what it becomes if it came from a file. */
  public static Supplier<GuardSettings> of(GuardSettings first) {
    return of(first, System::nanoTime);
  }

  static Supplier<GuardSettings> of(GuardSettings first, LongSupplier nanoTime) {
    return first
        .file()
        .<Supplier<GuardSettings>>map(file -> new RolesReadAgain(file, first, nanoTime))
        .orElse(() -> first);
  }

  @Override
  public GuardSettings get() {
    var last = seen;
    return nanoTime.getAsLong() - last.nanos() < LOOK_EVERY.toNanos() ? last.settings() : look();
  }

  private synchronized GuardSettings look() {
    long now = nanoTime.getAsLong();
    var stamp = stamp(file);
    if (stamp.equals(seen.stamp())) {
      seen = new Seen(stamp, seen.settings(), now);
      return seen.settings();
    }
    try {
      var read = NodeConfiguration.read(file).guard();
      LOG.info("The node has read the roles of callers again from {}", file);
      seen = new Seen(stamp, read, now);
    } catch (ConfigurationMistakes e) {
      LOG.warn("The node keeps the roles it knows: {}", e.getMessage());
      seen = new Seen(stamp, seen.settings(), now);
    }
    return seen.settings();
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

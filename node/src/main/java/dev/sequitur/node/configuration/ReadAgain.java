package dev.sequitur.node.configuration;

import dev.sequitur.links.file.FileStamps;
import dev.sequitur.node.configuration.TransportConfiguration.MutualTls;
import dev.sequitur.node.guard.GuardSettings;
import java.nio.file.Path;
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
 * whether the file has changed, or one that it includes, as for tokens; while it has a mistake,
 * what was read before stays, and it is read again from time to time, since what it names may have
 * been renewed just then. Thread-safe; who asks takes what is there and waits for nothing: one task
 * beside looks.
 */
public final class ReadAgain<T> implements Supplier<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAgain.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** While what is there cannot be used. */
  static final Duration READ_AGAIN_EVERY = Duration.ofSeconds(5);

  private final String what;
  private final Path file;
  private final Function<Path, NodeConfiguration> reader;
  private final Function<NodeConfiguration, T> part;
  private final LongSupplier nanoTime;
  private final Executor beside;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile T settings;
  private volatile long looked;

  // Only of the task that looks.
  private FileStamps seen;
  private long read;
  private Optional<String> mistake = Optional.empty();

  private ReadAgain(
      String what,
      ConfigurationFile file,
      T first,
      Function<Path, NodeConfiguration> reader,
      Function<NodeConfiguration, T> part,
      LongSupplier nanoTime,
      Executor beside) {
    this.what = what;
    this.file = file.path();
    this.seen = file.stamps();
    this.settings = first;
    this.reader = reader;
    this.part = part;
    this.nanoTime = nanoTime;
    this.beside = beside;
    this.looked = nanoTime.getAsLong();
  }

  /** Who may do what, roles of certificates included. */
  public static Supplier<GuardSettings> roles(NodeConfiguration first) {
    return of("the roles of callers", first, NodeConfiguration::guard);
  }

  /** The nodes to talk to, of a node that talks to others. */
  public static Supplier<MutualTls> peers(NodeConfiguration first) {
    return of("its peers", first, ReadAgain::peersOf);
  }

  static MutualTls peersOf(NodeConfiguration configuration) {
    return switch (configuration.transport()) {
      case MutualTls tls -> tls;
      case TransportConfiguration.InProcess() ->
          throw new ConfigurationMistakes(
              List.of("transport.enabled is false now: only a restart can do that."));
    };
  }

  private static <T> Supplier<T> of(
      String what, NodeConfiguration first, Function<NodeConfiguration, T> part) {
    return of(
        what,
        first,
        NodeConfiguration::read,
        part,
        System::nanoTime,
        task -> Thread.ofVirtual().name("configuration").start(task));
  }

  /** What was read, and what it becomes if it came from a file. */
  static <T> Supplier<T> of(
      String what,
      NodeConfiguration first,
      Function<Path, NodeConfiguration> reader,
      Function<NodeConfiguration, T> part,
      LongSupplier nanoTime,
      Executor beside) {
    var settings = part.apply(first);
    return first
        .file()
        .<Supplier<T>>map(
            file -> new ReadAgain<>(what, file, settings, reader, part, nanoTime, beside))
        .orElse(() -> settings);
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
      var current = seen.now();
      if (!current.equals(seen)
          || (mistake.isPresent() && now - read >= READ_AGAIN_EVERY.toNanos())) {
        seen = current;
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
      var configuration = reader.apply(file);
      settings = part.apply(configuration);
      // It may include others than before.
      seen = configuration.file().map(ConfigurationFile::stamps).orElse(seen);
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
}

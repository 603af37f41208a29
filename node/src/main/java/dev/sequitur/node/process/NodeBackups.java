package dev.sequitur.node.process;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.persistence.backup.Backup;
import dev.sequitur.persistence.backup.Backup.Progress;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.BackupException;
import dev.sequitur.persistence.backup.BackupManifest;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.backup.Pace;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.protocol.port.Answers;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Backups of a running node, each on a thread of its own. */
final class NodeBackups implements Backups {
  private static final Logger LOG = LoggerFactory.getLogger(NodeBackups.class);
  private static final double MILLIS = 1e3;

  private final BackupDirectory directory;
  private final Supplier<StoredMoment> moments;
  private final Function<StoredMoment, Source> source;
  private final Pace pace;
  private final InstantSource clock;
  private final Executor thread;
  private final Counter failures;
  private final Instant started;

  private Last last =
      new Last(
          State.NONE, Optional.empty(), Optional.empty(), Progress.NONE, ""); // guarded by this
  private Optional<Instant> newest; // guarded by this

  private record Last(
      State state,
      Optional<Instant> begun,
      Optional<Instant> ended,
      Progress progress,
      String trouble) {
    Last ended(State how, Instant at, String why) {
      return new Last(how, begun, Optional.of(at), progress, why);
    }

    Last at(Progress now) {
      return new Last(state, begun, ended, now, trouble);
    }
  }

  /**
   * @param moments of all that the node keeps; may wait
   * @param source of one
   * @param thread runs a backup, and may wait
   */
  NodeBackups(
      BackupDirectory directory,
      Supplier<StoredMoment> moments,
      Function<StoredMoment, Source> source,
      Pace pace,
      InstantSource clock,
      Executor thread,
      PrometheusRegistry registry) {
    this.directory = directory;
    this.moments = moments;
    this.source = source;
    this.pace = pace;
    this.clock = clock;
    this.thread = thread;
    this.started = clock.instant();
    this.newest = newestIn(directory);
    this.failures = show(registry, this::ageSeconds);
  }

  /** What a node shows that makes none: the same figures, at 0. */
  static void showNone(PrometheusRegistry registry) {
    var unused = show(registry, () -> 0.0);
  }

  private static Counter show(PrometheusRegistry registry, Supplier<Double> age) {
    Gauges.show(
        registry,
        "sequitur_backup_age_seconds",
        "How old the newest whole backup in this JVM's backup.directory is, or, where there is none,"
            + " how long ago the JVM was started; 0 without such a directory.",
        age::get);
    return Counter.builder()
        .name("sequitur_backup_failures")
        .help("Backups that this JVM has begun and not ended; the log says why.")
        .register(registry);
  }

  private static Optional<Instant> newestIn(BackupDirectory directory) {
    try {
      return directory.manifest().map(BackupManifest::source).map(Source::moment);
    } catch (BackupException e) {
      LOG.warn(e.getMessage());
      return Optional.empty();
    }
  }

  private synchronized double ageSeconds() {
    var age = Duration.between(newest.orElse(started), clock.instant());
    return Math.max(0, age.toMillis() / MILLIS);
  }

  @Override
  public synchronized Status begin() {
    if (last.state() != State.RUNNING) {
      last =
          new Last(
              State.RUNNING, Optional.of(clock.instant()), Optional.empty(), Progress.NONE, "");
      try {
        thread.execute(this::run);
      } catch (RejectedExecutionException e) {
        LOG.error("The backup to {} has not begun.", directory.path(), e);
        failed(new IllegalStateException("The node is about to end, and begins no backup.", e));
      }
    }
    return status();
  }

  @Override
  public synchronized Status status() {
    return new Status(
        last.state(),
        Optional.of(directory.path().toString()),
        last.begun(),
        last.ended(),
        last.progress().entries(),
        last.progress().bytes(),
        last.progress().written(),
        Optional.of(last.trouble()).filter(trouble -> !trouble.isEmpty()),
        newest);
  }

  private void run() {
    try (var moment = moments.get()) {
      var manifest = new Backup(moment, source.apply(moment), pace, this::came).writeTo(directory);
      ended(manifest);
    } catch (RuntimeException | Error e) {
      LOG.error("The backup to {} has failed.", directory.path(), e);
      failed(Answers.cause(e));
    }
  }

  private synchronized void came(Progress progress) {
    last = last.at(progress);
  }

  private synchronized void ended(BackupManifest manifest) {
    newest = Optional.of(manifest.source().moment());
    last = last.ended(State.DONE, clock.instant(), "");
    LOG.info(
        "A backup to {} has ended: {} entries in {} bytes, {} of them new there.",
        directory.path(),
        manifest.entries(),
        manifest.bytes(),
        last.progress().written());
  }

  private synchronized void failed(Throwable why) {
    failures.inc();
    last = last.ended(State.FAILED, clock.instant(), String.valueOf(why.getMessage()));
  }
}

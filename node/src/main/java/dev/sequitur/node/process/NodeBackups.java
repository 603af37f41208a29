package dev.sequitur.node.process;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.node.rpc.BackgroundTask;
import dev.sequitur.node.rpc.BackgroundTask.Course;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.persistence.backup.Backup;
import dev.sequitur.persistence.backup.Backup.Progress;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.BackupException;
import dev.sequitur.persistence.backup.BackupManifest;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.backup.Pace;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.schedule.recurring.Cadence;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
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
  private final Supplier<Pace> pace;
  private final InstantSource clock;
  private final Executor thread;
  private final Counter failures;
  private final Instant started;
  private final BackgroundTask<Progress> task;
  private volatile Optional<Instant> newest;
  private final Optional<BackupSchedule> schedule;

  /**
   * @param moments of all that the node keeps; may wait
   * @param source of one
   * @param pace of a backup; asked for on its thread
   * @param thread runs a backup, and may wait
   * @param times when one is begun by {@link #look}
   */
  NodeBackups(
      BackupDirectory directory,
      Supplier<StoredMoment> moments,
      Function<StoredMoment, Source> source,
      Supplier<Pace> pace,
      InstantSource clock,
      Executor thread,
      Optional<? extends Cadence> times,
      PrometheusRegistry registry) {
    this.directory = directory;
    this.moments = moments;
    this.source = source;
    this.pace = pace;
    this.clock = clock;
    this.thread = thread;
    this.started = clock.instant();
    this.newest = newestIn(directory);
    this.task = new BackgroundTask<>(Progress.NONE, clock, this::failed);
    this.schedule = times.map(each -> new BackupSchedule(each, this, clock));
    this.failures = show(registry, this::ageSeconds, this::overdueSeconds);
  }

  /** Begins one if its time has come; to be called now and then. */
  void look() {
    schedule.ifPresent(BackupSchedule::look);
  }

  @Override
  public Optional<String> remark() {
    return schedule.flatMap(BackupSchedule::remark);
  }

  private double overdueSeconds() {
    return schedule.map(BackupSchedule::overdue).orElse(Duration.ZERO).toMillis() / MILLIS;
  }

  /** What a node shows that makes none: the same figures, at 0. */
  static void showNone(PrometheusRegistry registry) {
    var unused = show(registry, () -> 0.0, () -> 0.0);
  }

  private static Counter show(
      PrometheusRegistry registry, Supplier<Double> age, Supplier<Double> overdue) {
    Gauges.show(
        registry,
        "sequitur_backup_overdue_seconds",
        "How long ago a backup was due by this JVM's backup.schedule, if there is no whole one since;"
            + " else 0.",
        overdue::get);
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

  private double ageSeconds() {
    var age = Duration.between(newest.orElse(started), clock.instant());
    return Math.max(0, age.toMillis() / MILLIS);
  }

  @Override
  public Status begin() {
    return status(task.begin(this::write));
  }

  @Override
  public Status status() {
    return status(task.last());
  }

  private Status status(Course<Progress> course) {
    return new Status(
        course.state(),
        Optional.of(directory.path().toString()),
        course.begun(),
        course.ended(),
        course.progress().entries(),
        course.progress().bytes(),
        course.progress().written(),
        course.trouble(),
        newest);
  }

  private CompletionStage<Void> write(Consumer<Progress> progress) {
    try {
      return CompletableFuture.runAsync(() -> writeNow(progress), thread);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("The node is about to end, and begins no backup.", e);
    }
  }

  private void writeNow(Consumer<Progress> progress) {
    try (var moment = moments.get()) {
      var manifest =
          new Backup(moment, source.apply(moment), pace.get(), progress).writeTo(directory);
      newest = Optional.of(manifest.source().moment());
      LOG.info(
          "A backup to {} has ended: {} entries in {} bytes, {} of them new there.",
          directory.path(),
          manifest.entries(),
          manifest.bytes(),
          task.last().progress().written());
    }
  }

  private void failed(Throwable why) {
    LOG.error("The backup to {} has failed.", directory.path(), why);
    failures.inc();
  }
}

package dev.sequitur.node.process;

import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.schedule.recurring.Cadence;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Begins backups at the times that a node's configuration names, if it is looked at often. A time
 * that passed while the process was away counts, once. One that fails is not begun again before the
 * next time: the log, the age and whoever watches it tell. Thread-safe.
 */
final class BackupSchedule {
  /** How late one may be before somebody is told. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Cadence times;
  private final Backups backups;
  private final InstantSource clock;
  private final Instant started;
  private Instant last; // guarded by this

  BackupSchedule(Cadence times, Backups backups, InstantSource clock) {
    this.times = times;
    this.backups = backups;
    this.clock = clock;
    this.started = clock.instant();
    this.last = newest();
  }

  /** Begins one if its time has come. */
  synchronized void look() {
    var now = clock.instant();
    if (now.isBefore(last)) {
      // The clock was set back: times that come again count again.
      last = now;
    }
    if (dueAfter(last).filter(due -> !due.isAfter(now)).isPresent()) {
      last = now;
      var unused = backups.begin();
    }
  }

  /** For how long the newest whole one has been older than it should be. */
  Duration overdue() {
    var late =
        dueAfter(newest()).map(due -> Duration.between(due, clock.instant())).orElse(Duration.ZERO);
    return late.isNegative() ? Duration.ZERO : late;
  }

  /** A sentence for the operator, if one is overdue and none is being made. */
  Optional<String> remark() {
    return overdue().compareTo(PATIENCE) < 0 || backups.status().state() == State.RUNNING
        ? Optional.empty()
        : Optional.of(
            "A backup was due at %s by backup.schedule, and there is no whole one since: sequitur backup --status and the log say why."
                .formatted(dueAfter(newest()).orElseThrow()));
  }

  private Instant newest() {
    return backups.status().newest().orElse(started);
  }

  private Optional<Instant> dueAfter(Instant moment) {
    return times.after(moment.toEpochMilli()).map(Instant::ofEpochMilli);
  }
}

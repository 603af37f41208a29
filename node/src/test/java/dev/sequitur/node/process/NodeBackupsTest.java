package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.BackupManifest.Engine;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.backup.Pace;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.recurring.CronCadence;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One at a time, told while it runs, and how old the newest one is. */
class NodeBackupsTest {
  private static final Instant START = Instant.parse("2026-11-30T07:00:00Z");

  @TempDir private Path directory;
  private final Queue<Runnable> begun = new ArrayDeque<>();
  private Instant now = START;
  private boolean broken;
  private boolean ending;
  private boolean withoutThreads;
  private Optional<CronCadence> times = Optional.empty();

  private final class Empty implements StoredMoment {
    @Override
    public void scan(KeyRange range, Visitor visitor) {
      if (broken) {
        throw new IllegalStateException("The disk is gone.");
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private NodeBackups backups(PrometheusRegistry registry) {
    return new NodeBackups(
        new BackupDirectory(directory.resolve("backup")),
        Empty::new,
        moment ->
            new Source(
                new NodeName("node1"),
                Bytes.hex("02ab"),
                List.of(),
                false,
                Engine.LEVELDB,
                DiskFormat.OURS.current(),
                now,
                Optional.empty()),
        () -> Pace.UNBOUNDED,
        () -> now,
        this::execute,
        times,
        registry);
  }

  /** The times of a clock on the wall in UTC. */
  private void at(String cron) {
    times = Optional.of(new CronCadence(cron, "UTC"));
  }

  @Test
  void oneIsBegunAtEachTimeOfTheScheduleAndNotAgainIfItFails() {
    at("30 * * * *");
    var backups = backups(new PrometheusRegistry());
    backups.look();
    now = START.plusSeconds(1_799);
    backups.look();
    assertThat(begun).as("not before its time").isEmpty();

    now = START.plusSeconds(1_805);
    backups.look();
    assertThat(begun).hasSize(1);
    broken = true;
    begun.remove().run();
    backups.look();
    assertThat(begun).as("it has failed").isEmpty();
    broken = false;
    now = START.plusSeconds(5_400);
    backups.look();
    assertThat(begun).hasSize(1);
    begun.remove().run();
    backups.look();
    assertThat(begun).isEmpty();
  }

  @Test
  void whatWasMissedWhileTheNodeWasAwayIsBegunOnce() {
    at("0 3 * * *");
    backups(new PrometheusRegistry()).begin();
    begun.remove().run();
    now = START.plusSeconds(3 * 86_400);

    var after = backups(new PrometheusRegistry());
    after.look();
    assertThat(begun).hasSize(1);
    begun.remove().run();
    after.look();
    assertThat(begun).isEmpty();
  }

  @Test
  void aClockThatIsSetBackKeepsNoBackupAway() {
    at("0 * * * *");
    var backups = backups(new PrometheusRegistry());
    now = START.minusSeconds(7 * 3_600);
    backups.look();
    now = START.minusSeconds(6 * 3_600);
    backups.look();

    assertThat(begun).hasSize(1);
  }

  @Test
  void whoHasNoBackupSinceOneWasDueIsTold() throws IOException {
    at("0 8 * * *");
    var registry = new PrometheusRegistry();
    var backups = backups(registry);
    assertThat(backups.remark()).isEmpty();
    now = START.plusSeconds(3_600 + 600);
    assertThat(metrics(registry)).contains("sequitur_backup_overdue_seconds 600.0");
    assertThat(backups.remark()).as("within an hour").isEmpty();
    now = START.plusSeconds(2 * 3_600);
    assertThat(backups.remark().orElseThrow()).contains("due at 2026-11-30T08:00:00Z");

    backups.look();
    assertThat(backups.remark()).as("while it runs").isEmpty();
    begun.remove().run();
    assertThat(backups.remark()).isEmpty();
    assertThat(metrics(registry)).contains("sequitur_backup_overdue_seconds 0.0");
  }

  private void execute(Runnable backup) {
    if (ending) {
      throw new RejectedExecutionException("shut down");
    }
    if (withoutThreads) {
      // The JDK says so by an OutOfMemoryError, at which JUnit gives up.
      throw new InternalError("unable to create native thread");
    }
    begun.add(backup);
  }

  @Test
  void oneThatNoThreadTakesHasFailedAndTheNextOneMayBeBegun() throws IOException {
    var registry = new PrometheusRegistry();
    var backups = backups(registry);
    ending = true;

    var status = backups.begin();

    assertThat(status.state()).isEqualTo(State.FAILED);
    assertThat(status.trouble()).contains("The node is about to end, and begins no backup.");
    assertThat(metrics(registry)).contains("sequitur_backup_failures_total 1.0");
    ending = false;
    assertThat(backups.begin().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void oneForWhichTheProcessHasNoThreadHasFailedAndTheNextOneMayBeBegun() throws IOException {
    var registry = new PrometheusRegistry();
    var backups = backups(registry);
    withoutThreads = true;

    var status = backups.begin();

    assertThat(status.state()).isEqualTo(State.FAILED);
    assertThat(status.trouble()).contains("unable to create native thread");
    assertThat(status.ended()).contains(START);
    assertThat(metrics(registry)).contains("sequitur_backup_failures_total 1.0");
    withoutThreads = false;
    assertThat(backups.begin().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aSecondOneIsNotBegunWhileOneRuns() {
    var backups = backups(new PrometheusRegistry());
    assertThat(backups.status().state()).isEqualTo(State.NONE);

    assertThat(backups.begin().state()).isEqualTo(State.RUNNING);
    now = START.plusSeconds(5);
    assertThat(backups.begin().begun()).contains(START);
    assertThat(begun).hasSize(1);
    begun.remove().run();

    assertThat(backups.status().state()).isEqualTo(State.DONE);
    assertThat(backups.status().ended()).contains(now);
    assertThat(backups.status().newest()).contains(now);
    assertThat(backups.begin().state()).isEqualTo(State.RUNNING);
    assertThat(begun).hasSize(1);
  }

  @Test
  void oneThatFailsSaysWhyAndTheNextOneMayBeBegun() throws IOException {
    var registry = new PrometheusRegistry();
    var backups = backups(registry);
    broken = true;
    backups.begin();
    begun.remove().run();

    assertThat(backups.status().state()).isEqualTo(State.FAILED);
    assertThat(backups.status().trouble()).contains("The disk is gone.");
    assertThat(backups.status().newest()).isEmpty();
    assertThat(metrics(registry)).contains("sequitur_backup_failures_total 1.0");

    broken = false;
    backups.begin();
    begun.remove().run();
    assertThat(backups.status().state()).isEqualTo(State.DONE);
    assertThat(backups.status().trouble()).isEmpty();
  }

  @Test
  void itsAgeCountsFromTheNewestWholeOneAlsoAfterANewStart() throws IOException {
    var registry = new PrometheusRegistry();
    var backups = backups(registry);
    now = START.plusSeconds(60);
    assertThat(metrics(registry)).contains("sequitur_backup_age_seconds 60.0");
    backups.begin();
    begun.remove().run();
    assertThat(metrics(registry)).contains("sequitur_backup_age_seconds 0.0");

    now = START.plusSeconds(100);
    var after = new PrometheusRegistry();
    assertThat(backups(after).status().newest()).contains(START.plusSeconds(60));
    assertThat(metrics(after)).contains("sequitur_backup_age_seconds 40.0");
  }

  @Test
  void whereThereIsNoDirectoryTheCallSaysWhatToSet() throws IOException {
    assertThatThrownBy(Backups.NONE::begin)
        .isInstanceOf(RpcFailure.class)
        .hasMessageContaining("backup.directory");
    assertThat(Backups.NONE.status().state()).isEqualTo(State.NONE);
    var registry = new PrometheusRegistry();
    NodeBackups.showNone(registry);
    assertThat(metrics(registry))
        .contains("sequitur_backup_age_seconds 0.0", "sequitur_backup_failures_total 0.0");
  }

  private static String metrics(PrometheusRegistry registry) throws IOException {
    var out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8);
  }
}

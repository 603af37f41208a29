package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.sequitur.cluster.journal.Key;
import dev.sequitur.cluster.journal.KeyRange;
import dev.sequitur.cluster.journal.KeySpace;
import dev.sequitur.cluster.journal.LevelDb;
import dev.sequitur.cluster.journal.LevelDbExtension;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPrioritySettings;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody deletes or damages the directory of checkpoints, before a node runs or while it does.
 */
class LostCheckpointsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final AccountId ALICE = new AccountId("alice");
  private static final int CHECKPOINT_EVENTS = 40;

  @TempDir private Path directory;
  private int checkpointEvents = CHECKPOINT_EVENTS;
  private TestScheduler running;
  private int commands;

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  private void start() {
    stop();
    var families =
        QueueSetup.of(
            OPERATOR, new GasPriority(new GasPrioritySettings(10, 1_000, 1_000, 1_000, 1, 10_240)));
    running = TestScheduler.start(directory, families, settings(), new ScriptedCalls());
  }

  private SchedulerSettings settings() {
    var d = SchedulerSettings.DEFAULT;
    return new SchedulerSettings(
        d.blockInterval(),
        d.waitingCommands(),
        d.batch(),
        d.executing(),
        d.refusals(),
        d.backoff(),
        d.rememberedCommands(),
        checkpointEvents,
        Duration.ofSeconds(20));
  }

  /** With one record of the journal. */
  private void fund(int times) {
    var funds = new ArrayList<Command>();
    for (int i = 0; i < times; i++) {
      var fund = new Operation.Fund(ALICE, new Amount(1));
      funds.add(new Command("fund " + ++commands, OPERATOR, fund));
    }
    for (var answer : get(running.node().submit(QUEUE, funds))) {
      assertThat(answer.refusal()).isEmpty();
    }
  }

  /** A checkpoint has taken all records off the journal. */
  private void fundAndCutTheJournal() {
    start();
    fund(CHECKPOINT_EVENTS);
    await().atMost(PATIENCE).until(() -> storedRecords() == 0);
  }

  private int storedRecords() {
    List<Key> keys = new ArrayList<>();
    LevelDbExtension.get(running.system())
        .levelDb()
        .scan(
            KeyRange.startingWith(Key.in(KeySpace.EVENT).text("schedule-queue|default")),
            LevelDb.Order.ASCENDING,
            (key, value) -> keys.add(key));
    return keys.size();
  }

  private void deleteCheckpoints() throws IOException {
    try (var files = Files.walk(directory.resolve("checkpoints"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private String refusal() {
    var failure = catchThrowable(() -> get(running.node().available(QUEUE, ALICE)));
    assertThat(failure).hasRootCauseInstanceOf(SchedulerUnavailableException.class);
    return failure.getCause().getCause().getMessage();
  }

  @Test
  void aQueueWhoseRecordsAreAllThereStartsFromThem() throws IOException {
    checkpointEvents = 1_000_000;
    start();
    fund(20);
    stop();
    deleteCheckpoints();

    start();

    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(20));
    fund(1);
    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(21));
  }

  @Test
  void aQueueWithoutItsCheckpointAndWithoutAnyRecordIsNotTakenForAnEmptyOne() throws IOException {
    fundAndCutTheJournal();
    stop();
    deleteCheckpoints();

    start();

    assertThat(refusal()).contains("checkpoint", "restore");
  }

  @Test
  void aQueueWithoutItsCheckpointRefusesRecordsThatBeginLater() throws IOException {
    fundAndCutTheJournal();
    fund(5);
    stop();
    deleteCheckpoints();

    start();

    assertThat(refusal()).contains("checkpoint", "restore");
    var fund = new Command("late", OPERATOR, new Operation.Fund(ALICE, new Amount(1)));
    assertThat(catchThrowable(() -> get(running.node().submit(QUEUE, fund))))
        .hasStackTraceContaining("restore");
    assertThat(running.node().troubles())
        .singleElement()
        .satisfies(
            trouble ->
                assertThat(trouble).startsWith("Schedule queues that cannot be started: 1."));
    assertThat(running.node().metrics())
        .containsEntry("sequitur_schedule_queues_refused", 1.0)
        .containsEntry("sequitur_schedule_queues", 0.0);
  }

  @Test
  void aDamagedCheckpointIsRefusedAndAnotherQueueGoesOn() throws IOException {
    fundAndCutTheJournal();
    fund(1_000);
    await().atMost(PATIENCE).until(() -> storedRecords() == 0);
    // LevelDB keeps what is new in its log; the next start writes it to a table.
    start();
    stop();
    damage();

    start();

    assertThat(refusal()).contains("can't be read");
    var other = new QueueName("other");
    var fund = new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(3)));
    assertThat(get(running.node().submit(other, fund)).refusal()).isEmpty();
  }

  private void damage() throws IOException {
    try (var files = Files.list(directory.resolve("checkpoints"))) {
      for (var file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
        var bytes = Files.readAllBytes(file);
        // Not the first block, by which LevelDB would notice it when it is opened.
        for (int i = bytes.length / 3; i < bytes.length * 2 / 3; i += 8) {
          bytes[i] ^= 0x55;
        }
        Files.write(file, bytes);
      }
    }
  }

  @Test
  void aCheckpointOfAnotherVersionIsRefusedAndNotMisread() {
    fundAndCutTheJournal();
    var checkpoints = LevelDbExtension.get(running.system()).checkpoints();
    var first = Key.in(KeySpace.CELL).text("schedule-queue|default");
    var content = checkpoints.get(first).orElseThrow();
    content[0] = 1;
    get(checkpoints.write(batch -> batch.put(first, content)));

    start();

    assertThat(refusal()).contains("has version 1 of the layouts", "this Sequitur reads version");
  }

  @Test
  void aDirectoryThatIsDeletedWhileTheNodeRunsIsNoticedAndNoRecordLeavesTheJournal()
      throws IOException {
    fundAndCutTheJournal();
    assertThat(running.node().troubles()).isEmpty();
    Files.move(directory.resolve("checkpoints"), directory.resolve("away"));

    fund(CHECKPOINT_EVENTS);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(running.node().troubles())
                    .singleElement()
                    .satisfies(
                        trouble ->
                            assertThat(trouble).contains("checkpoints cannot be written: 1,")));
    assertThat(running.node().metrics())
        .hasEntrySatisfying(
            "sequitur_schedule_checkpoint_failures_total",
            failures -> assertThat(failures).isPositive())
        .hasEntrySatisfying(
            "sequitur_schedule_checkpoint_age_seconds", age -> assertThat(age).isPositive());
    assertThat(storedRecords()).isEqualTo(1);
    Files.move(directory.resolve("away"), directory.resolve("checkpoints"));
    await().atMost(PATIENCE).until(() -> running.node().troubles().isEmpty());
    assertThat(running.node().metrics())
        .containsEntry("sequitur_schedule_checkpoint_age_seconds", 0.0);
    start();
    assertThat(get(running.node().available(QUEUE, ALICE)))
        .isEqualTo(new Amount(2 * CHECKPOINT_EVENTS));
  }
}

package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.ALICE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.QUEUE;
import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import akka.pattern.AskTimeoutException;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Somebody deletes or damages the directory of checkpoints, before a node runs or while it does.
 */
@Execution(ExecutionMode.CONCURRENT)
class LostCheckpointsTest {
  /** Twice as many are too few to be handed over to the store of outcomes. */
  private static final int CHECKPOINT_EVENTS = 20;

  private final Path directory;
  @AutoClose private final RestartableScheduler scheduler;
  private int commands;

  LostCheckpointsTest(@TempDir Path directory) {
    this.directory = directory;
    scheduler = new RestartableScheduler(directory);
    scheduler.use(SchedulerSettings.DEFAULT.withCheckpointEvents(CHECKPOINT_EVENTS));
  }

  /** With one record of the journal. */
  private void fund(int times) {
    var funds = new ArrayList<Command>();
    for (int i = 0; i < times; i++) {
      var fund = new Operation.Fund(ALICE, new Amount(1));
      funds.add(new Command("fund " + ++commands, OPERATOR, fund));
    }
    for (var answer : get(scheduler.node().submit(QUEUE, funds))) {
      assertThat(answer.refusal()).isEmpty();
    }
  }

  /** A checkpoint has taken all records off the journal. */
  private void fundAndCutTheJournal() {
    scheduler.start();
    fund(CHECKPOINT_EVENTS);
    await().atMost(PATIENCE).until(() -> scheduler.storedRecords() == 0);
  }

  /** None of it has a number, so that the checkpoint is the last that is written. */
  private void pauseAndResume(int times) {
    var commands = new ArrayList<Command>();
    for (int i = 0; i < times; i++) {
      commands.add(command("pause", i, new Operation.Pause(FamilyKind.GAS_PRIORITY)));
      commands.add(command("resume", i, new Operation.Resume(FamilyKind.GAS_PRIORITY)));
    }
    for (var answer : get(scheduler.node().submit(QUEUE, commands))) {
      assertThat(answer.refusal()).isEmpty();
    }
  }

  private static Command command(String name, int number, Operation operation) {
    return new Command(name + " " + number, OPERATOR, operation);
  }

  private void deleteCheckpoints() throws IOException {
    try (var files = Files.walk(directory.resolve("checkpoints"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private String refusal() {
    // A machine that is busy may take longer to say so than an answer may take.
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var failure = catchThrowable(() -> get(scheduler.node().available(QUEUE, ALICE)));
              assertThat(failure)
                  .rootCause()
                  .isInstanceOfAny(SchedulerUnavailableException.class, AskTimeoutException.class);
              return Throwables.getRootCause(failure);
            },
            SchedulerUnavailableException.class::isInstance)
        .getMessage();
  }

  @Test
  void aQueueWhoseRecordsAreAllThereStartsFromThem() throws IOException {
    scheduler.use(SchedulerSettings.DEFAULT.withCheckpointEvents(1_000_000));
    scheduler.start();
    fund(20);
    scheduler.close();
    deleteCheckpoints();

    scheduler.start();

    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(20));
    fund(1);
    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(21));
  }

  @Test
  void aQueueWithoutItsCheckpointAndWithoutAnyRecordIsNotTakenForAnEmptyOne() throws IOException {
    fundAndCutTheJournal();
    scheduler.close();
    deleteCheckpoints();

    scheduler.start();

    assertThat(refusal()).contains("checkpoint", "restore");
  }

  @Test
  void aQueueWithoutItsCheckpointRefusesRecordsThatBeginLater() throws IOException {
    fundAndCutTheJournal();
    fund(5);
    scheduler.close();
    deleteCheckpoints();

    scheduler.start();

    assertThat(refusal()).contains("checkpoint", "restore");
    var fund = new Command("late", OPERATOR, new Operation.Fund(ALICE, new Amount(1)));
    assertThat(catchThrowable(() -> get(scheduler.node().submit(QUEUE, fund))))
        .hasStackTraceContaining("restore");
    assertThat(scheduler.node().troubles())
        .singleElement()
        .satisfies(
            trouble ->
                assertThat(trouble).startsWith("Schedule queues that cannot be started: 1."));
    assertThat(scheduler.metrics())
        .containsEntry("sequitur_schedule_queues_refused", 1.0)
        .containsEntry("sequitur_schedule_queues", 0.0);
  }

  @Test
  void aDamagedCheckpointIsRefusedAndAnotherQueueGoesOn() throws IOException {
    fundAndCutTheJournal();
    pauseAndResume(500);
    await().atMost(PATIENCE).until(() -> scheduler.storedRecords() == 0);
    // LevelDB keeps what is new in its log; the next start writes it to a table.
    scheduler.start();
    scheduler.close();
    damage();

    scheduler.start();

    assertThat(refusal()).contains("can't be read");
    var other = new QueueName("other");
    var fund = new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(3)));
    assertThat(get(scheduler.node().submit(other, fund)).refusal()).isEmpty();
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
    var checkpoints = LevelDbExtension.get(scheduler.system()).checkpoints();
    var first = Key.in(KeySpace.CELL).text("schedule-queue|default");
    var content = checkpoints.get(first).orElseThrow();
    content[0] = 1;
    get(checkpoints.write(batch -> batch.put(first, content)));

    scheduler.start();

    assertThat(refusal()).contains("has version 1 of the layouts", "this Sequitur reads version");
  }

  @Test
  void aDirectoryThatIsDeletedWhileTheNodeRunsIsNoticedAndNoRecordLeavesTheJournal()
      throws IOException {
    fundAndCutTheJournal();
    assertThat(scheduler.node().troubles()).isEmpty();
    Files.move(directory.resolve("checkpoints"), directory.resolve("away"));

    fund(CHECKPOINT_EVENTS);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scheduler.node().troubles())
                    .singleElement()
                    .satisfies(
                        trouble ->
                            assertThat(trouble).contains("checkpoints cannot be written: 1,")));
    assertThat(scheduler.metrics())
        .hasEntrySatisfying(
            "sequitur_schedule_write_failures_total{what=\"checkpoint\"}",
            failures -> assertThat(failures).isPositive())
        .hasEntrySatisfying(
            "sequitur_schedule_write_age_seconds{what=\"checkpoint\"}",
            age -> assertThat(age).isPositive());
    assertThat(scheduler.storedRecords()).isEqualTo(1);
    Files.move(directory.resolve("away"), directory.resolve("checkpoints"));
    await().atMost(PATIENCE).until(() -> scheduler.node().troubles().isEmpty());
    assertThat(scheduler.metrics())
        .containsEntry("sequitur_schedule_write_age_seconds{what=\"checkpoint\"}", 0.0);
    scheduler.start();
    assertThat(get(scheduler.node().available(QUEUE, ALICE)))
        .isEqualTo(new Amount(2 * CHECKPOINT_EVENTS));
  }
}

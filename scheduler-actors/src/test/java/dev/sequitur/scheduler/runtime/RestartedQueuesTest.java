package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.ALICE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.QUEUE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.privateCall;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.propose;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.actor.QueueActor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a queue that starts again, or leaves memory, goes on with (SCH-1). */
@Execution(ExecutionMode.CONCURRENT)
class RestartedQueuesTest {
  private static final AccountId BOB = new AccountId("bob");

  @AutoClose private final RestartableScheduler scheduler;

  RestartedQueuesTest(@TempDir Path directory) {
    scheduler = new RestartableScheduler(directory);
  }

  @Test
  void whatWaitsRunsByItselfAfterARestart() {
    scheduler.startFunded();
    var id =
        scheduler.scheduled(Instant.now().plusSeconds(5), new Target.Transfer(BOB, new Amount(9)));
    scheduler.start();

    scheduler.awaitOutcome(id, Outcome.RUN);

    assertThat(get(scheduler.node().available(QUEUE, BOB))).isEqualTo(new Amount(9));
  }

  @Test
  void aPrivateCallGoesOutUnderOneKeyHoweverOftenTheNodeStarts() {
    scheduler.startFunded();
    var id = scheduler.scheduledSoon(privateCall());
    await().atMost(PATIENCE).until(() -> scheduler.calls.accepted.size() == 1);
    scheduler.start();
    await().atMost(PATIENCE).until(() -> scheduler.calls.submissions.get() >= 2);
    scheduler.start();
    await().atMost(PATIENCE).until(() -> scheduler.calls.submissions.get() >= 3);
    assertThat(scheduler.calls.accepted).hasSize(1);
    assertThat(scheduler.calls.accepted.keySet())
        .allMatch(key -> key.startsWith("sequitur-schedule/"));
    var accepted = List.copyOf(scheduler.calls.accepted.values());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(scheduler.node().explain(QUEUE, id)).transaction())
                    .contains(accepted.get(0)));

    accepted.forEach(tx -> scheduler.calls.ended.put(tx, new Ended(true, "")));

    scheduler.awaitOutcome(id, Outcome.RUN);
    scheduler.start();
    assertThat(get(scheduler.node().explain(QUEUE, id)).history())
        .extracting(History.Recorded::transaction)
        .containsExactly(Optional.of(accepted.get(0)));
    assertThat(scheduler.calls.accepted).hasSize(1);
    assertThat(get(scheduler.node().audit(QUEUE)).isConserved()).isTrue();
  }

  @Test
  void aCallThatTheSequencerFailsToTakeIsOfferedAgainUnderTheSameKey() {
    scheduler.calls.failing = Optional.of(new IllegalStateException("no disk"));
    scheduler.startFunded();
    var id = scheduler.scheduledSoon(privateCall());
    await().atMost(PATIENCE).until(() -> scheduler.calls.submissions.get() >= 3);
    scheduler.calls.failing = Optional.empty();
    await().atMost(PATIENCE).until(() -> scheduler.calls.accepted.size() == 1);

    scheduler
        .calls
        .accepted
        .values()
        .forEach(tx -> scheduler.calls.ended.put(tx, new Ended(false, "It reverted.")));

    scheduler.awaitOutcome(id, Outcome.FAILED);
    assertThat(scheduler.calls.accepted).hasSize(1);
  }

  @Test
  void afterACheckpointTheJournalIsShortAndTheQueueTheSame() {
    scheduler.use(SchedulerSettings.DEFAULT.withCheckpointEvents(200));
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    for (int i = 0; i < 300; i++) {
      get(scheduler.node().submit(QUEUE, propose("c" + i, at.plusMillis(10L * i), privateCall())));
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(scheduler.storedRecords()).isLessThan(200));
    var before = get(scheduler.node().overview(QUEUE));
    scheduler.start();

    assertThat(get(scheduler.node().overview(QUEUE))).isEqualTo(before);
    assertThat(before.schedules()).isEqualTo(300);
    assertThat(get(scheduler.node().audit(QUEUE)).isConserved()).isTrue();
    scheduler.fund("fund", 1_000_000);
    assertThat(get(scheduler.node().available(QUEUE, ALICE)))
        .isEqualTo(new Amount(1_000_000 - 300 * 500));
  }

  /** Decided like any other command, and nothing of it is written or kept. */
  @Test
  void aDryRunWritesNothing() {
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    get(scheduler.node().submit(QUEUE, propose("c", at, privateCall())));
    int records = scheduler.storedRecords();
    var events = scheduler.metrics().get("sequitur_schedule_events_total");
    var before = get(scheduler.node().overview(QUEUE));

    for (int i = 0; i < 100; i++) {
      var trial =
          get(
              scheduler
                  .node()
                  .tryOut(QUEUE, propose("try " + i, at.plusMillis(10L + 10L * i), privateCall())));
      assertThat(trial.answer().refusal()).isEmpty();
    }

    assertThat(scheduler.storedRecords()).isEqualTo(records);
    assertThat(scheduler.metrics().get("sequitur_schedule_events_total")).isEqualTo(events);
    assertThat(get(scheduler.node().overview(QUEUE))).isEqualTo(before);
  }

  @Test
  void whatEachStartRepeatsCountsTowardsTheNextCheckpoint() {
    scheduler.use(SchedulerSettings.DEFAULT.withCheckpointEvents(30));
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    for (int i = 0; i < 30; i++) {
      if (i > 0 && i % 10 == 0) {
        scheduler.start();
      }
      get(scheduler.node().submit(QUEUE, propose("c" + i, at.plusSeconds(i), privateCall())));
    }

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(scheduler.storedRecords()).isLessThan(30));
    assertThat(get(scheduler.node().overview(QUEUE)).schedules()).isEqualTo(30);
  }

  @Test
  void anEmptyQueueLeavesMemoryAndTheNextCommandFindsItAsItWas() {
    scheduler.use(SchedulerSettings.DEFAULT.withIdleAfter(Duration.ofSeconds(1)));
    scheduler.startFunded();
    await().atMost(PATIENCE).until(() -> queuesInMemory() == 0);

    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_000));
    // On a busy machine it may have left again.
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              get(scheduler.node().available(QUEUE, ALICE));
              return queuesInMemory() == 1;
            });
  }

  private long queuesInMemory() {
    CurrentShardRegionState state =
        get(
            AskPattern.ask(
                ClusterSharding.get(scheduler.system()).shardState(),
                replyTo -> new GetShardRegionState(QueueActor.KEY, replyTo),
                PATIENCE,
                scheduler.system().scheduler()));
    return state.getShards().stream().mapToLong(shard -> shard.getEntityIds().size()).sum();
  }
}

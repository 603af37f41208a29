package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.cluster.journal.Key;
import dev.sequitur.cluster.journal.KeyRange;
import dev.sequitur.cluster.journal.KeySpace;
import dev.sequitur.cluster.journal.LevelDb;
import dev.sequitur.cluster.journal.LevelDbExtension;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.ScheduledCalls.Ended;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPrioritySettings;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.family.Recurring;
import dev.sequitur.protocol.schedule.family.RecurringSettings;
import dev.sequitur.protocol.schedule.queue.History;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.actor.QueueActor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues of a node with a journal of its own, started, stopped and started again. */
class RunningSchedulerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId BOB = new AccountId("bob");

  @TempDir private Path directory;
  private final ScriptedCalls calls = new ScriptedCalls();
  private SchedulerSettings settings = SchedulerSettings.DEFAULT;
  private TestScheduler running;

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private void start() {
    stop();
    var families =
        QueueSetup.of(
            OPERATOR,
            new GasPriority(new GasPrioritySettings(10, 1_000, 1_000, 1_000, 1, 10_240)),
            new Recurring(RecurringSettings.DEFAULT));
    running = TestScheduler.start(directory, families, settings, calls);
  }

  private void startFunded() {
    start();
    fund("fund", 1_000_000);
  }

  private void fund(String command, long units) {
    var fund = new Operation.Fund(ALICE, new Amount(units));
    assertThat(get(running.node().submit(QUEUE, new Command(command, OPERATOR, fund))).refusal())
        .isEmpty();
  }

  private static Command propose(String command, Instant at, Target target) {
    var terms = new GasPriorityTerms(at.toEpochMilli(), 100, 5);
    return new Command(command, ALICE, new Operation.Propose(Proposal.of(ALICE, terms, target)));
  }

  private ScheduleId scheduled(Instant at, Target target) {
    var answer = get(running.node().submit(QUEUE, propose("propose", at, target)));
    assertThat(answer.refusal()).isEmpty();
    return answer.schedule().orElseThrow();
  }

  private void awaitOutcome(ScheduleId schedule, Outcome outcome) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(running.node().explain(QUEUE, schedule)).history())
                    .singleElement()
                    .satisfies(recorded -> assertThat(recorded.outcome()).isEqualTo(outcome)));
  }

  private static Target.PrivateCall privateCall() {
    return new Target.PrivateCall(
        new ContractAddress("0x00000000000000000000000000000000000000aa"),
        "token",
        "transfer",
        Identity.parse("alice@node1"),
        Bytes.utf8("{}"));
  }

  @Test
  void aScheduleRunsAtItsTimeAndItsListenersAndItsHistoryKnow() {
    startFunded();
    Queue<Notice> heard = new ConcurrentLinkedQueue<>();
    running.node().subscribe(QUEUE, (queue, notices) -> heard.addAll(notices));
    // The hub is told first, and tells nothing of what was before.
    get(running.node().overview(QUEUE));
    var id = scheduled(Instant.now().plusMillis(500), new Target.Transfer(BOB, new Amount(250)));

    awaitOutcome(id, Outcome.RUN);

    assertThat(get(running.node().available(QUEUE, BOB))).isEqualTo(new Amount(250));
    assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                heard.stream()
                    .anyMatch(
                        notice ->
                            notice instanceof Notice.Ended end
                                && end.recorded().key().schedule().equals(id)));
  }

  @Test
  void aCommandThatIsRepeatedIsAnsweredAsItWasAndNotDoneAgain() {
    startFunded();
    fund("gift", 500);
    fund("gift", 500);
    start();
    fund("gift", 500);

    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
  }

  @Test
  void anotherCommandUnderAnIdThatWasUsedIsAConflictAndNotDone() {
    startFunded();
    fund("gift", 500);
    assertThat(reused("gift")).isEqualTo(Refusal.Code.COMMAND_REUSED);
    start();

    assertThat(reused("gift")).isEqualTo(Refusal.Code.COMMAND_REUSED);

    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
    // One that was refused left nothing behind under its id.
    assertThat(reused("nothing")).isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
    fund("nothing", 1);
  }

  @Test
  void whatTheNodeWouldRefuseNowIsAnsweredAsItWasIfItWasDoneBefore() {
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var accepted = get(running.node().submit(QUEUE, propose("call", at, privateCall())));
    assertThat(accepted.refusal()).isEmpty();
    calls.refusal =
        java.util.Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));
    start();

    var commands =
        List.of(
            propose("another", at.plusSeconds(1), privateCall()),
            propose("call", at, privateCall()),
            propose("notice", at, new Target.Notify(Bytes.EMPTY)),
            propose("call", at.plusSeconds(1), privateCall()));
    var answers = get(running.node().submit(QUEUE, commands));

    assertThat(answers.get(0).refusal().orElseThrow().code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(answers.get(1)).isEqualTo(accepted);
    assertThat(answers.get(2).refusal()).isEmpty();
    assertThat(answers.get(3).refusal().orElseThrow().code())
        .isEqualTo(Refusal.Code.COMMAND_REUSED);
    assertThat(get(running.node().overview(QUEUE)).schedules()).isEqualTo(2);
  }

  @Test
  void aRepetitionThatComesWhileTheFirstIsBeingStoredIsAnsweredLikeIt() {
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var command = propose("call", at, privateCall());
    var first = running.node().submit(QUEUE, command);
    calls.refusal =
        java.util.Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));

    var second = get(running.node().submit(QUEUE, command));

    assertThat(second).isEqualTo(get(first));
    assertThat(second.refusal()).isEmpty();
  }

  @Test
  void aQueueWithTooMuchToDoStillAnswersWhatItHasDone() {
    settings = with(10, SchedulerSettings.DEFAULT.checkpointEvents());
    startFunded();
    fund("gift", 500);
    var commands = new ArrayList<Command>();
    commands.add(new Command("gift", OPERATOR, new Operation.Fund(ALICE, new Amount(500))));
    for (int i = 0; i < 10; i++) {
      commands.add(new Command("c" + i, OPERATOR, new Operation.Fund(ALICE, new Amount(1))));
    }

    var answers = get(running.node().submit(QUEUE, commands));

    assertThat(answers.get(0).refusal()).isEmpty();
    assertThat(answers.subList(1, 11))
        .allSatisfy(
            answer ->
                assertThat(answer.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.BUSY));
    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
  }

  /** Withdraws more than there is. */
  private Refusal.Code reused(String command) {
    var withdraw = new Operation.Withdraw(ALICE, new Amount(5_000_000));
    return get(running.node().submit(QUEUE, new Command(command, OPERATOR, withdraw)))
        .refusal()
        .orElseThrow()
        .code();
  }

  @Test
  void manyCommandsAtOnceAreAnsweredEachForItself() {
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 500; i++) {
      commands.add(propose("c" + i, at.plusMillis(10L * i), new Target.Notify(Bytes.EMPTY)));
    }
    commands.add(propose("too late", Instant.EPOCH, new Target.Notify(Bytes.EMPTY)));

    var answers = get(running.node().submit(QUEUE, commands));

    assertThat(answers).hasSize(501);
    assertThat(answers.subList(0, 500)).allMatch(answer -> answer.schedule().isPresent());
    assertThat(answers.get(500).refusal().orElseThrow().code())
        .isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
    var first = get(running.node().schedules(QUEUE, ScheduleQuery.first(300)));
    var rest =
        get(
            running
                .node()
                .schedules(
                    QUEUE,
                    new ScheduleQuery(
                        java.util.Optional.of(FamilyKind.GAS_PRIORITY),
                        java.util.Optional.of(ALICE),
                        first.next(),
                        300)));
    assertThat(first.schedules()).hasSize(300);
    assertThat(rest.schedules()).hasSize(200);
    assertThat(rest.next()).isEmpty();
    var forecast = get(running.node().forecast(QUEUE, FamilyKind.GAS_PRIORITY, at)).orElseThrow();
    assertThat(forecast.taken()).isEqualTo(1);
  }

  /** Akka's timers do not reach that far. */
  @Test
  void aQueueWhoseFirstScheduleIsYearsAwayIsServedMeanwhile() {
    startFunded();
    var id = scheduled(Instant.now().plus(Duration.ofDays(1_000)), new Target.Notify(Bytes.EMPTY));

    for (int i = 0; i < 3; i++) {
      var at = Instant.now().plus(Duration.ofDays(2_000 + i));
      var command = propose("further" + i, at, new Target.Notify(Bytes.EMPTY));
      assertThat(get(running.node().submit(QUEUE, command)).refusal()).isEmpty();
    }

    var cancel = new Command("cancel", ALICE, new Operation.Cancel(id));
    assertThat(get(running.node().submit(QUEUE, List.of(cancel))).get(0).refusal()).isEmpty();
  }

  @Test
  void whatIsMoreThanAQueueTakesIsRefusedAsBusy() {
    settings = with(10, SchedulerSettings.DEFAULT.checkpointEvents());
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var commands = new ArrayList<Command>();
    for (int i = 0; i < 11; i++) {
      commands.add(propose("c" + i, at.plusMillis(10L * i), new Target.Notify(Bytes.EMPTY)));
    }

    var answers = get(running.node().submit(QUEUE, commands));

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.BUSY));
    assertThat(get(running.node().overview(QUEUE)).schedules()).isZero();
  }

  @Test
  void whatWaitsRunsByItselfAfterARestart() {
    startFunded();
    var id = scheduled(Instant.now().plusSeconds(2), new Target.Transfer(BOB, new Amount(9)));
    start();

    awaitOutcome(id, Outcome.RUN);

    assertThat(get(running.node().available(QUEUE, BOB))).isEqualTo(new Amount(9));
  }

  @Test
  void aPrivateCallGoesOutUnderOneKeyHoweverOftenTheNodeStarts() {
    startFunded();
    var id = scheduled(Instant.now().plusMillis(300), privateCall());
    await().atMost(PATIENCE).until(() -> calls.accepted.size() == 1);
    start();
    await().atMost(PATIENCE).until(() -> calls.submissions.get() >= 2);
    start();
    await().atMost(PATIENCE).until(() -> calls.submissions.get() >= 3);
    assertThat(calls.accepted).hasSize(1);
    assertThat(calls.accepted.keySet()).allMatch(key -> key.startsWith("sequitur-schedule/"));
    var accepted = List.copyOf(calls.accepted.values());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(running.node().explain(QUEUE, id)).privateTransaction())
                    .contains(accepted.get(0)));

    accepted.forEach(tx -> calls.ended.put(tx, new Ended(true, "")));

    awaitOutcome(id, Outcome.RUN);
    start();
    assertThat(get(running.node().explain(QUEUE, id)).history())
        .extracting(History.Recorded::privateTransaction)
        .containsExactly(java.util.Optional.of(accepted.get(0)));
    assertThat(calls.accepted).hasSize(1);
    assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
  }

  @Test
  void aCallThatTheSequencerFailsToTakeIsOfferedAgainUnderTheSameKey() {
    calls.failing = java.util.Optional.of(new IllegalStateException("no disk"));
    startFunded();
    var id = scheduled(Instant.now().plusMillis(300), privateCall());
    await().atMost(PATIENCE).until(() -> calls.submissions.get() >= 3);
    calls.failing = java.util.Optional.empty();
    await().atMost(PATIENCE).until(() -> calls.accepted.size() == 1);

    calls.accepted.values().forEach(tx -> calls.ended.put(tx, new Ended(false, "It reverted.")));

    awaitOutcome(id, Outcome.FAILED);
    assertThat(calls.accepted).hasSize(1);
  }

  @Test
  void afterACheckpointTheJournalIsShortAndTheQueueTheSame() {
    settings = with(10_000, 200);
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    for (int i = 0; i < 300; i++) {
      get(running.node().submit(QUEUE, propose("c" + i, at.plusMillis(10L * i), privateCall())));
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(storedRecords()).isLessThan(200));
    var before = get(running.node().overview(QUEUE));
    start();

    assertThat(get(running.node().overview(QUEUE))).isEqualTo(before);
    assertThat(before.schedules()).isEqualTo(300);
    assertThat(get(running.node().audit(QUEUE)).isConserved()).isTrue();
    fund("fund", 1_000_000);
    assertThat(get(running.node().available(QUEUE, ALICE)))
        .isEqualTo(new Amount(1_000_000 - 300 * 500));
  }

  @Test
  void whatEachStartRepeatsCountsTowardsTheNextCheckpoint() {
    settings = with(10_000, 30);
    startFunded();
    var at = Instant.now().plusSeconds(3_600);
    for (int i = 0; i < 30; i++) {
      if (i > 0 && i % 10 == 0) {
        start();
      }
      get(running.node().submit(QUEUE, propose("c" + i, at.plusSeconds(i), privateCall())));
    }

    await().atMost(PATIENCE).untilAsserted(() -> assertThat(storedRecords()).isLessThan(30));
    assertThat(get(running.node().overview(QUEUE)).schedules()).isEqualTo(30);
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

  @Test
  void anEmptyQueueLeavesMemoryAndTheNextCommandFindsItAsItWas() {
    settings = with(10_000, 200);
    startFunded();
    await().atMost(PATIENCE).until(() -> queuesInMemory() == 0);

    assertThat(get(running.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_000));
    assertThat(queuesInMemory()).isEqualTo(1);
  }

  private long queuesInMemory() {
    CurrentShardRegionState state =
        get(
            AskPattern.ask(
                ClusterSharding.get(running.system()).shardState(),
                replyTo -> new GetShardRegionState(QueueActor.KEY, replyTo),
                PATIENCE,
                running.system().scheduler()));
    return state.getShards().stream().mapToLong(shard -> shard.getEntityIds().size()).sum();
  }

  private static SchedulerSettings with(int waitingCommands, int checkpointEvents) {
    var d = SchedulerSettings.DEFAULT;
    return new SchedulerSettings(
        d.blockInterval(),
        waitingCommands,
        d.batch(),
        d.executing(),
        d.refusals(),
        d.backoff(),
        d.rememberedCommands(),
        checkpointEvents,
        Duration.ofSeconds(1));
  }

  @Test
  void anOperatorSeesWhatWaitsHowLateItIsAndWhatHasEnded() {
    startFunded();
    scheduled(Instant.now().plusSeconds(3_600), new Target.Notify(Bytes.utf8("much later")));
    var terms = new GasPriorityTerms(Instant.now().plusMillis(200).toEpochMilli(), 100, 5);
    var soon = Proposal.of(ALICE, terms, new Target.Transfer(BOB, new Amount(1)));
    var command = new Command("soon", ALICE, new Operation.Propose(soon));
    var id = get(running.node().submit(QUEUE, command)).schedule().orElseThrow();
    awaitOutcome(id, Outcome.RUN);
    var unknown = new Operation.Cancel(new ScheduleId(id.family(), new Hash(0, 0, 0, 1)));
    get(running.node().submit(QUEUE, new Command("cancel", ALICE, unknown)));

    assertThat(running.node().metrics())
        .containsEntry("sequitur_schedule_queues", 1.0)
        .containsEntry("sequitur_schedule_executing", 0.0)
        .containsEntry("sequitur_schedule_overdue_seconds", 0.0)
        .containsEntry("sequitur_schedule_commands_taken_total", 3.0)
        .containsEntry("sequitur_schedule_commands_refused_total", 1.0)
        .containsEntry("sequitur_schedule_outcomes_run_total", 1.0)
        .containsEntry("sequitur_schedule_outcomes_failed_total", 0.0);
    // What has run leaves the queue with the next block.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(running.node().metrics()).containsEntry("sequitur_schedule_open", 1.0));
  }
}

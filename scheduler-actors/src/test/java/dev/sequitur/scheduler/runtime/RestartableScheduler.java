package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.ActorSystem;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;

/** A node's scheduler that is started, stopped and started again over one directory. */
final class RestartableScheduler implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final QueueName QUEUE = QueueName.DEFAULT;
  static final AccountId ALICE = new AccountId("alice");

  final ScriptedCalls calls = new ScriptedCalls();
  private final Path directory;
  private SchedulerSettings settings = SchedulerSettings.DEFAULT;
  private TestScheduler running;

  /** How far ahead lies what is soon: further, once this machine was too slow for it. */
  private Duration soon = Duration.ofMillis(300);

  private int proposals;

  /** Not started yet. */
  RestartableScheduler(Path directory) {
    this.directory = directory;
  }

  /** From the next start on. */
  void use(SchedulerSettings value) {
    settings = value;
  }

  SchedulerNode node() {
    return running.node();
  }

  Map<String, Double> metrics() {
    return running.metrics();
  }

  ActorSystem<Void> system() {
    return running.system();
  }

  /** How many the default queue has in its journal. */
  int storedRecords() {
    var keys = new ArrayList<Key>();
    LevelDbExtension.get(system())
        .levelDb()
        .scan(
            KeyRange.startingWith(Key.in(KeySpace.EVENT).text("schedule-queue|" + QUEUE)),
            OrderedMap.Order.ASCENDING,
            (key, value) -> keys.add(key));
    return keys.size();
  }

  /** Anew, if it runs. */
  void start() {
    close();
    var families =
        QueueSetup.of(
            OPERATOR,
            new GasPriority(new GasPrioritySettings(10, 1_000, 1_000, 1_000, 1, 10_240)),
            new Recurring(RecurringSettings.DEFAULT));
    running = TestScheduler.start(directory, families, settings, calls);
  }

  void startFunded() {
    start();
    fund("fund", 1_000_000);
  }

  void fund(String command, long units) {
    var fund = new Operation.Fund(ALICE, new Amount(units));
    assertThat(get(node().submit(QUEUE, new Command(command, OPERATOR, fund))).refusal()).isEmpty();
  }

  static Command propose(String command, Instant at, Target target) {
    var terms = new GasPriorityTerms(at.toEpochMilli(), 100, 5);
    return new Command(command, ALICE, new Operation.Propose(Proposal.of(ALICE, terms, target)));
  }

  ScheduleId scheduled(Instant at, Target target) {
    var answer = proposed(at, target);
    assertThat(answer.refusal()).isEmpty();
    return answer.schedule().orElseThrow();
  }

  /** So soon that it can just be decided before its time, which is refused when it has passed. */
  ScheduleId scheduledSoon(Target target) {
    return scheduledSoon(Duration.ZERO, target);
  }

  /** One after the other, if each lies further after what is soon. */
  ScheduleId scheduledSoon(Duration after, Target target) {
    while (true) {
      var answer = proposed(Instant.now().plus(soon).plus(after), target);
      if (answer.refusal().isEmpty()) {
        return answer.schedule().orElseThrow();
      }
      assertThat(answer.refusal())
          .get()
          .extracting(Refusal::code)
          .isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
      soon = soon.multipliedBy(2);
    }
  }

  private Answer proposed(Instant at, Target target) {
    return get(node().submit(QUEUE, propose("propose " + ++proposals, at, target)));
  }

  void awaitOutcome(ScheduleId schedule, Outcome outcome) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(node().explain(QUEUE, schedule)).history())
                    .singleElement()
                    .satisfies(recorded -> assertThat(recorded.outcome()).isEqualTo(outcome)));
  }

  static Target.PrivateCall privateCall() {
    return new Target.PrivateCall(
        new ContractAddress("0x00000000000000000000000000000000000000aa"),
        "token",
        "transfer",
        Identity.parse("alice@node1"),
        Bytes.utf8("{}"));
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
    }
  }
}

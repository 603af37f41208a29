package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.OpenReserved;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.RecordRefusal;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.body.Signers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node of two JVMs, which are two actor systems here, over one database. */
@Execution(ExecutionMode.CONCURRENT)
class QueueOverSeveralJvmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final AccountId ALICE = new AccountId("alice");
  private static final int QUEUES = 6;

  /** So many that each of two JVMs has some. */
  private static final int SPREAD = 12;

  private final ScriptedCalls calls = new ScriptedCalls();
  private final List<TestScheduler> jvms = new ArrayList<>();

  @AfterEach
  void stop() {
    jvms.forEach(TestScheduler::close);
  }

  /**
   * @param schema of the database: what is stored there outlives a test
   */
  private void startTwo(String schema, InstantSource firstClock) {
    startTwo(
        schema,
        firstClock,
        new GasPriority(new GasPrioritySettings(10, 1_000, 1_000, 1_000, 1, 10_240)));
  }

  private void startTwo(String schema, InstantSource firstClock, Family family) {
    var server = TestPostgres.shared();
    var database = new PostgresSettings(server.url(), server.user(), server.password(), schema);
    int port = FreePorts.inARow(2);
    var families = QueueSetup.of(OPERATOR, family);
    for (int i = 0; i < 2; i++) {
      jvms.add(
          TestScheduler.startOfSeveral(
              new TestScheduler.Jvm(
                  port + i, port, database, i == 0 ? firstClock : InstantSource.system()),
              families,
              SchedulerSettings.DEFAULT,
              calls));
    }
  }

  private static QueueName queue(int number) {
    return new QueueName("queue" + number);
  }

  private static ScheduleId schedule(SchedulerNode node, QueueName queue, Target target) {
    return schedule(node, queue, target, Duration.ofSeconds(4));
  }

  private static ScheduleId schedule(
      SchedulerNode node, QueueName queue, Target target, Duration from) {
    // What has passed when it is decided is refused: then it is to lie further ahead.
    for (var ahead = from; ; ahead = ahead.multipliedBy(2)) {
      var answer = propose(node, queue, target, ahead);
      if (answer.refusal().isEmpty()) {
        return accepted(answer);
      }
      assertThat(answer.refusal().get().code()).isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
    }
  }

  private static Answer propose(
      SchedulerNode node, QueueName queue, Target target, Duration ahead) {
    var fund = new Operation.Fund(ALICE, new Amount(1_000));
    get(node.submit(queue, new Command("fund", OPERATOR, fund)));
    var terms = new GasPriorityTerms(Instant.now().plus(ahead).toEpochMilli(), 100, 1);
    var propose = new Operation.Propose(Proposal.of(ALICE, terms, target));
    return get(node.submit(queue, new Command("propose " + ahead, ALICE, propose)));
  }

  private static ScheduleId accepted(Answer answer) {
    assertThat(answer.refusal()).isEmpty();
    return answer.schedule().orElseThrow();
  }

  /** Each queue lives on one of its node's JVMs (SCH-3); sharding puts some of them on each. */
  @Test
  void queuesMoveToTheOtherJvmWithAllTheyHaveAndGoOnThere() {
    startTwo("queues", InstantSource.system());
    var journal = new AtomicInteger();
    jvms.forEach(jvm -> PostgresExtension.get(jvm.system()).observeJournal(counting(journal)));
    var call =
        new Target.PrivateCall(
            new ContractAddress("0x00000000000000000000000000000000000000aa"),
            "token",
            "mint",
            Identity.parse("alice@node1"),
            Bytes.utf8("{}"));
    List<ScheduleId> schedules = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      schedules.add(schedule(jvms.get(i % 2).node(), queue(i), call));
    }
    await().atMost(PATIENCE).until(() -> calls.accepted.size() == QUEUES);
    assertThat(journal).hasPositiveValue();
    for (var jvm : jvms) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(jvm.node().queues())
                      .containsAll(IntStream.range(0, QUEUES).mapToObj(i -> queue(i)).toList()));
    }

    jvms.remove(0).close();
    calls
        .accepted
        .values()
        .forEach(transaction -> calls.ended.put(transaction, new Ended(true, "")));

    var left = jvms.get(0).node();
    for (int i = 0; i < QUEUES; i++) {
      var queue = queue(i);
      var schedule = schedules.get(i);
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(get(left.explain(queue, schedule)).history())
                      .singleElement()
                      .satisfies(
                          recorded -> assertThat(recorded.outcome()).isEqualTo(Outcome.RUN)));
      assertThat(get(left.audit(queue)).isConserved()).isTrue();
      // A repeated command is known there too.
      get(
          left.submit(
              queue, new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(1_000)))));
      assertThat(get(left.available(queue, ALICE)).units()).isLessThanOrEqualTo(1_000);
    }
    assertThat(calls.accepted).hasSize(QUEUES);
  }

  private static StoreObserver counting(AtomicInteger writes) {
    return new StoreObserver() {
      @Override
      public void stored(int number, long bytes, long nanos) {
        writes.addAndGet(number);
      }

      @Override
      public void failed(int number) {}

      @Override
      public void unread() {}
    };
  }

  /** MSIG-23: whichever of them has the queue, and whichever the transaction was sent to. */
  @Test
  void aReceiptCanBeReadOnEachJvmOnceItsSubmissionIsAnswered() {
    startTwo(
        "receipts", InstantSource.system(), new MultiSignature(MultiSignatureSettings.CURRENT));
    var payer = new EntityId(2);
    var key = Signers.secp256k1(7).key();
    var open = new OpenReserved(payer, new Account(key, false, ""), new Amount(1_000));
    var refused = TransactionReceipt.of(ResponseCode.INVALID_SCHEDULE_ID);
    for (int i = 0; i < SPREAD; i++) {
      var sentTo = jvms.get(i % 2).node();
      var asked = jvms.get((i + 1) % 2).node();
      get(sentTo.submit(queue(i), new Command("open", OPERATOR, new Operation.Perform(open))));
      var start = ConsensusTime.of(Instant.now().minusSeconds(1));
      var id = AccountTransactionId.submitted(start, payer);
      var record = new Operation.Perform(new RecordRefusal(by(id, key), refused, "ScheduleSign"));

      var answer = get(sentTo.submit(queue(i), new Command("~" + i, payer.account(), record)));

      assertThat(answer.refusal()).isEmpty();
      assertThat(get(asked.ask(queue(i), new MultiSignatureQuery.GetRecords(id))).records())
          .extracting(TransactionRecord::receipt)
          .containsExactly(refused);
    }
  }

  private static Submission by(AccountTransactionId id, PublicKey key) {
    var over = Hash.sha256(new byte[0]);
    var signatures = new VerifiedSignatures(over, List.of(SignatureCheck.by(key)));
    return new Submission(id, new NodeAccount(0, 3), 120, 1_000, "", Bytes.EMPTY, over, signatures);
  }

  /** Each of the two runs some of the queues, by the clock of the one that is right. */
  @Test
  void aJvmWhoseClockHasRunAwayRunsNothingBeforeItsTime() {
    startTwo("clocks", () -> Instant.now().plus(Duration.ofDays(3)));
    var wrong = jvms.get(0).node();
    await().atMost(PATIENCE).until(() -> !wrong.troubles().isEmpty());
    assertThat(wrong.troubles()).singleElement().asString().contains("ahead", "NTP");
    assertThat(jvms.get(1).node().troubles()).isEmpty();

    var message = new Target.Notify(Bytes.utf8("now"));
    var tomorrow = new ArrayList<ScheduleId>();
    var soon = new ArrayList<ScheduleId>();
    for (int i = 0; i < SPREAD; i++) {
      // By the wrong clock this has passed long ago, and would be refused.
      tomorrow.add(accepted(propose(wrong, queue(i), message, Duration.ofDays(1))));
      // The queues of the wrong JVM are ten seconds ahead, and take nothing that has passed.
      soon.add(schedule(wrong, queue(i), message, Duration.ofSeconds(20)));
    }
    assertThat(jvms.getFirst().metrics().get("sequitur_schedule_queues"))
        .as("queues of the JVM whose clock is wrong")
        .isPositive();
    for (int i = 0; i < SPREAD; i++) {
      var queue = queue(i);
      var ran = soon.get(i);
      await().atMost(PATIENCE).until(() -> !get(wrong.explain(queue, ran)).history().isEmpty());
      assertThat(get(wrong.explain(queue, tomorrow.get(i))).history()).isEmpty();
      assertThat(get(wrong.overview(queue)).clock().toInstant())
          .isBefore(Instant.now().plus(Duration.ofHours(1)));
    }
  }
}

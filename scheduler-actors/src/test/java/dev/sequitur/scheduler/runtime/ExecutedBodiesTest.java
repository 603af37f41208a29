package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.DispatcherSelector;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Bodies;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.body.Signers;
import dev.sequitur.scheduler.body.Signers.Signer;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation.ScheduleCreate;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What was executed in {@code mvp} is known for ever, wherever the queue goes (MSIG-3). */
@Execution(ExecutionMode.CONCURRENT)
class ExecutedBodiesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final QueueName QUEUE = QueueName.DEFAULT;
  private static final NodeAccount HERE = NodeAccount.of(new NodeName("node1"), QUEUE.value());
  private static final Profile MVP = Profile.MVP;

  @TempDir private Path directory;
  private final Signer signer = Signers.secp256k1(7);
  private final TransactionWriter writer = new TransactionWriter(MVP, HERE);
  private TestScheduler running;
  private EntityId alice;
  private EntityId bob;
  private int commands;
  private SchedulerSettings settings = SchedulerSettings.DEFAULT;

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  /**
   * @param room executed bodies that memory takes; a twentieth of it is handed over at a time
   */
  private static QueueSetup queues(int room) {
    var plain = MultiSignatureSettings.MVP;
    var limits = plain.limits().withMaxUnarchived(room);
    return QueueSetup.of(OPERATOR, new MultiSignature(plain.withLimits(limits)));
  }

  private void start(int room) {
    stop();
    running = TestScheduler.start(directory, queues(room), settings, new ScriptedCalls());
  }

  private void startOnPostgres(PostgresSettings database) {
    stop();
    int port = FreePorts.inARow(1);
    running =
        TestScheduler.startOfSeveral(
            new TestScheduler.Jvm(port, port, database),
            queues(20),
            SchedulerSettings.DEFAULT,
            new ScriptedCalls());
  }

  private void openAccounts() {
    alice = open();
    bob = open();
  }

  private EntityId open() {
    var open = new MultiSignatureOperation.OpenAccount(new Account(signer.key(), false, ""));
    var id = receipt(administer(new Operation.Perform(open))).account().orElseThrow();
    administer(new Operation.Fund(id.account(), new Amount(100_000)));
    return id;
  }

  private dev.sequitur.schedule.queue.QueueEffect.Answer administer(Operation operation) {
    var answer = get(running.node().submit(QUEUE, new Command(next(), OPERATOR, operation)));
    assertThat(answer.refusal()).isEmpty();
    return answer;
  }

  private String next() {
    return "command " + ++commands;
  }

  private static TransactionReceipt receipt(dev.sequitur.schedule.queue.QueueEffect.Answer answer) {
    return ((MultiSignatureResult) answer.result().orElseThrow()).receipt();
  }

  private ScheduledTransaction body(int nonce) {
    var rows = List.of(new AccountAmount(alice, -1), new AccountAmount(bob, 1));
    return writer.scheduled(nonce, 1_000, "", new Action.CryptoTransfer(rows));
  }

  /** With the one signature that it needs, so that it runs at once. */
  private ResponseCode createAndRun(ScheduledTransaction body) {
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var create = new ScheduleCreate(creation, List.of(signer.sign(body.bytes())));
    var start = new ConsensusTime(ConsensusTime.of(Instant.now()).nanos() - ++commands);
    var header = new Header(AccountTransactionId.submitted(start, alice), 120, 1_000, "");
    var bytes = writer.body(header, create);
    try {
      var transaction =
          TransactionReader.of(MVP, HERE)
              .read(TransactionWriter.signed(bytes, List.of(signer.sign(bytes))));
      return receipt(get(running.node().submit(QUEUE, next(), transaction))).status();
    } catch (dev.sequitur.scheduler.body.RefusedTransactionException e) {
      throw new AssertionError(e);
    }
  }

  private Bodies bodies() {
    var state = get(running.node().family(QUEUE, FamilyKind.MULTI_SIGNATURE));
    return ((MultiSignatureState) state).bodies();
  }

  private void awaitArchived(long count) {
    await().atMost(PATIENCE).until(() -> bodies().archived() == count);
  }

  private void assertOnlyTheStoreKnows(ScheduledTransaction body) {
    assertThat(bodies().isExecuted(body.hash())).isFalse();
    long before = get(running.node().available(QUEUE, bob.account())).units();

    assertThat(createAndRun(body)).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);

    assertThat(get(running.node().available(QUEUE, bob.account())).units()).isEqualTo(before);
  }

  /** Two bodies of which the first has left memory. */
  private void executeTwo() {
    assertThat(createAndRun(body(1))).isEqualTo(ResponseCode.SUCCESS);
    await().atMost(PATIENCE).until(() -> bodies().stored() == 1);
    assertThat(createAndRun(body(2))).isEqualTo(ResponseCode.SUCCESS);
    awaitArchived(1);
  }

  @Test
  void theSameBodyAfterItWasArchivedIsRefusedAlsoAfterARestart() {
    start(20);
    openAccounts();
    executeTwo();
    assertOnlyTheStoreKnows(body(1));

    start(20);

    assertThat(bodies().archived()).isEqualTo(1);
    assertOnlyTheStoreKnows(body(1));
    assertThat(createAndRun(body(2))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(createAndRun(body(3))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void theStoreMovesWithTheQueueToAnotherJvm() {
    var server = TestPostgres.shared();
    var database =
        new PostgresSettings(server.url(), server.user(), server.password(), "executed_bodies");
    startOnPostgres(database);
    openAccounts();
    executeTwo();

    startOnPostgres(database);

    assertOnlyTheStoreKnows(body(1));
    assertThat(createAndRun(body(3))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void manyMoreThanMemoryTakesCanBeExecuted() {
    start(3);
    openAccounts();

    for (int nonce = 1; nonce <= 30; nonce++) {
      assertThat(createAndRun(body(nonce))).as("body %d", nonce).isEqualTo(ResponseCode.SUCCESS);
      awaitArchived(nonce - 1);
    }

    assertThat(bodies().uses()).hasSize(1);
    assertOnlyTheStoreKnows(body(1));
    assertOnlyTheStoreKnows(body(29));
  }

  @Test
  void aCrashBetweenTheStoreAndTheQueueForgetsNothing() {
    start(60);
    openAccounts();
    assertThat(createAndRun(body(1))).isEqualTo(ResponseCode.SUCCESS);
    // The store has it, and the queue died before it could say so.
    var stores =
        QueueStores.in(
            LevelDbExtension.get(running.system()).checkpoints(),
            running.system().dispatchers().lookup(DispatcherSelector.blocking()));
    get(stores.bodies().add(QUEUE.value(), 1, List.of(body(1).hash())));

    start(60);

    assertThat(bodies().isExecuted(body(1).hash())).isTrue();
    assertThat(createAndRun(body(1))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    for (int nonce = 2; nonce <= 6; nonce++) {
      assertThat(createAndRun(body(nonce))).isEqualTo(ResponseCode.SUCCESS);
      long stored = nonce / 3 * 3L;
      await().atMost(PATIENCE).until(() -> bodies().stored() == stored);
    }
    awaitArchived(3);
    assertOnlyTheStoreKnows(body(1));
    assertOnlyTheStoreKnows(body(3));
  }

  @Test
  void whatTheStoreHasLostItIsGivenAgainFromTheJournal() throws IOException {
    start(20);
    openAccounts();
    executeTwo();
    stop();
    delete(directory.resolve("checkpoints"));

    start(20);

    assertThat(bodies().archived()).isEqualTo(1);
    assertOnlyTheStoreKnows(body(1));
    assertThat(createAndRun(body(2))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(createAndRun(body(3))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void aQueueOfWhichTheStoreHasLostWhatNobodyKnowsAnyMoreIsNotStarted() {
    settings = SchedulerSettings.DEFAULT.withCheckpointEvents(1);
    start(20);
    openAccounts();
    executeTwo();
    var one = new Amount(1);
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              if (keys(journal(), KeySpace.EVENT, "schedule-queue|" + QUEUE).isEmpty()) {
                return true;
              }
              administer(new Operation.Fund(bob.account(), one));
              return false;
            });
    var checkpoints = LevelDbExtension.get(running.system()).checkpoints();
    for (var space : List.of(KeySpace.EXECUTED_BODY, KeySpace.EXECUTED_BODY_COUNT)) {
      var lost = keys(checkpoints, space, QUEUE.value());
      assertThat(lost).isNotEmpty();
      get(checkpoints.write(batch -> lost.forEach(batch::delete)));
    }

    start(20);

    assertThatThrownBy(this::bodies)
        .hasStackTraceContaining("It has executed and stored 2 bodies")
        .hasStackTraceContaining("restore");
  }

  private LevelDb journal() {
    return LevelDbExtension.get(running.system()).levelDb();
  }

  private static List<Key> keys(LevelDb levelDb, KeySpace space, String name) {
    var keys = new ArrayList<Key>();
    levelDb.scan(
        KeyRange.startingWith(Key.in(space).text(name)),
        OrderedMap.Order.ASCENDING,
        (key, value) -> keys.add(key));
    return keys;
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

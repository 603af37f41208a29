package dev.sequitur.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.cluster.JvmName;
import dev.sequitur.cluster.postgres.PostgresDatabase;
import dev.sequitur.cluster.postgres.PostgresSettings;
import dev.sequitur.cluster.serialization.ProtocolCbor;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresNodeStoreTest extends NodeStoreContractTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final JvmName JVM1 = new JvmName("akka://node1@jvm1:25520", 1);
  private static final JvmName JVM2 = new JvmName("akka://node1@jvm2:25520", -2);

  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final List<AutoCloseable> open = new ArrayList<>();
  private PostgresSettings settings;
  private PostgresNodeStore store;

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    settings =
        new PostgresSettings(server.url(), server.user(), "", "store_" + SCHEMAS.incrementAndGet());
    store = jvm(JVM1);
  }

  private PostgresNodeStore jvm(JvmName name) {
    return another(new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), name));
  }

  /** As another JVM of the node has it. */
  private PostgresNodeStore another(NodeIdentity identity) {
    var database = PostgresDatabase.open(settings, 4, PATIENCE);
    open.add(0, database);
    var opened = new PostgresNodeStore(database, new ProtocolCbor(), executor, identity);
    open.add(0, opened);
    return opened;
  }

  @AfterEach
  void close() throws Exception {
    for (var each : open) {
      each.close();
    }
    executor.shutdown();
  }

  @Override
  protected NodeStore store() {
    return store;
  }

  @Test
  void fromTwoJvmsAtOnceNumbersAreUniqueAndWithoutGapAndOneKeyIsOneIntent() {
    var other = jvm(JVM2);
    var body = hash();
    var intents = IntStream.range(0, 400).mapToObj(i -> intent("k" + i / 2, body)).toList();
    var answers = new ArrayList<CompletionStage<?>>();

    for (int i = 0; i < intents.size(); i++) {
      answers.add((i % 2 == 0 ? store : other).accept(List.of(intents.get(i))));
    }
    answers.forEach(NodeStoreContractTest::get);
    var accepted = get(other.intents(Optional.empty(), 1_000));
    for (int i = 0; i < accepted.size(); i++) {
      answers.add((i % 2 == 0 ? store : other).complete(List.of(confirmed(accepted.get(i)))));
    }
    answers.forEach(NodeStoreContractTest::get);

    assertThat(accepted)
        .extracting(Intent::order)
        .isEqualTo(LongStream.rangeClosed(1, 200).map(i -> 201 - i).boxed().toList());
    assertThat(get(store.receipts(0, 1_000)))
        .extracting(NumberedReceipt::sequence)
        .isEqualTo(LongStream.rangeClosed(1, 200).boxed().toList());
    assertThat(get(store.contractsWithPending())).isEmpty();
  }

  @Test
  void aRefusedAcknowledgementDoesNotHarmWhatIsWrittenWithIt() {
    var intent = intent(hash());

    var refused = store.acknowledge("nobody", 1);
    var stored = store.accept(List.of(intent));

    assertThatThrownBy(() -> get(refused)).hasRootCauseInstanceOf(IllegalArgumentException.class);
    get(stored);
    assertThat(get(store.intent(id(intent)))).contains(at(1, intent));
  }

  @Test
  void keysAndNamesOfAnyContentAreFound() {
    var strange = "k\u0000" + "x".repeat(10_000);
    var intent = intent(strange, hash());

    accepted(intent);

    assertThat(get(store.intentByIdempotencyKey(strange))).contains(id(intent));
  }

  @Test
  void anotherNodeIsRefusedItsSchema() {
    assertThatThrownBy(
            () -> another(new NodeIdentity(new NodeName("node2"), Bytes.utf8("its keys"), JVM2)))
        .hasMessage(
            "The schema belongs to node node1: give node node2 one of its own, by"
                + " postgresql.schema.");
  }

  @Test
  void aJvmWithOtherKeysIsRefused() {
    assertThatThrownBy(
            () -> another(new NodeIdentity(new NodeName("node1"), Bytes.utf8("others"), JVM2)))
        .hasMessageContaining("give each of its JVMs the same key seed");
  }

  @Test
  void afterTheDatabaseWasAwayItIsUsedAgain() {
    try (var server = TestPostgres.start()) {
      settings = new PostgresSettings(server.url(), server.user(), "", "away");
      var survivor = jvm(JVM1);
      var before = intent(hash());
      get(survivor.accept(List.of(before)));

      server.pause();
      assertThatThrownBy(() -> get(survivor.accept(List.of(intent(hash()))))).isNotNull();
      server.resume();

      // The first may still get a connection to the server that is gone; to repeat it is safe.
      var after = intent(hash());
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(get(survivor.accept(List.of(after)))).isNotNull());
      assertThat(get(survivor.intent(id(before)))).isPresent();
    }
  }

  @Test
  void aJvmThatAnotherTookOverFromStoresNothingMoreAndIsToldSo() {
    var leftOut = store;
    var other = jvm(JVM2);
    var before = intent(hash());
    var after = intent("after", hash());
    get(leftOut.accept(List.of(before)));

    assertThat(get(other.takeOver(JVM1.toString())))
        .containsExactly(before.transaction().contract());

    assertThatThrownBy(() -> get(leftOut.accept(List.of(after))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    assertThatThrownBy(() -> get(leftOut.complete(List.of(confirmed(before)))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    get(leftOut.leftOut());
    assertThat(get(other.intents(Optional.empty(), 10))).containsExactly(at(1, before));
    // As its caller does.
    get(other.accept(List.of(after)));
    assertThat(other.leftOut().toCompletableFuture()).isNotDone();
  }

  /** However the two meet: what one accepted is what the other finds, or nothing is accepted. */
  @Test
  void nothingThatAJvmAcceptsIsMissedByWhoTakesOverMeanwhile() {
    for (int round = 1; round <= 30; round++) {
      var lost = new JvmName("akka://node1@jvm3:25520", round);
      var leftOut = jvm(lost);
      var body = hash();
      var intents = IntStream.range(0, 40).mapToObj(i -> intent(body)).toList();
      var answers = intents.stream().map(one -> leftOut.accept(List.of(one))).toList();

      var tookOver =
          store
              .takeOver(lost.toString())
              .thenCompose(any -> store.intents(Optional.empty(), 2_000));

      var found = get(tookOver).stream().map(NodeStoreContractTest::id).toList();
      for (int i = 0; i < answers.size(); i++) {
        if (isAccepted(answers.get(i))) {
          assertThat(found).contains(id(intents.get(i)));
        }
      }
      assertThatThrownBy(() -> get(leftOut.accept(List.of(intent(body)))))
          .hasRootCauseInstanceOf(LeftOutException.class);
    }
  }

  private static boolean isAccepted(CompletionStage<?> answer) {
    try {
      get(answer);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Test
  void aProcessThatIsStartedAgainAtTheSamePlaceReplacesTheOneBefore() {
    var before = store;

    var again = jvm(new JvmName(JVM1.address(), 7));

    get(again.accept(List.of(intent(hash()))));
    assertThatThrownBy(() -> get(before.accept(List.of(intent(hash())))))
        .hasRootCauseInstanceOf(LeftOutException.class);
  }
}

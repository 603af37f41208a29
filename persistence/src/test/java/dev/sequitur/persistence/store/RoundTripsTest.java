package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.PostgresWire;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Open;
import dev.sequitur.protocol.port.NodeStore.Page;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import dev.sequitur.protocol.transaction.Receipt;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a JVM waits for its database: that is what one far away costs. */
class RoundTripsTest extends NodeStoreFixture {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final JvmName JVM = new JvmName("akka://node1@jvm1:25520", 1);

  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private PostgresWire wire;
  private PostgresDatabase database;

  /** Not counted. */
  private PostgresDatabase beside;

  private PostgresNodeStore store;

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    wire = new PostgresWire(server);
    var schema = "round_trips_" + SCHEMAS.incrementAndGet();
    var settings = new PostgresSettings(wire.url(), server.user(), server.password(), schema);
    database = PostgresDatabase.open(settings, 4, Duration.ofSeconds(60));
    beside =
        PostgresDatabase.open(
            new PostgresSettings(server.url(), server.user(), server.password(), schema),
            1,
            Duration.ofSeconds(60));
    store = jvm(JVM);
  }

  private PostgresNodeStore jvm(JvmName name) {
    var its =
        new PostgresNodeStore(
            database,
            new ProtocolFormat(),
            executor,
            new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), name));
    var all = new HashSet<>(Set.of(JVM.toString()));
    all.add(name.toString());
    assertThat(get(its.writers().enter(new ClusterView(name.equals(JVM), all, all)))).isTrue();
    return its;
  }

  @AfterEach
  void close() throws IOException {
    store.close();
    database.close();
    beside.close();
    wire.close();
    executor.shutdown();
  }

  @Override
  protected NodeStore store() {
    return store;
  }

  private long tripsOf(Supplier<CompletionStage<?>> work) {
    long before = wire.roundTrips();
    get(work.get());
    return wire.roundTrips() - before;
  }

  @Test
  void aBatchIsAcceptedAndEndedInOneRoundTripEachHoweverLargeItIs() {
    for (int size : new int[] {1, 100}) {
      var batch = IntStream.range(0, size).mapToObj(i -> intent("k" + size + i, hash())).toList();
      var receipts = batch.stream().map(this::confirmed).toList();

      assertThat(tripsOf(() -> store.accept(batch))).isEqualTo(1);
      assertThat(tripsOf(() -> store.accept(batch))).as("repeated").isEqualTo(1);
      assertThat(tripsOf(() -> store.complete(receipts))).isEqualTo(1);
      assertThat(tripsOf(() -> store.complete(receipts))).as("repeated").isEqualTo(2);
    }
  }

  /** It takes for new what is new nearly always, and is told if it is not. */
  @Test
  void whatAnotherJvmHasAcceptedIsEndedInTwoAndRepeatedInThree() {
    var batch = IntStream.range(0, 100).mapToObj(i -> intent("k" + i, hash())).toList();
    var receipts = batch.stream().map(this::confirmed).toList();
    var others = IntStream.range(0, 100).mapToObj(i -> intent("l" + i, hash())).toList();
    get(store.accept(batch));
    try (var other = jvm(new JvmName("akka://node1@jvm2:25520", 2))) {
      assertThat(tripsOf(() -> other.accept(others))).isEqualTo(1);
      assertThat(tripsOf(() -> other.complete(receipts))).isEqualTo(2);
      assertThat(tripsOf(() -> other.accept(batch))).isEqualTo(3);
    }
  }

  /** What comes while the JVM waits for its turn. */
  @Test
  void callsThatWaitTogetherShareTheirRoundTrips() throws SQLException {
    var all = IntStream.range(0, 120).mapToObj(i -> intent(hash())).toList();
    long before = wire.roundTrips();

    whileItWaits(() -> all.stream().map(each -> store.accept(List.of(each))).toList())
        .forEach(NodeStoreFixture::get);
    long accepted = wire.roundTrips();
    whileItWaits(() -> all.stream().map(each -> store.complete(List.of(confirmed(each)))).toList())
        .forEach(NodeStoreFixture::get);

    assertThat(accepted - before).as("two groups").isLessThanOrEqualTo(2);
    assertThat(wire.roundTrips() - accepted).as("two groups").isLessThanOrEqualTo(2);
  }

  private <T> T whileItWaits(Supplier<T> work) throws SQLException {
    return beside.transaction(
        connection -> {
          connection
              .createStatement()
              .execute("SELECT pg_advisory_xact_lock(writing_lock('" + JVM + "'))");
          return work.get();
        });
  }

  /** A start asks for them, and whoever takes over from another JVM. */
  @Test
  void whoHasSomethingPendingIsFoundByOneQuestionForMany() {
    get(store.accept(IntStream.range(0, 320).mapToObj(i -> intent(hash())).toList()));
    var busy = arbitrary.next(ContractAddress.class);
    get(store.accept(IntStream.range(0, 320).mapToObj(i -> intent(busy)).toList()));

    assertThat(get(store.contractsWithPending())).hasSize(321);
    assertThat(tripsOf(store::contractsWithPending)).isLessThanOrEqualTo(13);
  }

  @Test
  void aPageIsReadInAsManyRoundTripsAsItHasIndexesOverEachOther() {
    var batch = IntStream.range(0, 50).mapToObj(i -> intent("k" + i, hash())).toList();
    get(store.accept(batch));
    var others = new LinkedHashMap<IntentKey, Receipt>();
    for (int i = 0; i < 50; i++) {
      var receipt = confirmed(intent(hash()));
      others.put(
          new IntentKey(receipt.transaction(), arbitrary.next(SenderCommitment.class)), receipt);
    }
    get(store.confirm(others, Set.of()));

    assertThat(tripsOf(() -> store.intents(Optional.empty(), 100))).isEqualTo(1);
    assertThat(tripsOf(() -> store.open(new Open.All(), Page.oldest(0, 100)))).isEqualTo(2);
    assertThat(tripsOf(() -> store.receipts(0, 100))).as("and whose they are").isEqualTo(2);
    assertThat(tripsOf(() -> store.intent(id(batch.get(0))))).isEqualTo(2);
  }
}

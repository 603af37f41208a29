package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.postgres.DatabaseTables;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.postgres.Sql;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import dev.sequitur.protocol.port.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
  private PostgresDatabase database;
  private PostgresNodeStore store;

  @BeforeEach
  void open() {
    var server = TestPostgres.shared();
    settings =
        new PostgresSettings(
            server.url(), server.user(), server.password(), "store_" + SCHEMAS.incrementAndGet());
    database = PostgresDatabase.open(settings, 1, PATIENCE);
    open.add(database);
    store = jvm(JVM1);
  }

  /** A member of the cluster of those that write. */
  private PostgresNodeStore jvm(JvmName name) {
    var writers = new HashSet<>(writing());
    var starting = starting(name);
    writers.add(name.toString());
    assertThat(get(starting.writers().enter(new ClusterView(false, writers, writers)))).isTrue();
    return starting;
  }

  private PostgresNodeStore starting(JvmName name) {
    return another(new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), name));
  }

  private Set<String> writing() {
    return store == null ? Set.of() : names("jvms");
  }

  private Set<String> names(String column) {
    try {
      return database.transaction(
          connection ->
              Set.copyOf(
                  new Sql(connection)
                      .all(
                          "SELECT unnest(%s) FROM node".formatted(column),
                          row -> row.getString(1))));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** As another JVM of the node has it. */
  private PostgresNodeStore another(NodeIdentity identity) {
    var database = PostgresDatabase.open(settings, 4, PATIENCE);
    open.add(0, database);
    var opened = new PostgresNodeStore(database, new ProtocolFormat(), executor, identity);
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

  @Override
  protected ListenerStore listeners() {
    return store.listeners();
  }

  @Test
  void whoObservesHearsOfWritesAndOfThoseThatAreRefusedToOneThatWasLeftOut() {
    var stored = new AtomicLong();
    var failed = new AtomicLong();
    ((PostgresDatabase) open.get(1))
        .observe(
            new StoreObserver() {
              @Override
              public void stored(int writes, long bytes, long nanos) {
                stored.addAndGet(writes);
              }

              @Override
              public void failed(int writes) {
                failed.addAndGet(writes);
              }

              @Override
              public void unread() {}
            });

    get(store.accept(List.of(intent("k", hash()))));
    assertThat(stored).hasValue(1);
    assertThat(failed).hasValue(0);

    try {
      database.transaction(
          connection -> connection.createStatement().executeUpdate("UPDATE node SET jvms = '{}'"));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    assertThatThrownBy(() -> get(store.accept(List.of(intent("l", hash())))));
    assertThat(failed).hasValue(1);
    assertThat(stored).hasValue(1);
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

  /** Whoever reads on after the last number it has seen must not pass one that comes later. */
  @Test
  void whoReadsOnWhileJvmsWriteMissesNothing() {
    var writers = List.of(store, jvm(JVM2), jvm(new JvmName("akka://node1@jvm3:25520", 3)));
    var answers = new ArrayList<CompletionStage<?>>();
    var read = new ArrayList<Long>();
    var orders = new ArrayList<Long>();

    for (int i = 0; i < 600; i++) {
      var its = writers.get(i % 3);
      var one = intent(hash());
      answers.add(
          its.accept(List.of(one)).thenCompose(any -> its.complete(List.of(confirmed(one)))));
      if (i % 10 == 0) {
        readOn(read, orders);
      }
    }
    while (answers.stream().anyMatch(each -> !each.toCompletableFuture().isDone())) {
      readOn(read, orders);
    }
    answers.forEach(NodeStoreContractTest::get);
    readOn(read, orders);

    assertThat(read).isEqualTo(LongStream.rangeClosed(1, 600).boxed().toList());
    assertThat(orders).isEqualTo(read);
    assertThat(get(store.open(new NodeStore.Open.All(), NodeStore.Page.oldest(0, 10)))).isEmpty();
  }

  private void readOn(List<Long> receipts, List<Long> orders) {
    long after = receipts.isEmpty() ? 0 : receipts.getLast();
    get(store.receipts(after, 1_000)).forEach(each -> receipts.add(each.sequence()));
    long last = orders.isEmpty() ? 0 : orders.getLast();
    get(store.intents(Optional.empty(), 1_000)).reversed().stream()
        .map(Intent::order)
        .filter(order -> order > last)
        .forEach(orders::add);
  }

  @Test
  void aWriteWaitsForNoOtherJvmAndWhoLeavesOneOutWaitsForIt() throws Exception {
    var other = jvm(JVM2);
    var third = PostgresDatabase.open(settings, 1, PATIENCE);
    open.add(third);
    get(store.accept(List.of(intent(hash()))));

    var leaving =
        third.transaction(
            connection -> {
              assertThat(
                      new Sql(connection)
                          .one("SELECT may_write(?)", row -> row.getBoolean(1), JVM2.toString()))
                  .contains(true);
              get(store.accept(List.of(intent(hash()))));
              get(store.putStates(List.of()));
              var ending = store.writers().end(JVM2.toString());
              await()
                  .atMost(PATIENCE)
                  .until(() -> isWaitedFor("SELECT pg_advisory_xact_lock(writing_lock"));
              assertThat(ending.toCompletableFuture()).isNotDone();
              get(store.accept(List.of(intent(hash()))));
              return ending;
            });

    get(leaving);
    assertThatThrownBy(() -> get(other.accept(List.of(intent(hash())))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    assertThat(get(store.intents(Optional.empty(), 10))).hasSize(3);
  }

  private boolean isWaitedFor(String query) throws SQLException {
    return database
        .transaction(
            connection ->
                new Sql(connection)
                    .one(
                        "SELECT true FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND starts_with(query, ?)",
                        row -> row.getBoolean(1),
                        query))
        .isPresent();
  }

  /** Their clocks differ, and neither has read what the other has accepted. */
  @Test
  void noIntentIsDatedBeforeTheOneThatAnotherJvmHasAcceptedBefore() {
    var other = jvm(JVM2);
    var early = intent(hash());
    var late = dated(early.created().plusSeconds(60));
    get(other.accept(List.of(dated(early.created().minusSeconds(60)))));
    get(store.accept(List.of(late)));

    var accepted = get(other.accept(List.of(early, dated(late.created().plusSeconds(1)))));

    var fresh = ((NodeStore.Acceptance.Accepted) accepted).fresh();
    assertThat(fresh)
        .extracting(Intent::created)
        .containsExactly(late.created(), late.created().plusSeconds(1));
    assertThat(fresh).extracting(Intent::order).containsExactly(3L, 4L);
    assertThat(get(store.intents(Optional.empty(), 2))).isEqualTo(fresh.reversed());
    assertThat(get(store.intent(id(early)))).contains(fresh.getFirst());
  }

  private Intent dated(Instant created) {
    var any = intent(hash());
    return new Intent(0, created, Optional.empty(), any.bodyHash(), any.transaction());
  }

  /** What it remembers of numbers is of yesterday. */
  @Test
  void whatAnotherJvmHasNumberedCanBeAcknowledged() {
    var other = jvm(JVM2);
    var listener = new ListenerStore.Listener("l", Bytes.EMPTY, NOW, 0, Optional.empty());
    var kind = ListenerStore.ListenerKind.RECEIPTS;
    get(store.listeners().create(kind, listener));
    complete(store);
    get(store.listeners().acknowledge(kind, listener, ListenerStore.Taken.upTo(1)));
    complete(other);
    complete(other);

    assertThat(get(store.listeners().acknowledge(kind, listener, ListenerStore.Taken.upTo(3))))
        .isTrue();
    assertThatThrownBy(
            () -> get(store.listeners().acknowledge(kind, listener, ListenerStore.Taken.upTo(4))))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThat(get(other.listeners().find(kind, "l")).orElseThrow().acknowledged()).isEqualTo(3);
  }

  private void complete(NodeStore at) {
    var one = intent(hash());
    get(at.accept(List.of(one)));
    get(at.complete(List.of(confirmed(one))));
  }

  @Test
  void aRefusedAcknowledgementDoesNotHarmWhatIsWrittenWithIt() {
    var intent = intent(hash());

    var listener = new ListenerStore.Listener("l", Bytes.EMPTY, NOW, 0, Optional.empty());
    get(store.listeners().create(ListenerStore.ListenerKind.RECEIPTS, listener));

    var refused =
        store
            .listeners()
            .acknowledge(
                ListenerStore.ListenerKind.RECEIPTS, listener, ListenerStore.Taken.upTo(1));
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

    assertThat(get(store.intentByIdempotencyKey(key(strange)))).contains(id(intent));
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

  private PostgresNodeStore withShards(int number, JvmName jvm, String... running) {
    var database = PostgresDatabase.open(settings, 4, PATIENCE);
    open.add(0, database);
    var identity = new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), jvm);
    var opened =
        new PostgresNodeStore(
            database,
            new ProtocolFormat(),
            executor,
            identity,
            new NodeShards(number, Set.of(running)::contains));
    open.add(0, opened);
    return opened;
  }

  @Test
  void aJvmWithAnotherNumberOfShardsThanOneThatRunsIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> withShards(256, JVM2, JVM1.toString()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "cluster.shards is 256 here and 128 in the JVMs of this node that run")
        .hasMessageContaining(JVM1.toString());

    var beside = withShards(128, JVM2, JVM1.toString());

    assertThat(names("starting")).containsExactly(JVM2.toString());
    assertThat(get(beside.writers().others())).containsExactly(JVM1.toString());
    accepted(intent("key", hash()));
  }

  /** One that has only begun, too: it has claimed the number. */
  @Test
  void whoComesFirstAfterAllHaveEndedSaysHowManyShardsThereAre() {
    var first = withShards(256, JVM2);

    assertThatThrownBy(() -> withShards(128, JVM1, JVM2.toString()))
        .hasMessageContaining(
            "cluster.shards is 128 here and 256 in the JVMs of this node that run");

    var view = new ClusterView(true, Set.of(JVM2.toString()), Set.of(JVM2.toString()));
    assertThat(get(first.writers().enter(view))).isTrue();
  }

  /** Its session was lost for a moment, say, while another one looked. */
  @Test
  void aJvmThatWasTakenForEndedWhileTheNumberChangedStoresNothingAnyMore() {
    accepted(intent("before", hash()));

    withShards(256, JVM2);

    assertThatThrownBy(() -> accepted(intent("after", hash())))
        .hasStackTraceContaining(LeftOutException.class.getSimpleName());
    assertThat(names("jvms")).isEmpty();
    assertThat(names("starting")).containsExactly(JVM2.toString());
  }

  /** Whatever number it has: it is the same process, started anew. */
  @Test
  void aJvmThatIsAloneIsStartedAgainWithAnotherNumber() {
    var again = new JvmName(JVM1.address(), 7);

    withShards(256, again, JVM1.toString());

    assertThat(names("starting")).containsExactly(again.toString());
  }

  @Test
  void nothingHindersUsually() {
    assertThat(get(store.hindrance())).isEmpty();
  }

  /** Who writes nothing new needs no room; so a look must ask for some. */
  @Test
  void whereTheServerHasNoRoomForAMegabyteWritesAreHindered() throws SQLException {
    database.transaction(
        connection -> {
          var sql = new Sql(connection);
          sql.update("CREATE ROLE narrow SUPERUSER LOGIN PASSWORD 'narrow'");
          return sql.update("ALTER ROLE narrow SET temp_file_limit = '512kB'");
        });
    settings = new PostgresSettings(settings.url(), "narrow", "narrow", settings.schema());
    var narrow = jvm(JVM2);

    assertThat(get(narrow.hindrance()))
        .map(NodeStore.Hindrance::sentence)
        .contains("The database is short of memory or files: look into PostgreSQL's log.");
  }

  /** As PostgreSQL says of a page whose checksum is wrong. */
  @Test
  void whatPostgresFindsDamagedHindersUntilTheJvmIsStartedAnew() throws SQLException {
    var unread = new AtomicLong();
    ((PostgresDatabase) open.get(1)).observe(countingUnread(unread));
    database.transaction(
        connection -> {
          var sql = new Sql(connection);
          sql.update("ALTER TABLE entry RENAME TO whole_entry");
          sql.update(
              "CREATE FUNCTION invalid_page() RETURNS SETOF whole_entry LANGUAGE plpgsql AS $$"
                  + "BEGIN RAISE EXCEPTION 'invalid page in block 3' USING ERRCODE = 'XX001'; END$$");
          return sql.update("CREATE VIEW entry AS SELECT * FROM invalid_page()");
        });
    assertThat(get(store.hindrance())).isEmpty();
    assertThat(DatabaseTables.unreadable(settings)).isEmpty();

    assertThatThrownBy(() -> get(store.listeners().all(ListenerStore.ListenerKind.RECEIPTS)))
        .hasStackTraceContaining("invalid page");

    assertThat(unread).hasValue(1);
    var hindrance = get(store.hindrance()).orElseThrow();
    assertThat(hindrance.sentence()).contains("damaged", "check-store");
    assertThat(hindrance.endsWithRestart()).isFalse();
  }

  /** An ordinary stop is no trouble of the database. */
  @Test
  void whatIsNotReadSinceTheJvmStopsIsNotCounted() {
    var unread = new AtomicLong();
    ((PostgresDatabase) open.get(1)).observe(countingUnread(unread));
    executor.shutdown();
    assertThatThrownBy(() -> get(store.groups(Optional.empty(), 10)))
        .hasStackTraceContaining("is stopping");

    assertThat(unread).hasValue(0);
  }

  private static StoreObserver countingUnread(AtomicLong unread) {
    return new StoreObserver() {
      @Override
      public void stored(int writes, long bytes, long nanos) {}

      @Override
      public void failed(int writes) {}

      @Override
      public void unread() {
        unread.incrementAndGet();
      }
    };
  }

  @Test
  void afterTheDatabaseWasAwayItIsUsedAgain() {
    try (var server = TestPostgres.start()) {
      settings = new PostgresSettings(server.url(), server.user(), server.password(), "away");
      var survivor = starting(JVM1);
      get(survivor.writers().enter(new ClusterView(true, Set.of(), Set.of(JVM1.toString()))));
      var before = intent(hash());
      get(survivor.accept(List.of(before)));

      server.pause();
      assertThatThrownBy(() -> get(survivor.accept(List.of(intent(hash()))))).isNotNull();
      assertThat(get(survivor.hindrance()))
          .map(NodeStore.Hindrance::sentence)
          .contains(
              "The database cannot be reached: start PostgreSQL there, or correct postgresql.url.");
      server.resume();

      // The first may still get a connection to the server that is gone; to repeat it is safe.
      var after = intent(hash());
      await()
          .atMost(Duration.ofSeconds(60))
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

    get(other.writers().end(JVM1.toString()));
    assertThat(get(other.contractsWithPending()))
        .containsExactly(before.privately().orElseThrow().contract());

    assertThatThrownBy(() -> get(leftOut.accept(List.of(after))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    assertThatThrownBy(() -> get(leftOut.complete(List.of(confirmed(before)))))
        .hasRootCauseInstanceOf(LeftOutException.class)
        .rootCause()
        .as("as JSON-RPC tells that it may be sent again")
        .isInstanceOf(StoreException.class);
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
              .writers()
              .end(lost.toString())
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

  @Test
  void aJvmThatIsNotAMemberYetMayNotWriteAndIsNotLeftOut() {
    var starting = starting(JVM2);

    assertThatThrownBy(() -> get(starting.accept(List.of(intent(hash())))))
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("has not joined", "another one");
    assertThat(get(starting.hindrance()).orElseThrow().sentence()).contains("has not joined");
    assertThat(starting.leftOut().toCompletableFuture()).isNotDone();
    assertThat(get(store.writers().others())).isEmpty();
    assertThat(get(starting.writers().others())).containsExactly(JVM1.toString());
  }

  /** Of two clusters, only what has met one that may write is let in. */
  @Test
  void aJvmIsLetInByOneThatMayWriteOnly() {
    var starting = starting(JVM2);
    var stranger = "akka://node1@jvm9:25520#9";
    var both = Set.of(JVM1.toString(), JVM2.toString());

    assertThat(get(starting.writers().enter(view(false, Set.of(JVM2.toString(), stranger)))))
        .isFalse();
    assertThat(get(starting.writers().enter(view(false, both)))).isTrue();
    // It was committed, and the answer was lost.
    assertThat(get(starting.writers().enter(view(false, both)))).isTrue();

    get(starting.accept(List.of(intent(hash()))));
    get(store.accept(List.of(intent(hash()))));
    assertThat(writing()).isEqualTo(both);
    assertThat(names("starting")).isEmpty();
  }

  /** A first seed that finds nobody; those in the cluster from before may live. */
  @Test
  void whoBeginsAClusterEndsThoseOfTheOneBeforeButNotThoseThatAreStarting() {
    var second = jvm(JVM2);
    var third = new JvmName("akka://node1@jvm3:25520", 3);
    var starting = starting(third);
    var again = starting(new JvmName(JVM1.address(), 5));
    var self = JVM1.address() + "#5";

    assertThat(get(again.writers().enter(view(true, Set.of(self))))).isTrue();

    assertThatThrownBy(() -> get(second.accept(List.of(intent(hash())))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    get(second.leftOut());
    assertThat(get(starting.writers().enter(view(false, Set.of(self, third.toString()))))).isTrue();
    get(starting.accept(List.of(intent(hash()))));
    get(again.accept(List.of(intent(hash()))));
    assertThat(writing()).containsExactlyInAnyOrder(self, third.toString());
  }

  /** The only one that could have let it in, or taken over from it, has gone meanwhile. */
  @Test
  void whoIsLetInTakesThePlaceOfThoseThatAreMembersNoMore() {
    var left = store;
    var starting = starting(JVM2);
    var both = Set.of(JVM1.toString(), JVM2.toString());

    get(starting.writers().enter(new ClusterView(false, both, Set.of(JVM2.toString()))));

    assertThatThrownBy(() -> get(left.accept(List.of(intent(hash())))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    assertThat(writing()).containsExactly(JVM2.toString());
  }

  @Test
  void whenAllHaveLeftWhoeverIsStartingIsLetIn() {
    var starting = starting(JVM2);
    assertThat(get(starting.writers().enter(view(false, Set.of(JVM2.toString()))))).isFalse();
    store.close();

    assertThat(get(starting.writers().enter(view(false, Set.of(JVM2.toString()))))).isTrue();
  }

  /** However late it learns that it has been a member, and the others have removed it again. */
  @Test
  void aJvmThatIsLeftOutWhileItStartsIsNeverLetIn() {
    var starting = starting(JVM2);
    get(store.writers().end(JVM2.toString()));
    var both = Set.of(JVM1.toString(), JVM2.toString());

    assertThatThrownBy(() -> get(starting.writers().enter(view(false, both))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    assertThatThrownBy(() -> get(starting.writers().enter(view(true, both))))
        .hasRootCauseInstanceOf(LeftOutException.class);
    get(starting.leftOut());
    get(store.accept(List.of(intent(hash()))));
  }

  @Test
  void ofThoseThatNeverBecameMembersOnlyTheLastAreKept() throws SQLException {
    var names =
        IntStream.range(0, 70).mapToObj(i -> new JvmName("akka://node1@pod" + i, i)).toList();
    for (var name : names) {
      database.transaction(
          connection -> {
            WritingJvms.starts(name, new Sql(connection));
            return null;
          });
    }

    assertThat(names("starting"))
        .containsExactlyInAnyOrderElementsOf(
            names.subList(6, 70).stream().map(JvmName::toString).toList());
  }

  /** An idle one would live on, and take part in a cluster that is none any more. */
  @Test
  void aJvmThatWritesNothingLearnsByALookThatItIsLeftOut() {
    var other = jvm(JVM2);
    get(store.look());
    assertThat(store.leftOut().toCompletableFuture()).isNotDone();
    get(other.writers().end(JVM1.toString()));

    get(store.look());

    get(store.leftOut());
    get(other.look());
    assertThat(other.leftOut().toCompletableFuture()).isNotDone();
  }

  @Test
  void aJvmThatIsStartingOrClosedIsNotLeftOut() {
    var starting = starting(JVM2);
    get(starting.look());
    store.close();
    get(store.look());

    assertThat(starting.leftOut().toCompletableFuture()).isNotDone();
    assertThat(store.leftOut().toCompletableFuture()).isNotDone();
  }

  private static ClusterView view(boolean begun, Set<String> members) {
    return new ClusterView(begun, members, members);
  }
}

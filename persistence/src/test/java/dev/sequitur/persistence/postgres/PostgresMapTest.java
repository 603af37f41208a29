package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.persistence.map.OrderedMapContractTest;
import dev.sequitur.protocol.port.StoreException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PostgresMapTest extends PostgresMapFixture {
  private static final long TURNS = 7;

  /** Lets everybody pass, unless somebody has the lock alone. */
  private static final Fence OPEN =
      asking("SELECT pg_advisory_xact_lock_shared(?) IS NOT NULL", TURNS, Optional.empty());

  @Override
  PostgresMap in(PostgresDatabase database) {
    return new PostgresMap(database, executor, OPEN);
  }

  private PostgresMap jvm(Fence fence) {
    return jvmWith(database -> new PostgresMap(database, executor, fence));
  }

  /** What is given meanwhile waits, and is then written together. */
  private <T> T whileTheFenceIsShut(Supplier<T> work) throws SQLException {
    return beside.transaction(
        connection -> {
          connection.createStatement().execute("SELECT pg_advisory_xact_lock(" + TURNS + ")");
          return work.get();
        });
  }

  private <T> List<CompletionStage<T>> together(int many, IntFunction<CompletionStage<T>> write)
      throws SQLException {
    return whileTheFenceIsShut(
        () -> {
          var all = new ArrayList<CompletionStage<T>>();
          for (int i = 0; i < many; i++) {
            all.add(write.apply(i));
          }
          return all;
        });
  }

  @Test
  void changesOfTwoJvmsLoseNothing() {
    var other = reopened();
    var answers = new ArrayList<CompletionStage<Long>>();
    for (int i = 0; i < 400; i++) {
      answers.add((i % 2 == 0 ? map : other).write(OrderedMapContractTest::increment));
    }

    assertThat(answers.stream().map(OrderedMapContractTest::get).sorted())
        .isEqualTo(LongStream.rangeClosed(1, 400).boxed().toList());
  }

  /** The first alone, and the others, which have waited, in one group. */
  @Test
  void aGroupCostsOneRoundTripHoweverManyChangesItHas() throws SQLException {
    get(map.write(OrderedMapContractTest::increment));
    long before = wire.roundTrips();

    together(120, i -> map.write(OrderedMapContractTest::increment))
        .forEach(OrderedMapContractTest::get);

    assertThat(counted(map)).isEqualTo(121);
    assertThat(wire.roundTrips() - before).as("two groups, and the count").isLessThanOrEqualTo(3);
  }

  @Test
  void whatIsLookedUpByWhatWasLookedUpCostsOneRoundTripMore() {
    get(
        map.write(
            store -> {
              for (int i = 0; i < 100; i++) {
                store.put(ROOM.number(i), bytes(1_000 + i));
                store.put(ROOM.number(1_000 + i), bytes(2_000 + i));
              }
              return null;
            }));
    long before = wire.roundTrips();

    long sum =
        get(
            map.write(
                store ->
                    LongStream.range(0, 100)
                        .map(i -> number(store.get(ROOM.number(i))))
                        .map(next -> number(store.get(ROOM.number(next))))
                        .sum()));

    assertThat(sum).isEqualTo(LongStream.range(2_000, 2_100).sum());
    // Under what is missing nothing is looked up but number 0, which is known then.
    assertThat(wire.roundTrips() - before).isEqualTo(3);
  }

  @Test
  void aConnectionThatIsLostBeforeTheEndLeavesNothing() {
    get(map.write(OrderedMapContractTest::increment));
    var other = jvm();
    wire.cutAfter(0);

    assertThatThrownBy(() -> get(other.write(OrderedMapContractTest::increment)))
        .as("it has to ask first")
        .hasRootCauseInstanceOf(IOException.class)
        .hasStackTraceContaining("The database cannot be reached");

    wire.mend();
    assertThat(counted(map)).isEqualTo(1);
    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(2);
  }

  /** Its caller is told that it failed, and may do it again. */
  @Test
  void aConnectionThatIsLostWithTheLastAnswerLeavesAllOrNothing() {
    get(map.write(OrderedMapContractTest::increment));
    wire.cutAfter(0);

    assertThatThrownBy(
            () ->
                get(
                    map.write(
                        store -> {
                          store.put(ROOM.number(1), bytes(1));
                          return increment(store);
                        })))
        .hasStackTraceContaining("The database cannot be reached");

    wire.mend();
    await().atMost(PATIENCE).until(() -> counted(map) == 2);
    assertThat(at(map, ROOM.number(1))).isPresent();
  }

  /** No index takes it, so the database refuses it; those that were given with it are stored. */
  @Test
  void aChangeThatTheDatabaseRefusesHarmsNoOther() throws SQLException {
    var random = new byte[10_000];
    new Random(1).nextBytes(random);
    var refused = ROOM.raw(random);

    var answers =
        together(
            20,
            i ->
                map.write(
                    store -> {
                      long next = increment(store);
                      if (i == 7) {
                        store.put(refused, bytes(1));
                      }
                      return next;
                    }));

    assertThatThrownBy(() -> get(answers.get(7))).hasCauseInstanceOf(DatabaseException.class);
    for (int i = 0; i < 20; i++) {
      if (i != 7) {
        assertThat(get(answers.get(i))).isEqualTo(i < 7 ? i + 1 : i);
      }
    }
    assertThat(counted(map)).isEqualTo(19);
  }

  @Test
  void whoMayNotWriteStoresNothingAndIsToldSo() {
    var kept = jvm(asking("SELECT CAST (? AS text) = 'another'", Optional.empty()));
    get(map.write(OrderedMapContractTest::increment));

    assertThatThrownBy(() -> get(kept.write(OrderedMapContractTest::increment)))
        .hasMessageContaining("kept out");

    assertThat(counted(kept)).isEqualTo(1);
    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(2);
  }

  @Test
  void whoIsShutOutDoesNotAskTheDatabase() {
    var shut = jvm(asking("SELECT nothing", Optional.of(new DatabaseException("not yet"))));
    long before = wire.roundTrips();

    assertThatThrownBy(() -> get(shut.write(OrderedMapContractTest::increment)))
        .hasMessageContaining("not yet");

    assertThat(wire.roundTrips()).isEqualTo(before);
  }

  private static Fence asking(String question, Optional<StoreException> shut) {
    return asking(question, "this", shut);
  }

  private static Fence asking(String question, Object parameter, Optional<StoreException> shut) {
    return new Fence() {
      @Override
      public Optional<StoreException> shut() {
        return shut;
      }

      @Override
      public String question() {
        return question;
      }

      @Override
      public Object parameter() {
        return parameter;
      }

      @Override
      public StoreException refused() {
        return new DatabaseException("kept out");
      }
    };
  }

  /** A whole checkpoint is one change. */
  @Test
  void aLargeChangeGoesInPartsAndIsStoredWholeOrNotAtAll() {
    get(
        map.write(
            store -> {
              for (int i = 0; i < 12_000; i++) {
                store.put(ROOM.number(i), bytes(i));
              }
              for (int i = 12_000; i < 12_020; i++) {
                store.put(ROOM.number(i), new byte[1 << 20]);
              }
              return null;
            }));
    wire.cutAfter(1);

    assertThatThrownBy(
            () ->
                get(
                    map.write(
                        store -> {
                          for (int i = 0; i < 12_020; i++) {
                            store.delete(ROOM.number(i));
                          }
                          return null;
                        })))
        .isNotNull();

    wire.mend();
    var keys = LongStream.range(0, 12_020).mapToObj(ROOM::number).toList();
    assertThat(all(map, keys)).hasSize(12_020);
  }

  @Test
  void whatWaitsIsStillWrittenWhenItIsClosedAndNothingAfterIt() throws SQLException {
    var answers = together(20, i -> map.write(OrderedMapContractTest::increment));

    map.close();

    assertThat(get(answers.getLast())).isEqualTo(20);
    assertThatThrownBy(() -> get(map.write(OrderedMapContractTest::increment)))
        .hasMessageContaining("is stopping");
  }
}

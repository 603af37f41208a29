package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMapContractTest;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A map that passes no fence: each write is bound to what it has read. */
class SideBySideMapTest extends PostgresMapFixture {
  @Override
  PostgresMap in(PostgresDatabase database) {
    return new PostgresMap(
        database, executor, executor, () -> StoreObserver.NONE, PostgresMap.MANY);
  }

  private long tripsOf(Supplier<CompletionStage<?>> work) {
    long before = wire.roundTrips();
    get(work.get());
    return wire.roundTrips() - before;
  }

  private static CompletionStage<Void> put(OrderedMap map, Key key, long number) {
    return map.write(
        store -> {
          store.put(key, bytes(number));
          return null;
        });
  }

  /** The first has to ask; from then on the JVM knows it. */
  @Test
  void aWriteThatReadsWhatItsJvmKnowsTakesOneRoundTrip() {
    assertThat(tripsOf(() -> map.write(OrderedMapContractTest::increment))).isEqualTo(2);
    assertThat(tripsOf(() -> map.write(OrderedMapContractTest::increment))).isEqualTo(1);
    assertThat(tripsOf(() -> put(map, ROOM.number(1), 7))).as("reads nothing").isEqualTo(1);

    var other = jvm();
    assertThat(counted(other)).isEqualTo(2);
    assertThat(tripsOf(() -> other.write(OrderedMapContractTest::increment)))
        .as("what it has read it knows")
        .isEqualTo(1);
  }

  @Test
  void whatWaitsTogetherIsStoredInOneRoundTrip() {
    get(map.write(OrderedMapContractTest::increment));
    var isFree = new CountDownLatch(1);
    var first =
        map.write(
            store -> {
              awaits(isFree);
              return null;
            });
    var answers = new ArrayList<CompletionStage<Long>>();
    for (int i = 0; i < 900; i++) {
      answers.add(map.write(OrderedMapContractTest::increment));
    }
    long before = wire.roundTrips();

    isFree.countDown();
    get(first);
    answers.forEach(OrderedMapContractTest::get);

    assertThat(wire.roundTrips() - before).isEqualTo(1);
    assertThat(counted(map)).isEqualTo(901);
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whoWasOvertakenReadsAnewAndLosesNothing() {
    var other = jvm();
    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(1);
    assertThat(get(other.write(OrderedMapContractTest::increment))).isEqualTo(2);

    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(3);
    assertThat(get(other.write(OrderedMapContractTest::increment))).isEqualTo(4);
  }

  /** Both know that it is not there. */
  @Test
  void ofTwoWhoMakeWhatIsMissingOneIsOvertaken() {
    var other = jvm();
    assertThat(counted(map)).isZero();
    assertThat(counted(other)).isZero();

    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(1);
    assertThat(get(other.write(OrderedMapContractTest::increment))).isEqualTo(2);
  }

  /** Else it would never come to store anything where others write the same all the time. */
  @Test
  void whoIsOvertakenEachTimeKeepsOthersAway() throws SQLException {
    get(map.write(OrderedMapContractTest::increment));
    beside.transaction(
        connection -> connection.createStatement().execute("SET lock_timeout = '50ms'"));
    var overtaken = new AtomicInteger();

    get(
        map.write(
            store -> {
              long next = increment(store);
              if (overtakes()) {
                overtaken.incrementAndGet();
              }
              return next;
            }));

    assertThat(overtaken).hasValue(3);
    assertThat(counted(map)).isEqualTo(5);
    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(6);
  }

  private boolean overtakes() {
    try {
      return beside.transaction(
              connection -> {
                try (var statement =
                    connection.prepareStatement(
                        "UPDATE entry SET value = int8send(number_of(value) + 1) WHERE key = ?")) {
                  statement.setBytes(1, ROOM.toByteArray());
                  return statement.executeUpdate();
                }
              })
          == 1;
    } catch (SQLException e) {
      return false;
    }
  }

  /** What this JVM has read before it wrote it without looking. */
  @Test
  void whatIsPutWithoutReadingItIsRememberedByWhoHasReadIt() {
    get(map.write(OrderedMapContractTest::increment));
    get(put(map, ROOM, 40));

    assertThat(tripsOf(() -> map.write(OrderedMapContractTest::increment))).isEqualTo(1);
    assertThat(counted(map)).isEqualTo(41);
  }

  /** What it knows is of yesterday; what it says of it must not be. */
  @Test
  void whoRefusesByWhatItKnowsHasLookedWhetherItIsStillSo() {
    var other = jvm();
    get(map.write(OrderedMapContractTest::increment));
    get(other.write(OrderedMapContractTest::increment));

    long answered =
        get(
            map.write(
                store -> {
                  long now = number(store.get(ROOM));
                  if (now < 2) {
                    throw new IllegalArgumentException("too few: " + now);
                  }
                  return now;
                }));

    assertThat(answered).isEqualTo(2);
  }

  @Test
  void changesOfTwoJvmsLoseNothing() {
    var other = jvm();
    var answers = new ArrayList<CompletionStage<Long>>();
    for (int i = 0; i < 400; i++) {
      answers.add((i % 2 == 0 ? map : other).write(OrderedMapContractTest::increment));
    }

    assertThat(answers.stream().map(OrderedMapContractTest::get).sorted())
        .isEqualTo(LongStream.rangeClosed(1, 400).boxed().toList());
  }

  /** Neither has asked where the counter stands. */
  @Test
  void numbersThatTwoJvmsTakeHaveNoGapAndAreToldAsTheyAreStored() {
    var other = jvm();
    var answers = new ArrayList<CompletionStage<Long>>();
    for (int i = 0; i < 400; i++) {
      long name = 1_000L + i;
      answers.add((i % 2 == 0 ? map : other).write(store -> numbered(store, name)));
    }
    var told = answers.stream().map(OrderedMapContractTest::get).toList();

    assertThat(told).doesNotHaveDuplicates();
    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 400).boxed().toList());
    var stored = all(map, LongStream.range(0, 1_000).mapToObj(ROOM.octet(1)::number).toList());
    assertThat(stored).hasSize(400);
    for (int i = 0; i < 400; i++) {
      assertThat(stored.get(ROOM.octet(1).number(told.get(i)))).isEqualTo(bytes(1_000 + i));
      assertThat(at(map, ROOM.octet(2).number(1_000 + i)).orElseThrow())
          .isEqualTo(bytes(told.get(i)));
    }
    assertThat(counted(map)).isEqualTo(400);
    assertThat(tripsOf(() -> map.write(store -> numbered(store, 5_000)))).isEqualTo(1);
  }

  private static long numbered(WriteBatch store, long name) {
    long number = store.next(ROOM);
    store.putNumbered(ROOM.octet(1).number(number), bytes(name), WriteBatch.Numbered.key(ROOM));
    store.putNumbered(ROOM.octet(2).number(name), bytes(number), WriteBatch.Numbered.value(ROOM));
    return number;
  }

  @Test
  void aRegisterStandsAtTheHighestThatAnyJvmHasRaisedItTo() {
    var other = jvm();
    get(raise(map, 5));
    get(raise(other, 3));
    assertThat(counted(map)).isEqualTo(5);
    assertThat(tripsOf(() -> raise(other, 7))).isEqualTo(1);
    assertThat(counted(map)).isEqualTo(7);
  }

  private static CompletionStage<Void> raise(OrderedMap map, long to) {
    return map.write(
        store -> {
          store.raise(ROOM, bytes(to));
          return null;
        });
  }

  /** It is another's by the time that it comes. */
  @Test
  void whoTakesForNewWhatIsThereIsToldSo() {
    get(put(map, ROOM.number(1), 7));
    var other = jvm();

    var found =
        get(
            other.write(
                store -> {
                  var there = store.getRare(ROOM.number(1));
                  if (there.isEmpty()) {
                    store.put(ROOM.number(1), bytes(8));
                  }
                  return number(there);
                }));

    assertThat(found).isEqualTo(7);
    assertThat(at(map, ROOM.number(1)).orElseThrow()).isEqualTo(bytes(7));
  }

  @Test
  void whoWritesWaitsForNobodyWhoWritesAnother() throws SQLException {
    get(put(map, ROOM.number(1), 1));
    get(map.write(OrderedMapContractTest::increment));

    beside.transaction(
        connection -> {
          try (var statement =
              connection.prepareStatement("UPDATE entry SET value = value WHERE key = ?")) {
            statement.setBytes(1, ROOM.number(1).toByteArray());
            statement.executeUpdate();
          }
          assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(2);
          return null;
        });
  }

  /** Its caller is told that it failed, and what it knew it looks up again. */
  @Test
  void aConnectionThatIsLostWithTheAnswerLeavesAllOrNothing() {
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
    assertThat(get(map.write(OrderedMapContractTest::increment))).isEqualTo(3);
  }

  /** It goes in parts, and the first of them asks. */
  @Test
  void aLargeChangeThatIsOvertakenIsStoredWholeAfterAll() {
    var other = jvm();
    get(map.write(OrderedMapContractTest::increment));
    get(other.write(OrderedMapContractTest::increment));

    long counted =
        get(
            map.write(
                store -> {
                  for (int i = 0; i < 12_000; i++) {
                    store.put(ROOM.number(i), bytes(i));
                  }
                  return increment(store);
                }));

    assertThat(counted).isEqualTo(3);
    assertThat(all(other, LongStream.range(0, 12_000).mapToObj(ROOM::number).toList()))
        .hasSize(12_000);
  }
}

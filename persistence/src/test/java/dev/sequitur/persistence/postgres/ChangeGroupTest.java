package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.WriteBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ChangeGroupTest {
  private static final Key ROOM = Key.in(KeySpace.NODE_STORE);
  private static final Key COUNTER = ROOM.octet(1);

  private static ChangeGroup.Change change(Consumer<WriteBatch> changes) {
    return batch -> {
      try {
        changes.accept(batch);
        return true;
      } catch (IllegalArgumentException e) {
        return false;
      }
    };
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(Optional<byte[]> bytes) {
    return bytes.map(some -> ByteBuffer.wrap(some).getLong()).orElse(0L);
  }

  /** How often what is stored was asked for. */
  private static int finish(ChangeGroup group, Map<Key, byte[]> stored) {
    int asked = 0;
    for (var unknown = group.run(); !unknown.isEmpty(); unknown = group.run()) {
      asked++;
      var found = new HashMap<>(stored);
      found.keySet().retainAll(unknown);
      group.learn(unknown, found);
    }
    return asked;
  }

  @Test
  void allThatIsReadWhereNothingIsThereIsAskedForAtOnce() {
    var counted = new AtomicLong();
    var change =
        change(
            batch -> {
              for (int i = 0; i < 100; i++) {
                if (batch.get(ROOM.number(i)).isEmpty()) {
                  batch.put(ROOM.number(i), bytes(i));
                }
              }
              counted.set(number(batch.get(COUNTER)));
            });

    assertThat(finish(new ChangeGroup(List.of(change)), Map.of(COUNTER, bytes(5)))).isEqualTo(1);
    assertThat(counted).hasValue(5);
  }

  /** What it would put if it were right about what is missing, the next does not rely upon. */
  @Test
  void whatOneDoesThatDoesNotKnowHidesNothingFromTheNext() {
    var misled =
        change(
            batch -> {
              if (batch.get(COUNTER).isEmpty()) {
                batch.put(ROOM.octet(2), bytes(1));
              }
            });
    var next = change(batch -> batch.get(ROOM.octet(2)));

    assertThat(finish(new ChangeGroup(List.of(misled, next)), Map.of(COUNTER, bytes(5))))
        .isEqualTo(1);
  }

  @Test
  void whoReadsNothingIsDoneAtOnce() {
    var group = new ChangeGroup(List.of(change(batch -> batch.put(COUNTER, bytes(1)))));

    assertThat(group.run()).isEmpty();
    assertThat(group.left()).containsOnlyKeys(COUNTER);
  }

  @Test
  void whoThrowsLeavesNothingAndTheOthersDo() {
    var group =
        new ChangeGroup(
            List.of(
                change(batch -> batch.put(COUNTER, bytes(1))),
                change(
                    batch -> {
                      batch.put(COUNTER, bytes(2));
                      throw new IllegalArgumentException();
                    }),
                change(batch -> batch.delete(ROOM.octet(2)))));

    assertThat(group.run()).isEmpty();
    assertThat(group.left().get(COUNTER).orElseThrow()).isEqualTo(bytes(1));
    assertThat(group.left().get(ROOM.octet(2))).isEmpty();
  }

  /** It was misled by what it took for missing. */
  @Test
  void whoThrowsBecauseItDoesNotKnowIsRunAgain() {
    var change =
        change(
            batch -> {
              var counter = batch.get(COUNTER).orElseThrow(IllegalArgumentException::new);
              batch.put(ROOM.octet(2), counter);
            });
    var group = new ChangeGroup(List.of(change));

    assertThat(finish(group, Map.of(COUNTER, bytes(5)))).isEqualTo(1);
    assertThat(group.left()).containsOnlyKeys(ROOM.octet(2));
  }

  @Test
  void whoReadsMoreWithEachRunIsEnded() {
    var more = new AtomicLong();
    var group =
        new ChangeGroup(List.of(change(batch -> batch.get(ROOM.number(more.incrementAndGet())))));

    assertThatThrownBy(() -> finish(group, Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("still reads more keys");
  }

  /** As if each had been stored before the next was begun. */
  @Property(tries = 300)
  void whateverTheyReadTheyLeaveWhatTheyWouldOneAfterAnother(
      @ForAll @Size(max = 8) List<@Size(max = 4) List<@IntRange(max = 5) Integer>> walks,
      @ForAll @Size(max = 6) List<@IntRange(max = 5) Integer> before) {
    var stored = new HashMap<Key, byte[]>();
    for (int i = 0; i < before.size(); i++) {
      stored.put(ROOM.number(i), bytes(before.get(i)));
    }
    var changes = walks.stream().map(ChangeGroupTest::walking).toList();

    var expected = new HashMap<>(stored);
    for (var each : changes) {
      var batch = new WriteBatch(key -> Optional.ofNullable(expected.get(key)));
      if (each.run(batch)) {
        apply(batch.changes(), expected);
      }
    }
    var group = new ChangeGroup(changes);
    finish(group, stored);
    apply(group.left(), stored);

    assertThat(texts(stored)).isEqualTo(texts(expected));
  }

  /** From where it begins to where that leads, on and on; writes or deletes what it comes to. */
  private static ChangeGroup.Change walking(List<Integer> begins) {
    return change(
        batch -> {
          for (var begin : begins) {
            long at = begin;
            var been = new HashSet<Long>();
            while (been.add(at) && batch.get(ROOM.number(at)).isPresent()) {
              at = number(batch.get(ROOM.number(at)));
            }
            if (been.size() == 3) {
              batch.delete(ROOM.number(at));
            } else if (been.size() == 4) {
              throw new IllegalArgumentException();
            } else {
              batch.put(ROOM.number(at), bytes((at + begins.size()) % 6));
            }
          }
        });
  }

  private static final WriteBatch.Numbered IN_KEY = WriteBatch.Numbered.key(COUNTER);

  private static ChangeGroup.Change numbering(List<Long> told) {
    return change(
        batch -> {
          long number = batch.next(COUNTER);
          batch.putNumbered(ROOM.octet(3).number(number), bytes(7), IN_KEY);
          batch.putNumbered(ROOM.octet(4), bytes(number), WriteBatch.Numbered.value(COUNTER));
          told.add(number);
        });
  }

  @Test
  void numbersAreTakenWithoutAskingAndToldOnceItIsStored() {
    var told = new ArrayList<Long>();
    var refused =
        change(
            batch -> {
              batch.next(COUNTER);
              throw new IllegalArgumentException();
            });
    var group = new ChangeGroup(List.of(numbering(told), refused, numbering(told)));

    assertThat(group.run()).isEmpty();
    assertThat(group.read()).doesNotContainKey(COUNTER);
    assertThat(group.left()).doesNotContainKey(COUNTER);
    assertThat(group.taken().get(COUNTER).count()).isEqualTo(2);
    assertThat(group.numbered()).hasSize(3);
    told.clear();
    group.settle(Map.of(COUNTER, Optional.of(bytes(40))));

    assertThat(told).containsExactly(41L, 42L);
    assertThat(group.left())
        .containsOnlyKeys(ROOM.octet(3).number(41), ROOM.octet(3).number(42), ROOM.octet(4));
    assertThat(group.left().get(ROOM.octet(4)).orElseThrow()).isEqualTo(bytes(42));
    assertThat(group.standing().get(COUNTER)).isEqualTo(bytes(42));
  }

  @Test
  void whatNeverChangesIsReadWithoutBeingBoundToUnlessItIsMissing() {
    var there = ROOM.octet(2);
    var read = new ArrayList<Long>();
    var group =
        new ChangeGroup(
            List.of(
                change(
                    batch -> {
                      read.add(number(batch.getLasting(there)));
                      batch.getLasting(ROOM.octet(5));
                    })));

    assertThat(finish(group, Map.of(there, bytes(7)))).isEqualTo(1);

    assertThat(read.getLast()).isEqualTo(7);
    assertThat(group.read()).containsOnlyKeys(ROOM.octet(5));
    assertThat(group.lasting()).containsOnlyKeys(there);
  }

  /** What stands under that key in the store is another's. */
  @Test
  void whatIsPutUnderANumberAndDeletedAgainIsNotDeletedInTheStore() {
    var told = new ArrayList<Long>();
    var deleting =
        change(batch -> batch.delete(ROOM.octet(3).number(number(batch.get(ROOM.octet(4))))));
    var group = new ChangeGroup(List.of(numbering(told), deleting));

    assertThat(group.run()).isEmpty();

    assertThat(group.left()).containsOnlyKeys(ROOM.octet(4));
  }

  /** Then it is bound to it. */
  @Test
  void whoReadsACounterIsToldWhereItStands() {
    var told = new ArrayList<Long>();
    var read = new ArrayList<Long>();
    var reading = change(batch -> read.add(number(batch.get(COUNTER))));
    var group = new ChangeGroup(List.of(numbering(told), reading));

    assertThat(finish(group, Map.of(COUNTER, bytes(5)))).isEqualTo(1);

    assertThat(told.getLast()).isEqualTo(6);
    assertThat(read.getLast()).isEqualTo(6);
    assertThat(group.read()).containsKey(COUNTER);
  }

  @Test
  void whoAsksHowFarACounterHasComeIsBoundToItOnlyIfItMayHaveComeFurther() {
    var remembered = new Remembered(10);
    remembered.put(COUNTER, Optional.of(bytes(5)));
    var reached = new ArrayList<Boolean>();
    var group =
        new ChangeGroup(List.of(change(b -> reached.add(b.reaches(COUNTER, 5)))), remembered);
    assertThat(group.run()).isEmpty();
    assertThat(group.read()).isEmpty();

    var further =
        new ChangeGroup(List.of(change(b -> reached.add(b.reaches(COUNTER, 6)))), remembered);
    assertThat(further.run()).isEmpty();

    assertThat(further.read()).containsKey(COUNTER);
    assertThat(reached).containsExactly(true, false);
  }

  private static void apply(Map<Key, Optional<byte[]>> changes, Map<Key, byte[]> to) {
    changes.forEach(
        (key, value) -> value.ifPresentOrElse(bytes -> to.put(key, bytes), () -> to.remove(key)));
  }

  private static Map<Key, Long> texts(Map<Key, byte[]> entries) {
    var numbers = new HashMap<Key, Long>();
    entries.forEach((key, value) -> numbers.put(key, number(Optional.of(value))));
    return numbers;
  }
}

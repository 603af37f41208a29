package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePSet;

/** What a change writes, and what is read from it. */
class CellPartTest {
  private static final byte[] PATH = {7};
  private static final AccountId ALICE = new AccountId("alice");
  private static final Amount FIVE = new Amount(5);

  private final QueueFormat format = new QueueFormat();
  private final CellPart alternatives =
      new AlternativesPart(
          Map.of(AccountId.class, 1, Amount.class, 2), type -> new LeafPart(format, type));
  private final CellPart set = new SetPart(format.newest().of((Type) AccountId.class));

  /** As a store has them. */
  private final Map<Bytes, byte[]> cells = new TreeMap<>();

  private int written;

  private void change(CellPart part, Object before, Object now) {
    written = 0;
    part.changes(
        PATH,
        before,
        now,
        new CellPart.Changes() {
          @Override
          public void put(byte[] key, byte[] value) {
            cells.put(Bytes.of(key), value);
            written++;
          }

          @Override
          public void remove(byte[] key) {
            assertThat(cells.remove(Bytes.of(key))).isNotNull();
          }
        });
  }

  private Object stored(CellPart part) {
    var building = part.building();
    cells.forEach((key, value) -> building.cell(key.toByteArray(), PATH.length, value));
    return building.finish();
  }

  @Test
  void oneTakesThePlaceOfAnotherAndLeavesNoCell() {
    change(alternatives, null, ALICE);
    assertThat(stored(alternatives)).isEqualTo(ALICE);

    change(alternatives, ALICE, FIVE);
    assertThat(stored(alternatives)).isEqualTo(FIVE);
    assertThat(cells).hasSize(1);

    change(alternatives, FIVE, new Amount(6));
    assertThat(stored(alternatives)).isEqualTo(new Amount(6));
    assertThat(cells).hasSize(1);

    change(alternatives, new Amount(6), null);
    assertThat(cells).isEmpty();
  }

  @Test
  void oneWithoutCellsIsLost() {
    assertThatExceptionOfType(StateLostException.class).isThrownBy(() -> stored(alternatives));
  }

  @Test
  void ofASetOnlyWhatIsNewIsWritten() {
    var one = TreePSet.singleton(ALICE);
    var two = one.plus(new AccountId("bob"));

    change(set, null, one);
    change(set, one, two);
    assertThat(written).isEqualTo(1);
    assertThat(stored(set)).isEqualTo(two);

    change(set, two, one);
    assertThat(written).isZero();
    assertThat(stored(set)).isEqualTo(one);
  }

  @Test
  void ofAQueueOnlyTheRecordsThatDifferAreWritten() {
    var answer = new Answer("command", Optional.empty(), Optional.empty(), Optional.empty());
    var before = QueueMemory.EMPTY.numbered(1);
    var answered = new QueueRecord.Answered("command", 7, answer);
    var now = before.with(before.queue(), List.of(answered)).numbered(2);

    var change = new MemoryCells(format).change(before, now);

    assertThat(change.removed()).isEmpty();
    assertThat(change.cells())
        .as("its number, the next command's, what was answered, and how old that is")
        .hasSize(4);
  }
}

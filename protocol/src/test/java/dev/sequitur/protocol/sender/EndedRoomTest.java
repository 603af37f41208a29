package dev.sequitur.protocol.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EndedRoomTest {
  private static final EndedRoom ROOM = new EndedRoom(1_000);

  @Test
  void aSenderAloneHasAllOfIt() {
    assertThat(ROOM.of(0, 1)).isEqualTo(1_000);
  }

  @Test
  void aBusySenderHasWhatTheOthersLeave() {
    assertThat(ROOM.of(40, 100)).isEqualTo(960);
  }

  @Test
  void whereAllAreBusyEachHasTheSame() {
    assertThat(ROOM.of(999_000, 100)).isEqualTo(10);
    assertThat(ROOM.of(999_000, 5_000)).as("the newest at least").isEqualTo(1);
  }

  @Test
  void thereIsRoomForOneAtLeast() {
    assertThatThrownBy(() -> new EndedRoom(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSenderForgetsItsOldestWhenOthersNeedTheRoomThoughNothingEndsForIt() {
    var room = new AtomicInteger(100);
    var sender =
        new Sender(
            new SenderSetup(
                Contract.A,
                Contract.GROUP,
                Contract.SELECTION,
                SequencerSettings.DEFAULT,
                Links.UNKNOWN,
                room::get));
    var confirmed = new LinkedHashMap<IntentKey, Receipt.OnLedger>();
    for (int number = 0; number < 150; number++) {
      confirmed.put(key(number), onLedger());
    }
    var block = new SenderInput.BlockIndexed(new BlockHeight(1), Instant.EPOCH, confirmed);

    var full = sender.decide(SenderState.initial(), block, Instant.EPOCH).state();
    assertThat(full.ended().size()).isEqualTo(100);
    room.set(7);
    var less = sender.decide(full, new SenderInput.Tick(), Instant.EPOCH).state();

    assertThat(less.ended().size()).isEqualTo(7);
    assertThat(less.ended().knows(key(149))).isTrue();
    assertThat(less.ended().knows(key(142))).isFalse();
  }

  private static IntentKey key(int number) {
    return Contract.transaction(Contract.B, number).key();
  }

  private static Receipt.OnLedger onLedger() {
    return new Receipt.OnLedger(
        new TransactionHash(Contract.hash("in a block")),
        new BlockHeight(1),
        0,
        List.of(),
        List.of(),
        List.of());
  }

  /** Whatever ends for whom: after each has looked once, the bound holds. */
  @Property(tries = 300)
  void allTogetherRememberNoMoreThanTheBound(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(max = 3_000) Integer> ended) {
    var remembered = ended.stream().mapToInt(number -> number).toArray();

    for (int each = 0; each < remembered.length; each++) {
      int others = Arrays.stream(remembered).sum() - remembered[each];
      remembered[each] = Math.min(remembered[each], ROOM.of(others, remembered.length));
    }

    assertThat(Arrays.stream(remembered).sum()).isLessThanOrEqualTo(1_000);
    assertThat(Arrays.stream(remembered).sum())
        .as("no room is left unused")
        .isGreaterThanOrEqualTo(
            Math.min(1_000 - remembered.length, ended.stream().mapToInt(n -> n).sum()));
  }
}

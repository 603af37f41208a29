package dev.sequitur.protocol.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.room.Room.Cut;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Row;
import dev.sequitur.protocol.room.Room.Situation;
import dev.sequitur.protocol.room.Room.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomTest {
  private static final Instant NOW = Instant.parse("2030-01-31T08:00:00Z");
  private static final RoomPolicy POLICY =
      new RoomPolicy(
          Optional.of(Duration.ofDays(30)), Duration.ofDays(365), Optional.of(Duration.ofDays(90)));
  private static final long ALL = Long.MAX_VALUE;

  /** One row: how many days ago it ended, its number is 7. */
  @ParameterizedTest
  @CsvSource({
    /** Not while the ledger is read again (ROM-4). */
    "CONTENTS,  29, 7, false, false, YOUNG",
    "CONTENTS,  30, 7, false, false, NONE",
    "CONTENTS,  30, 6, false, false, UNREAD",
    "CONTENTS,  89, 6, false, false, UNREAD",
    "CONTENTS,  90, 6, false, false, NONE",
    "CONTENTS,  90, 7, true,  false, READ_AGAIN",
    "CONTENTS,  90, 7, false, true,  NONE",
    "IDS,      364, 7, false, false, YOUNG",
    "IDS,      365, 7, false, false, NONE",
    "IDS,      365, 6, false, false, NONE",
    "IDS,      365, 7, false, true,  AWAITED",
    "IDS,      365, 7, true,  false, READ_AGAIN",
  })
  void whatHoldsARow(
      Kept kept, int days, long taken, boolean readAgain, boolean awaited, Stop stop) {
    var row = new Row(7, NOW.minus(Duration.ofDays(days)), awaited);

    var cut = new Room(POLICY).cut(kept, List.of(row), new Situation(NOW, taken, readAgain));

    assertThat(cut).isEqualTo(new Cut(stop == Stop.NONE ? 1 : 0, stop));
  }

  @Test
  void aListenerHoldsForEverIfNothingIsSaidOfIt() {
    var policy = RoomPolicy.of(Duration.ofDays(30), Duration.ofDays(30));
    var row = new Row(7, NOW.minus(Duration.ofDays(10_000)), false);

    assertThat(new Room(policy).cut(Kept.CONTENTS, List.of(row), new Situation(NOW, 6, false)))
        .isEqualTo(new Cut(0, Stop.UNREAD));
  }

  @Test
  void nothingIsForgottenWhereNothingIsSaid() {
    var row = new Row(7, Instant.EPOCH, false);
    for (var kept : Kept.values()) {
      assertThat(
              new Room(RoomPolicy.FOREVER).cut(kept, List.of(row), new Situation(NOW, ALL, false)))
          .isEqualTo(new Cut(0, Stop.YOUNG));
    }
  }

  /** In their order (ROM-5). */
  @Property
  void whatGoesIsOldTakenAndAllThatComesBeforeTheFirstThatStays(
      @ForAll @Size(max = 9) List<@IntRange(max = 400) Integer> days,
      @ForAll @LongRange(max = 10) long taken,
      @ForAll Kept kept) {
    var rows =
        IntStream.range(0, days.size())
            .mapToObj(i -> new Row(i + 1, NOW.minus(Duration.ofDays(days.get(i))), false))
            .toList();
    var room = new Room(POLICY);
    var now = new Situation(NOW, taken, false);

    var cut = room.cut(kept, rows, now);

    for (int i = 0; i < rows.size(); i++) {
      boolean goesAlone = room.cut(kept, List.of(rows.get(i)), now).rows() == 1;
      if (i < cut.rows()) {
        assertThat(goesAlone).isTrue();
      } else if (i == cut.rows()) {
        assertThat(goesAlone).isFalse();
        assertThat(cut.stop()).isNotEqualTo(Stop.NONE);
      }
    }
    assertThat(cut.stop() == Stop.NONE).isEqualTo(cut.rows() == rows.size());
  }

  @Test
  void howLongWhatStaysCouldHaveGoneIsSaid() {
    var room = new Room(POLICY);
    var old = new Row(2, NOW.minus(Duration.ofDays(32)), false);
    var now = new Situation(NOW, 1, false);

    assertThat(room.overdue(Kept.CONTENTS, old, now)).isEqualTo(Duration.ofDays(2));
    assertThat(room.overdue(Kept.IDS, old, now)).as("it is young").isZero();
    assertThat(new Room(RoomPolicy.FOREVER).overdue(Kept.CONTENTS, old, now)).isZero();
  }

  @Test
  void whatWouldBeKeptForLessThanItsContentsIsRefused() {
    var keep = Optional.of(Duration.ofDays(30));

    assertThatThrownBy(() -> new RoomPolicy(keep, Duration.ofDays(29), Optional.empty()))
        .hasMessageContaining("ids");
    assertThatThrownBy(
            () -> new RoomPolicy(keep, Duration.ofDays(30), Optional.of(Duration.ofDays(29))))
        .hasMessageContaining("listeners");
    assertThatThrownBy(() -> RoomPolicy.of(Duration.ZERO, Duration.ZERO))
        .hasMessageContaining("ended");
  }
}

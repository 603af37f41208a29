package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.EntityId;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdRangesTest {
  private static ScheduleId digest(String leading, char rest) {
    var digits = leading + String.valueOf(rest).repeat(64 - leading.length());
    return new ScheduleId(FamilyKind.GAS_PRIORITY, Hash.hex(digits));
  }

  private static ScheduleId number(long number) {
    return new EntityId(number).schedule();
  }

  @Test
  void aRangeOfDigestsIsThoseOfThreeLeadingDigits() {
    for (var id : List.of(digest("3a7", '0'), digest("3a7", '5'), digest("3a7e", 'f'))) {
      assertThat(IdRanges.end(id)).isEqualTo(digest("3a7", 'f'));
      assertThat(IdRanges.before(id)).isEqualTo(digest("3a6", 'f'));
    }
  }

  @Test
  void theFirstRangeBeginsBehindNothing() {
    assertThat(IdRanges.before(digest("0001", '8'))).isEqualTo(digest("", '0'));
    assertThat(IdRanges.end(digest("0001", '8'))).isEqualTo(digest("000", 'f'));
  }

  @Test
  void theLastRangeEndsWithTheFamily() {
    assertThat(IdRanges.end(digest("fff0", '8'))).isEqualTo(digest("", 'f'));
  }

  @Test
  void numbersAreInRangesOfAThousandAndTwentyFour() {
    assertThat(IdRanges.end(number(1001))).isEqualTo(number(1023));
    assertThat(IdRanges.before(number(1001))).isEqualTo(number(0));
    assertThat(IdRanges.end(number(2048))).isEqualTo(number(3071));
    assertThat(IdRanges.before(number(2048))).isEqualTo(number(2047));
    assertThat(IdRanges.before(number(3000))).isEqualTo(number(2047));
  }

  /** Whoever goes on behind an end reads the next range, and no other again. */
  @Test
  void behindAnEndTheNextRangeBegins() {
    for (var id : List.of(digest("3a7", 'f'), digest("", 'f'), number(1023), number(2047))) {
      assertThat(IdRanges.before(id)).isEqualTo(id);
    }
  }
}

package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.EntityId;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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

  @Test
  void withinARangeItEndsAsFarFromAllOthersAsItCan() {
    var end = digest("3a6", 'f');
    assertThat(IdRanges.within(Optional.of(end), digest("3a71", '5')))
        .isEqualTo(digest("3a70", 'f'));
    assertThat(IdRanges.within(Optional.of(end), digest("3a7d", '5')))
        .isEqualTo(digest("3a77", 'f'));
    assertThat(IdRanges.within(Optional.of(digest("3a7b", 'f')), digest("3a7d", '5')))
        .isEqualTo(digest("3a7c", 'f'));
    assertThat(IdRanges.within(Optional.empty(), digest("0071", '5')))
        .isEqualTo(digest("003", 'f'));
    assertThat(IdRanges.within(Optional.of(number(1023)), number(1040))).isEqualTo(number(1039));
  }

  @Test
  void itNeverStandsStillNorPassesWhatWasLookedAt() {
    var random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      long first = random.nextLong(1L << 20);
      long last = first + 1 + random.nextLong(1L << random.nextInt(20));
      var end = EntityId.of(IdRanges.within(Optional.of(number(first)), number(last)));
      assertThat(end.number()).isBetween(first + 1, last);
    }
    var greatest = digest("", 'f');
    assertThat(IdRanges.within(Optional.of(digest("f", '0')), greatest)).isEqualTo(greatest);
  }
}

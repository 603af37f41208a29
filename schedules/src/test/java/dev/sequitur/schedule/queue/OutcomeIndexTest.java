package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** It finds what a look through all outcomes would find. */
class OutcomeIndexTest {
  private static final int REMEMBERED = 50;

  @Property(tries = 200)
  void itFindsEachRememberedOutcomeOfAScheduleNewestFirst(
      @ForAll @Size(max = 300) List<@IntRange(max = 20) Integer> schedules) {
    var index = OutcomeIndex.EMPTY;
    for (int number = 0; number < schedules.size(); number++) {
      long oldest = Math.max(0, number + 1 - REMEMBERED);
      index = index.plus(schedule(schedules.get(number)), number, oldest);
    }

    long oldest = Math.max(0, schedules.size() - REMEMBERED);
    for (int each = 0; each <= 20; each++) {
      var expected = new ArrayList<Long>();
      for (long number = schedules.size() - 1L; number >= oldest; number--) {
        if (schedules.get((int) number) == each) {
          expected.add(number);
        }
      }
      assertThat(index.find(schedule(each)).filter(number -> number >= oldest))
          .as("schedule %d", each)
          .containsExactlyElementsOf(expected);
    }
  }

  @Test
  void whatIsForgottenLeavesItSoThatItStaysSmall() {
    var index = OutcomeIndex.EMPTY;
    for (long number = 0; number < 10_000; number++) {
      index = index.plus(schedule(1), number, Math.max(0, number + 1 - REMEMBERED));
    }

    assertThat(index.find(schedule(1)).count()).isBetween((long) REMEMBERED, 4L * REMEMBERED);
  }

  /** Runs are merged up to a length: what is forgotten leaves with the oldest one as a whole. */
  @Test
  void aLongHistoryIsFoundAndForgottenToo() {
    int remembered = 40_000;
    var index = OutcomeIndex.EMPTY;
    for (long number = 0; number < 150_000; number++) {
      index = index.plus(schedule((int) number % 2), number, Math.max(0, number + 1 - remembered));
    }

    for (int each = 0; each < 2; each++) {
      int odd = each;
      assertThat(index.find(schedule(each)).filter(number -> number >= 110_000))
          .containsExactlyElementsOf(
              LongStream.range(0, 40_000)
                  .map(n -> 149_999 - n)
                  .filter(n -> n % 2 == odd)
                  .boxed()
                  .toList());
      assertThat(index.find(schedule(each)).count()).isLessThan(remembered);
    }
  }

  /** Of one schedule there may be a million. */
  @Test
  void itLooksAtNoMoreThanAreTaken() {
    var index = OutcomeIndex.EMPTY;
    for (long number = 0; number < 50_000; number++) {
      index = index.plus(schedule(1), number, 0);
    }
    var looked = new ArrayList<Long>();

    assertThat(index.find(schedule(1)).peek(looked::add).limit(3))
        .containsExactly(49_999L, 49_998L, 49_997L);

    assertThat(looked).hasSize(3);
  }

  @Test
  void anEarlierIndexStaysAsItWas() {
    var before = OutcomeIndex.EMPTY.plus(schedule(1), 0, 0).plus(schedule(2), 1, 0);

    before.plus(schedule(1), 2, 0);

    assertThat(before.find(schedule(1))).containsExactly(0L);
    assertThat(before.find(schedule(2))).containsExactly(1L);
  }

  /** As multi-signature numbers them: all but the last word are the same. */
  private static ScheduleId schedule(int number) {
    return new ScheduleId(FamilyKind.MULTI_SIGNATURE, new Hash(0, 0, 0, number));
  }
}

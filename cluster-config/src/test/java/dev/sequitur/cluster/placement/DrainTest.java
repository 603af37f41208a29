package dev.sequitur.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.cluster.placement.Drain.Limits;
import dev.sequitur.cluster.placement.Drain.Seen;
import dev.sequitur.cluster.placement.Drain.Step;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DrainTest {
  private static final Limits LIMITS = new Limits(Duration.ofSeconds(2), Duration.ofSeconds(10));
  private static final long ASKED = 5_000;

  private final Drain asked = Drain.NONE.begin(ASKED);

  private static Seen seen(int others, boolean coordinating, long range, Duration after) {
    return new Seen(others, coordinating, range, ASKED + after.toNanos());
  }

  private static Drain refusing() {
    return Drain.NONE.begin(ASKED).look(seen(1, true, 7, Duration.ofSeconds(2)), LIMITS);
  }

  @Test
  void whoIsNotAskedServes() {
    assertThat(Drain.NONE.look(seen(1, false, 7, Duration.ofHours(1)), LIMITS))
        .isEqualTo(Drain.NONE);
  }

  @Test
  void callersAreServedWhileThoseWhoWatchAreTold() {
    assertThat(asked.step()).isEqualTo(Step.TELLS);
    assertThat(asked.look(seen(1, false, 7, Duration.ofMillis(1_999)), LIMITS)).isEqualTo(asked);
  }

  @Test
  void afterTheNoticeCallersAreRefusedWhileCoordinatorsGoOn() {
    assertThat(refusing().step()).isEqualTo(Step.REFUSES);
    assertThat(refusing().look(seen(1, true, 7, Duration.ofSeconds(9)), LIMITS))
        .isEqualTo(refusing());
  }

  @Test
  void whoCoordinatesNothingLeavesAfterTheNotice() {
    assertThat(asked.look(seen(1, false, 7, Duration.ofSeconds(2)), LIMITS).step())
        .isEqualTo(Step.LEAVES);
  }

  @Test
  void whereARangeEndsItLeaves() {
    assertThat(refusing().look(seen(1, true, 8, Duration.ofSeconds(3)), LIMITS).step())
        .isEqualTo(Step.LEAVES);
  }

  @Test
  void aRangeThatEndedDuringTheNoticeIsNoReason() {
    var told = asked.look(seen(1, true, 7, Duration.ofSeconds(1)), LIMITS);
    assertThat(told.look(seen(1, true, 8, Duration.ofSeconds(2)), LIMITS).step())
        .isEqualTo(Step.REFUSES);
  }

  @Test
  void itLeavesInTheMiddleOfARangeWhenTheTimeIsOver() {
    assertThat(refusing().look(seen(1, true, 7, Duration.ofSeconds(10)), LIMITS).step())
        .isEqualTo(Step.LEAVES);
  }

  @Test
  void whoIsAloneLeavesAtOnce() {
    assertThat(asked.look(seen(0, true, 7, Duration.ZERO), LIMITS).step()).isEqualTo(Step.LEAVES);
    assertThat(refusing().look(seen(0, true, 7, Duration.ofSeconds(3)), LIMITS).step())
        .isEqualTo(Step.LEAVES);
  }

  @Test
  void toBeAskedAgainChangesNothing() {
    assertThat(asked.begin(ASKED + 1)).isEqualTo(asked);
    assertThat(refusing().begin(ASKED + 1)).isEqualTo(refusing());
  }

  @Test
  void theNoticeIsPartOfTheWholeTime() {
    assertThatThrownBy(() -> new Limits(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Provide
  Arbitrary<List<Seen>> looks() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(true, true, true, false),
            Arbitraries.longs().between(7, 9),
            Arbitraries.longs().between(0, 15_000))
        .as((others, busy, range, millis) -> seen(others, busy, range, Duration.ofMillis(millis)))
        .list()
        .ofMaxSize(20)
        .map(seen -> seen.stream().sorted((a, b) -> Long.compare(a.nanos(), b.nanos())).toList());
  }

  /**
   * Never back; never a caller refused before the notice, if there is another JVM; never longer.
   */
  @Property
  void itGoesForwardAndIsBounded(@ForAll("looks") List<Seen> looks) {
    var drain = asked;
    for (var look : looks) {
      var next = drain.look(look, LIMITS);
      var waited = Duration.ofNanos(look.nanos() - ASKED);
      assertThat(next.step()).isGreaterThanOrEqualTo(drain.step());
      if (look.others() > 0 && waited.compareTo(LIMITS.notice()) < 0) {
        assertThat(next).isEqualTo(drain);
      }
      if (waited.compareTo(LIMITS.atMost()) >= 0) {
        assertThat(next.step()).isEqualTo(Step.LEAVES);
      }
      drain = next;
    }
  }
}

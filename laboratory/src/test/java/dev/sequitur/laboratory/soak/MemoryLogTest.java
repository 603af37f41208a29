package dev.sequitur.laboratory.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryLogTest {
  private final Map<String, Long> self = Map.of("self", ProcessHandle.current().pid());

  @Test
  void whatIsLeftOnTheHeapIsToldAtTheStartAndAtTheEnd() {
    // What tests before this one have left is gone only after a collection of its own.
    new MemoryLog().collect(self);
    var log = new MemoryLog();
    log.look(self);
    log.collect(self);
    var kept = new byte[30 << 20];
    log.collect(self);
    log.look(self);

    var live = log.uses().get("self").live().orElseThrow();
    assertThat(live.end() - live.start()).isGreaterThan(kept.length / 2_048);
    assertThat(log.uses().get("self").age()).isPositive();
  }

  @Test
  void ofAProcessThatHasEndedItTellsWhatItSawBefore() {
    var log = new MemoryLog();
    log.look(Map.of("gone", Long.MAX_VALUE));
    log.collect(Map.of("gone", Long.MAX_VALUE));

    assertThat(log.uses().get("gone"))
        .isEqualTo(new MemoryLog.Use(Optional.empty(), Optional.empty(), Duration.ZERO));
  }

  @Test
  void theSumOfAHistogramIsInItsLastLine() {
    var histogram =
        """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:         97429        2993032  [B (java.base@17.0.15)
        Total         97429        2993032
        """;
    assertThat(LiveHeap.total(histogram)).hasValue(2_922);
    assertThat(LiveHeap.total("No such process")).isEmpty();
  }
}

package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerRefusalsTest {
  private static final String ONE = "token:one";
  private static final String OTHER = "token:other";

  private final AtomicLong now = new AtomicLong(7);
  private final CallerRefusals refusals = new CallerRefusals(now::get);

  private void exhaust() {
    for (int i = 0; i < CallerRefusals.EACH; i++) {
      assertThat(refusals.due(ONE)).isEqualTo(OptionalLong.of(0));
    }
  }

  @Test
  void afterSomeTheRefusalsOfACallerAreCountedTogether() {
    exhaust();
    for (int i = 0; i < 100_000; i++) {
      assertThat(refusals.due(ONE)).isEmpty();
    }

    now.addAndGet(CallerRefusals.TOGETHER.toNanos());

    assertThat(refusals.due(ONE)).isEqualTo(OptionalLong.of(100_000));
    assertThat(refusals.due(ONE)).isEmpty();
  }

  @Test
  void oneCallersRefusalsHideNoOthers() {
    exhaust();

    assertThat(refusals.due(ONE)).isEmpty();
    assertThat(refusals.due(OTHER)).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void afterAWhileEachIsWrittenAgain() {
    exhaust();
    now.addAndGet(CallerRefusals.SPAN.toNanos());
    exhaust();
  }
}

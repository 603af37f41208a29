package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final String ONE = "token:one";
  private static final String OTHER = "token:other";

  private final AtomicLong now = new AtomicLong(7);
  private final Refusals refusals = new Refusals(now::get);

  private void exhaust() {
    for (int i = 0; i < Refusals.EACH; i++) {
      assertThat(refusals.due(ONE)).isEqualTo(OptionalLong.of(0));
    }
  }

  @Test
  void afterSomeTheRefusalsOfACallerAreCountedTogether() {
    exhaust();
    for (int i = 0; i < 100_000; i++) {
      assertThat(refusals.due(ONE)).isEmpty();
    }

    now.addAndGet(Refusals.TOGETHER.toNanos());

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
    now.addAndGet(Refusals.SPAN.toNanos());
    exhaust();
  }
}

package dev.sequitur.protocol.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {
  private final Step<Integer, Integer, String> step = new Step<>(100, Instant.EPOCH, Integer::sum);

  private void something(int event) {
    step.record(event);
    step.effect("effect " + event);
    step.send(
        Contract.B,
        new StartupNotificationAcknowledgement(
            new RequestId("request-" + event), Contract.ADDRESS));
  }

  @Test
  void goesBackAsIfNothingHadHappenedSince() {
    something(1);
    var mark = step.mark();
    var before = step.finish();
    var kept =
        new Decision<>(
            before.state(),
            List.copyOf(before.events()),
            List.copyOf(before.messages()),
            List.copyOf(before.effects()));

    something(2);
    step.become(7);
    step.backTo(mark);

    assertThat(step.finish()).isEqualTo(kept);
    something(3);
    assertThat(step.finish().events()).containsExactly(1, 3);
    assertThat(step.state()).isEqualTo(104);
  }

  @Test
  void saysWhatTimeItIsToWhoeverDecides() {
    var later = Instant.ofEpochSecond(9);
    assertThat(new Step<>(0, later, Integer::sum).now()).isEqualTo(later);
  }
}

package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatSequenceTest {
  @Test
  void theNextIsLaterAndALaterIncarnationIsLaterThanAnyOfIt() {
    var one = new HeartbeatSequence(3, 41);

    assertThat(one.next()).isEqualTo(new HeartbeatSequence(3, 42)).isGreaterThan(one);
    assertThat(new HeartbeatSequence(4, 0)).isGreaterThan(one.next());
  }
}

package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatSequenceTest {
  private static final HeartbeatSequence ONE = new HeartbeatSequence(3, 41);

  @Test
  void ofOneStartWhatIsLaterTellsOfWhatWasEarlier() {
    assertThat(ONE.next()).isEqualTo(new HeartbeatSequence(3, 42));
    assertThat(ONE.next().tellsOf(ONE)).isTrue();
    assertThat(ONE.tellsOf(ONE)).isFalse();
    assertThat(ONE.tellsOf(ONE.next())).isFalse();
  }

  @Test
  void anotherStartTellsOfItWhicheverNumberItHas() {
    assertThat(new HeartbeatSequence(4, 0).tellsOf(ONE)).isTrue();
    assertThat(new HeartbeatSequence(2, 0).tellsOf(ONE)).isTrue();
  }
}

package dev.sequitur.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolVersionTest {
  @Test
  void anotherMajorVersionIsRefusedAndAnotherMinorOneAccepted() {
    var here = new ProtocolVersion(1, 2, 3);
    assertThat(here.isCompatibleWith(new ProtocolVersion(1, 0, 0))).isTrue();
    assertThat(here.isCompatibleWith(new ProtocolVersion(1, 9, 9))).isTrue();
    assertThat(here.isCompatibleWith(new ProtocolVersion(2, 2, 3))).isFalse();
    assertThat(here.isCompatibleWith(new ProtocolVersion(0, 2, 3))).isFalse();
  }

  @Test
  void isReadAsItIsWritten() {
    var version = new ProtocolVersion(1, 20, 300);
    assertThat(ProtocolVersion.parse("1.20.300")).isEqualTo(version).hasToString("1.20.300");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1.0", "1.0.0.0", "1.0.x", "-1.0.0", "1.0.1000000", " 1.0.0"})
  void anotherTextIsNone(String text) {
    assertThatThrownBy(() -> ProtocolVersion.parse(text)).hasMessageContaining("is like 1.0.0");
  }
}

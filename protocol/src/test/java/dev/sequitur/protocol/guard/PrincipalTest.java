package dev.sequitur.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrincipalTest {
  @Test
  void aCallerIsNamedByWhatShowsItAndItsName() {
    assertThat(new Principal(Principal.Kind.JWT, "alice smith", List.of()))
        .hasToString("jwt:alice smith");
    assertThat(Principal.ANYBODY).hasToString("unasked:anybody");
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(
      strings = {
        "",
        "two\nlines",
        "\u0085",
        "\ud800",
        "a\u0000",
        "evil\u202egnp",
        "zero\u200bwidth",
        "two\u2028lines"
      })
  void aNameThatCouldNotBeWrittenDownIsNone(String name) {
    assertThatThrownBy(() -> new Principal(Principal.Kind.JWT, name, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameIsNoLongerThanALogCanBear() {
    assertThat(new Principal(Principal.Kind.JWT, "n".repeat(128), List.of()).name()).hasSize(128);
    assertThatThrownBy(() -> new Principal(Principal.Kind.JWT, "n".repeat(129), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

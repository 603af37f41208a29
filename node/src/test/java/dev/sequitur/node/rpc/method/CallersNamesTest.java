package dev.sequitur.node.rpc.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.guard.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallersNamesTest {
  private static Principal caller(Principal.Kind kind, String name) {
    return new Principal(kind, name, List.of());
  }

  @Test
  void noTwoCallersHaveTheSameNameStored() {
    var one = caller(Principal.Kind.JWT, "a/b");
    var other = caller(Principal.Kind.JWT, "a");
    var third = caller(Principal.Kind.JWT, "a%2Fb");

    assertThat(CallersNames.stored(one, "c")).isNotEqualTo(CallersNames.stored(other, "b/c"));
    assertThat(CallersNames.stored(one, "c")).isNotEqualTo(CallersNames.stored(third, "c"));
    assertThat(CallersNames.own(other, CallersNames.stored(one, "c"))).isEmpty();
    assertThat(CallersNames.own(one, CallersNames.stored(one, "c"))).contains("c");
  }

  @Test
  void whoIsAskedForNothingReachesEachAsItIsStored() {
    var stored = CallersNames.stored(caller(Principal.Kind.TOKEN, "ci"), "books");

    assertThat(stored).isEqualTo("token:ci/books");
    assertThat(CallersNames.stored(Principal.ANYBODY, stored)).isEqualTo(stored);
    assertThat(CallersNames.own(Principal.ANYBODY, stored)).contains(stored);
  }

  @Test
  void aPersonIsToldTheNameThatItsCallerChose() {
    assertThat(CallersNames.chosen("token:ci/books/new")).isEqualTo("books/new");
    assertThat(CallersNames.chosen("books/new")).isEqualTo("books/new");
  }
}

package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.guard.Quota;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QuotasTest {
  private static final Principal ONE = token("one");
  private static final Principal OTHER = token("other");

  private final AtomicLong now = new AtomicLong();
  private final Quotas quotas = new Quotas(Optional.of(new Quota(10, 2, 2)), now::get);

  @Test
  void aCallerHasItsOwnQuotaAndItFillsAgain() {
    assertThat(quotas.take(ONE, 2).orElseThrow().requests()).isZero();
    assertThatThrownBy(() -> quotas.take(ONE, 1)).hasMessageContaining("Try again after 1 s");
    assertThat(quotas.take(OTHER, 1)).isPresent();
    now.addAndGet(100_000_000);

    assertThat(quotas.take(ONE, 1)).isPresent();
    assertThatThrownBy(() -> quotas.take(ONE, 1)).isInstanceOf(Quotas.Exceeded.class);
  }

  @Test
  void soManyAreAnsweredAtATime() {
    quotas.begins(ONE);
    quotas.begins(ONE);
    assertThatThrownBy(() -> quotas.begins(ONE)).hasMessageContaining("Await an answer first");
    quotas.begins(OTHER);
    quotas.ends(ONE);

    quotas.begins(ONE);
    assertThatThrownBy(() -> quotas.begins(ONE)).isInstanceOf(Quotas.Exceeded.class);
  }

  @Test
  void whoIsNotAskedAndWhereThereIsNoQuotaAnythingGoes() {
    var none = new Quotas(Optional.empty(), now::get);
    for (int i = 0; i < 10; i++) {
      assertThat(quotas.take(Principal.ANYBODY, 9)).isEmpty();
      quotas.begins(Principal.ANYBODY);
      assertThat(none.take(ONE, 9)).isEmpty();
      none.begins(ONE);
    }
  }

  private static Principal token(String name) {
    return new Principal(Principal.Kind.TOKEN, name, List.of());
  }
}

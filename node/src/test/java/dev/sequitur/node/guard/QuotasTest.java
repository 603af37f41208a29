package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.guard.Quotas.Begun;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QuotasTest {
  private static final Principal ONE = token("one");
  private static final Principal OTHER = token("other");

  private final AtomicLong now = new AtomicLong();
  private final Quotas quotas = new Quotas(Optional.of(new Quota(10, 2, 2, 3)), now::get);

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
  void soManyMayHaveBegunAndNotEnded() {
    var first = new Begun.Sent(new TransactionId(new UUID(0, 1)));
    var second = new Begun.Sent(new TransactionId(new UUID(0, 2)));
    assertThat(quotas.reserve(ONE, 2)).isTrue();
    assertThat(quotas.reserve(ONE, 2)).isFalse();
    quotas.began(ONE, 2, List.of(first, second));
    assertThat(quotas.pendingLeft(ONE)).hasValue(1);
    assertThat(quotas.reserve(ONE, 2)).isFalse();
    assertThat(quotas.reserve(OTHER, 3)).isTrue();
    assertThat(quotas.exceededPending(ONE, 2)).hasMessageContaining("token:one has begun 2 ");

    quotas.ended(ONE, List.of(first));

    assertThat(quotas.reserve(ONE, 2)).isTrue();
    // What was refused has begun nothing, and what was begun before is counted once.
    quotas.began(ONE, 2, List.of(second));
    assertThat(quotas.pendingLeft(ONE)).hasValue(2);
  }

  /** Those that end late must not hide those behind them that have ended. */
  @Test
  void thoseThatAreAskedAboutComeLastTheNextTime() {
    var all =
        LongStream.range(0, 3)
            .<Begun>mapToObj(i -> new Begun.Sent(new TransactionId(new UUID(0, i))))
            .toList();
    quotas.reserve(ONE, 3);
    quotas.began(ONE, 3, all);

    assertThat(quotas.oldest(ONE, 2)).containsExactly(all.get(0), all.get(1));
    assertThat(quotas.oldest(ONE, 2)).containsExactly(all.get(2), all.get(0));
  }

  @Test
  void whoIsNotAskedAndWhereThereIsNoQuotaAnythingGoes() {
    var none = new Quotas(Optional.empty(), now::get);
    for (int i = 0; i < 10; i++) {
      assertThat(quotas.take(Principal.ANYBODY, 9)).isEmpty();
      quotas.begins(Principal.ANYBODY);
      assertThat(none.take(ONE, 9)).isEmpty();
      none.begins(ONE);
      assertThat(quotas.reserve(Principal.ANYBODY, 9)).isTrue();
      assertThat(none.reserve(ONE, 9)).isTrue();
    }
  }

  private static Principal token(String name) {
    return new Principal(Principal.Kind.TOKEN, name, List.of());
  }
}

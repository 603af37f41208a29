package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GroupCountTest {
  private final ArrayDeque<CompletableFuture<Long>> reads = new ArrayDeque<>();
  private long nanos = -5;

  private final GroupCount count = new GroupCount(this::read, () -> nanos, 7);

  private CompletionStage<Long> read() {
    var answer = new CompletableFuture<Long>();
    reads.add(answer);
    return answer;
  }

  @Test
  void whatWasJustReadIsNotReadAgain() {
    assertThat(count.now()).isEqualTo(7);

    pass(999);

    assertThat(count.now()).isEqualTo(7);
    assertThat(reads).isEmpty();
  }

  @Test
  void whatIsOldIsToldOnceMoreAndReadOnceHoweverManyAsk() {
    pass(1_000);
    assertThat(count.now()).isEqualTo(7);
    assertThat(count.now()).isEqualTo(7);
    assertThat(reads).hasSize(1);

    reads.remove().complete(9L);

    assertThat(count.now()).isEqualTo(9);
    assertThat(reads).isEmpty();
  }

  @Test
  void whatCannotBeReadStaysAndIsReadAgainLater() {
    pass(1_000);
    count.now();
    reads.remove().completeExceptionally(new IllegalStateException("The database is away."));
    assertThat(count.now()).isEqualTo(7);
    assertThat(reads).isEmpty();

    pass(1_000);
    count.now();
    reads.remove().complete(8L);

    assertThat(count.now()).isEqualTo(8);
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }
}

package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class AwaitTest {
  private int asked;

  @Test
  void aLedgerThatCannotBeReachedIsAskedAgain() {
    assertThat(Await.ledger(() -> answer(new LedgerUnreachableException("It starts.", null)), "it"))
        .isEqualTo(3);
  }

  @Test
  void anotherFailureOfALedgerIsToldAtOnce() {
    assertThatThrownBy(() -> Await.ledger(() -> answer(new IllegalStateException("No.")), "it"))
        .isInstanceOf(DemoFailure.class)
        .hasMessage("A failure: it: No.");
    assertThat(asked).isEqualTo(1);
  }

  private CompletionStage<Integer> answer(RuntimeException before) {
    asked++;
    return asked < 3
        ? CompletableFuture.failedStage(before)
        : CompletableFuture.completedStage(asked);
  }
}

package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.sender.SenderEffect.LookUpReceipt;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Transactions that wait for others (SND-6). */
class DependingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void theSendersOwnAreNotLookedUp() {
    sender.accept(SenderOfA.after(2, FIRST), FIRST);
    assertThat(sender.effects(LookUpReceipt.class)).isEmpty();
    sender.tickAfter(Duration.ofSeconds(1));
    assertThat(sender.effects(LookUpReceipt.class)).isEmpty();
    assertThat(sender.transaction(SenderOfA.after(2, FIRST)).state())
        .isEqualTo(TransactionState.PENDING);

    sender.confirm(FIRST);

    assertThat(sender.delegatedTo()).containsExactly(B);
    assertThat(sender.state().dependencies().awaited()).isEmpty();
  }

  @Test
  void othersAreLookedUpAtOnceAndThenEverLessOften() {
    var dependant = SenderOfA.after(2, FIRST);
    sender.accept(dependant);
    assertThat(sender.effects(LookUpReceipt.class)).containsExactly(new LookUpReceipt(FIRST.id()));

    var waits = new ArrayList<Duration>(List.of(untilNextLookUp()));
    int lookUps = 0;
    for (int tick = 0; tick < 600; tick++) {
      sender.tickAfter(Duration.ofMillis(100));
      if (!sender.effects(LookUpReceipt.class).isEmpty()) {
        lookUps++;
        waits.add(untilNextLookUp());
      }
    }

    assertThat(lookUps).as("in a minute").isBetween(8, 14);
    assertThat(waits.get(1)).as("longer already").isEqualTo(wait(2)).isGreaterThan(wait(1));
    sender.tell(new SenderInput.DependencyEnded(FIRST.id(), true));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void manyThatWaitForOneLookItUpOnce() {
    sender.accept(SenderOfA.after(2, FIRST), SenderOfA.after(3, FIRST), SenderOfA.after(4, FIRST));

    assertThat(sender.effects(LookUpReceipt.class)).hasSize(1);
  }

  @Test
  void nothingIsKeptOfADependantThatHasEnded() {
    var dependant = SenderOfA.after(2, FIRST);
    sender.accept(dependant);

    sender.confirm(dependant);

    assertThat(sender.state().dependencies().awaited()).isEmpty();
    sender.tickAfter(Duration.ofMinutes(1));
    assertThat(sender.effects(LookUpReceipt.class)).isEmpty();
  }

  @Test
  void whatIsNotAwaitedByOneThatHasEndedIsStillAwaitedByTheOther() {
    var dependant = SenderOfA.after(2, FIRST);
    sender.accept(dependant, SenderOfA.after(3, FIRST));

    sender.confirm(dependant);

    assertThat(sender.state().dependencies().awaited()).containsOnlyKeys(FIRST.id());
  }

  @Test
  void aLongChainEndsWithItsFirst() {
    var chain = new ArrayList<PrivateTransaction>(List.of(FIRST));
    for (int i = 1; i < 20_000; i++) {
      chain.add(SenderOfA.after(i + 1, chain.get(i - 1)));
    }
    sender.tell(new SenderInput.IntentsAccepted(chain, false));

    sender.tell(
        B,
        new TransactionReverted(
            new RequestId("reverted"),
            FIRST.id(),
            FIRST.contract(),
            Optional.empty(),
            "No reason.",
            false));

    assertThat(sender.completed()).hasSize(20_000).noneMatch(receipt -> receipt.success());
    assertThat(sender.state().isIdle()).isTrue();
    assertThat(sender.state().dependencies().awaited()).isEmpty();
  }

  @Test
  void afterARestartWhatEndedBeforeIsLookedUp() {
    var dependant = SenderOfA.after(2, FIRST);
    sender.accept(FIRST, dependant);

    sender.restart(List.of(dependant), Map.of());

    assertThat(sender.effects(LookUpReceipt.class)).containsExactly(new LookUpReceipt(FIRST.id()));
  }

  private Duration untilNextLookUp() {
    var awaited = sender.state().dependencies().awaited().get(FIRST.id());
    return Duration.between(sender.now(), awaited.nextLookUp());
  }

  private static Duration wait(int lookUp) {
    return SenderOfA.SETTINGS.retries().attempt().wait(lookUp, FIRST.id().hashCode());
  }
}

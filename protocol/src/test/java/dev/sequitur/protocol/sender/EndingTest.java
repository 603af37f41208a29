package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.sender.SenderEffect.ConfirmReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A late confirmation wins (A9). */
class EndingTest {
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void aLateConfirmationWins() {
    revert();

    sender.confirm(TRANSACTION);

    assertThat(sender.completed()).singleElement().matches(Receipt::success);
  }

  @Test
  void aLateConfirmationWinsAfterARestartToo() {
    revert();
    sender.restart(List.of(), Map.of());

    sender.confirm(TRANSACTION);

    assertThat(sender.effects(ConfirmReverted.class))
        .singleElement()
        .extracting(late -> late.confirmations().keySet())
        .isEqualTo(Set.of(TRANSACTION.key()));
  }

  @Test
  void anotherMembersIntentOfTheSameIdIsNoLateConfirmation() {
    revert();

    sender.confirm(Contract.transaction(B, 1));

    assertThat(sender.completed()).isEmpty();
  }

  @Test
  void whatIsConfirmedInTimeNeedsNoSecondLook() {
    sender.accept(TRANSACTION);

    sender.confirm(TRANSACTION);
    assertThat(sender.effects(ConfirmReverted.class)).isEmpty();
    sender.confirm(TRANSACTION);
    assertThat(sender.last().effects()).isEmpty();
  }

  private void revert() {
    sender.accept(TRANSACTION);
    sender.tell(
        B,
        new TransactionReverted(
            new RequestId("reverted"),
            TRANSACTION.id(),
            TRANSACTION.contract(),
            Optional.empty(),
            "No reason.",
            false));
    assertThat(sender.completed()).singleElement().matches(receipt -> !receipt.success());
  }
}

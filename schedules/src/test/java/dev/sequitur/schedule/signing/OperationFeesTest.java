package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each operation costs (MSIG-14). */
class OperationFeesTest {
  private static final OperationFees FEES = fees(5, 7, 9, 6);
  private static final AccountKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("01".repeat(32)));

  @Test
  void anExecutionCostsWhatItsKindDoes() {
    assertThat(FEES.of(new Action.CryptoTransfer(List.of()))).isEqualTo(new Amount(5));
    assertThat(FEES.of(new Action.CryptoCreate(KEY, Amount.ZERO, false, "")))
        .isEqualTo(new Amount(7));
    assertThat(FEES.of(new Action.CryptoUpdate(new EntityId(5), AccountChange.NONE)))
        .isEqualTo(new Amount(9));
    assertThatIllegalStateException()
        .isThrownBy(() -> FEES.of(new Action.Unschedulable("a freeze")))
        .withMessageContaining("a freeze");
  }

  @Test
  void theLeastThatAScheduleCostsIsItsCreationAndTheCheapestExecution() {
    assertThat(FEES.least()).isEqualTo(new Amount(100 + 5));
    assertThat(fees(9, 7, 9, 8).least()).isEqualTo(new Amount(100 + 7));
    assertThat(fees(9, 8, 9, 7).least()).isEqualTo(new Amount(100 + 7));
    assertThat(fees(9, 8, 6, 7).least()).isEqualTo(new Amount(100 + 6));
  }

  @Test
  void signaturesArePaidForOneByOne() {
    assertThat(FEES.ofSignatures(0)).isEqualTo(Amount.ZERO);
    assertThat(FEES.ofSignatures(3)).isEqualTo(new Amount(6));
  }

  private static OperationFees fees(long transfer, long create, long update, long privately) {
    return new OperationFees(
        new Amount(100),
        new Amount(1),
        new Amount(1),
        new Amount(2),
        new Amount(transfer),
        new Amount(create),
        new Amount(update),
        new Amount(privately),
        new Amount(1));
  }
}

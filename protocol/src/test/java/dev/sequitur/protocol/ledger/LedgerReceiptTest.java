package dev.sequitur.protocol.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerReceiptTest {
  private static final EnumSet<RevertReason> OF_THE_CALL =
      EnumSet.of(RevertReason.OUT_OF_GAS, RevertReason.CALL_REJECTED);

  @ParameterizedTest
  @EnumSource
  void aCallComesToNothingAsAWholeOnlyForWhatIsSaidOfAllOfIt(RevertReason reason) {
    var receipt = receipt(reverted(RevertReason.STATE_SPENT), reverted(reason));

    assertThat(receipt.isRevertedAsAWhole()).isEqualTo(OF_THE_CALL.contains(reason));
  }

  @Test
  void whatOnlyUsedItsNonceIsNotReverted() {
    assertThat(receipt(new LedgerReceipt.NonceUsed()).isRevertedAsAWhole()).isFalse();
  }

  private static LedgerReceipt.Result reverted(RevertReason reason) {
    return new LedgerReceipt.Reverted(
        Contract.ADDRESS, Contract.transaction(Contract.A, 1).key(), reason, "");
  }

  private static LedgerReceipt receipt(LedgerReceipt.Result... results) {
    return new LedgerReceipt(
        new TransactionHash(Contract.hash("transaction")),
        new LedgerAddress("0x" + "22".repeat(20)),
        0,
        new BlockHeight(1),
        0,
        List.of(results));
  }
}

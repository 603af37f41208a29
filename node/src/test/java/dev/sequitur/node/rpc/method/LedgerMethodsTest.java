package dev.sequitur.node.rpc.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerMethodsTest {
  private static final Hash HASH = new Hash(1, 2, 3, 4);
  private static final ContractAddress GROUP = new ContractAddress("0x" + "ab".repeat(20));

  private static final LedgerReceipt.Called CARRIED_OUT =
      new LedgerReceipt.Called(HASH, Optional.empty(), Bytes.EMPTY, Optional.empty());

  private static LedgerReceipt receipt(LedgerReceipt.Result... results) {
    return new LedgerReceipt(
        new TransactionHash(HASH),
        new LedgerAddress("0x" + "cd".repeat(20)),
        0,
        new BlockHeight(1),
        0,
        List.of(results));
  }

  /** Else it would succeed for as long as its signer awaits it, and fail afterwards. */
  @Test
  void aCallOfAGroupIsToldByItsTransitionsThoughItsSignerAwaitsIt() {
    var refused =
        new LedgerReceipt.Reverted(
            GROUP,
            new IntentKey(new TransactionId(new UUID(1, 2)), new SenderCommitment(HASH)),
            LedgerReceipt.RevertReason.STATE_SPENT,
            "spent");

    var both = receipt(refused, CARRIED_OUT);

    assertThat(LedgerMethods.succeeded(both)).isFalse();
    assertThat(LedgerMethods.called(both)).contains(GROUP);
    assertThat(LedgerMethods.succeeded(receipt(CARRIED_OUT))).isTrue();
  }
}

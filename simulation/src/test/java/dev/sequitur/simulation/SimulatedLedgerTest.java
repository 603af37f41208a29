package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedLedgerTest {
  private static final String KEY = "submitter";

  private final SimulatedKeys keys = new SimulatedKeys(new NodeName("node1"));
  private final SimulatedLedger ledger = new SimulatedLedger(List.of(), Tampering.NONE);

  @Test
  void aTransactionThatUsesItsNonceOnlyGetsIntoABlockAndDoesNothingElse() {
    var useNonce = signed(new LedgerTransaction.UseNonce());
    ledger.submit(useNonce);

    var block = ledger.mine(Instant.EPOCH);

    assertThat(block.receipts())
        .flatExtracting(LedgerReceipt::results)
        .containsExactly(new LedgerReceipt.NonceUsed());
    assertThat(ledger.nonce(useNonce.transaction().signer())).isEqualTo(1);
  }

  private SignedLedgerTransaction signed(LedgerTransaction.Call call) {
    var address = SimulatedKeys.SIGNATURES.address(keys.verifier(KEY));
    return CanonicalSigning.sign(
        new LedgerTransaction(address, 0, Fees.flat(1), 0, call), keys.signer(KEY));
  }
}

package dev.sequitur.protocol.port;

import dev.sequitur.protocol.funding.GasTransfer;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The money that a base ledger takes for gas, in its smallest unit. A ledger on which nobody pays
 * has none. Every future may fail when the ledger cannot be reached. Thread-safe.
 */
public interface GasMoney {
  /**
   * What is on some accounts, all at one and the same final block.
   *
   * @param payer whose next nonce is told as well
   * @param confirmations blocks upon a block that make it final
   */
  CompletionStage<Accounts> accounts(
      Optional<LedgerAddress> payer, List<LedgerAddress> keys, int confirmations);

  /** Signs a transfer and puts it into the pool. Idempotent. */
  CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer);

  /**
   * @param payerNonce of the payer's next transaction that is in no final block; 0 without a payer
   * @param payerBalance 0 without a payer
   * @param balances of those that were asked for
   */
  record Accounts(long payerNonce, long payerBalance, Map<LedgerAddress, Long> balances) {
    public Accounts {
      balances = Map.copyOf(balances);
    }
  }
}

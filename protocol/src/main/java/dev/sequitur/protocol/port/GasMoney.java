package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
   * @param keys whose money is told
   * @param once of them, those of which is told whether they have used a nonce
   * @param confirmations blocks upon a block that make it final
   */
  CompletionStage<Accounts> accounts(
      Optional<LedgerAddress> payer,
      List<LedgerAddress> keys,
      List<LedgerAddress> once,
      int confirmations);

  /** Signs a transfer and puts it into the pool. Idempotent. */
  CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer);

  /**
   * @param payerNonce of the payer's next transaction that is in no final block; 0 without a payer
   * @param payerBalance 0 without a payer
   * @param balances of those that were asked for
   * @param used those that have used a nonce, of those of which it was asked
   * @param baseFee what the newest block has charged for a unit of gas; 0 if nothing is known of it
   */
  record Accounts(
      long payerNonce,
      BigInteger payerBalance,
      Map<LedgerAddress, BigInteger> balances,
      Set<LedgerAddress> used,
      long baseFee) {
    public Accounts {
      balances = Map.copyOf(balances);
      used = Set.copyOf(used);
    }

    /** Of a ledger of whose price nothing is known. */
    public Accounts(
        long payerNonce,
        BigInteger payerBalance,
        Map<LedgerAddress, BigInteger> balances,
        Set<LedgerAddress> used) {
      this(payerNonce, payerBalance, balances, used, 0);
    }
  }
}

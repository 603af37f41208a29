package dev.sequitur.ledger;

import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A ledger that can be told to revert, which a {@link LedgerView} needs. */
public interface RehearsalLedger extends BaseLedger {

  @Override
  default SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return CanonicalSigning.sign(transaction, signer);
  }

  /**
   * As {@link #submit(List)}.
   *
   * @param doomed the places of transitions that shall revert with INJECTED, whatever they are, by
   *     transaction; one that is in the pool already stays as it is
   */
  CompletionStage<List<SubmitOutcome>> submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed);

  @Override
  default CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    return submit(transactions, Map.of());
  }
}

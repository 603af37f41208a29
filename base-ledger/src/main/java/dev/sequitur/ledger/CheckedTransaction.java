package dev.sequitur.ledger;

import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A transaction whose signatures need never be looked at again, not after a restart either.
 *
 * @param endorsers for each transition, or for a change of a committee, whose endorsements are
 *     valid by the keys they came with; whether these are the committee's is for the contract to
 *     say
 * @param doomed the places of transitions that revert with INJECTED, as a rehearsal wanted it
 */
record CheckedTransaction(
    SignedLedgerTransaction signed, List<Set<Member>> endorsers, Set<Integer> doomed) {
  CheckedTransaction {
    endorsers = endorsers.stream().map(Set::copyOf).toList();
    doomed = Set.copyOf(doomed);
  }

  TransactionHash hash() {
    return signed.hash();
  }

  LedgerAddress signer() {
    return signed.transaction().signer();
  }

  long nonce() {
    return signed.transaction().nonce();
  }

  Fees fees() {
    return signed.transaction().fees();
  }

  int weight() {
    return signed.transaction().weight();
  }

  /**
   * @param more places of transitions that revert too
   */
  CheckedTransaction doomedAt(Set<Integer> more) {
    var all = new HashSet<>(doomed);
    all.addAll(more);
    return new CheckedTransaction(signed, endorsers, all);
  }
}

package dev.sequitur.ledger;

import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import java.util.Set;

/**
 * A transaction whose signatures need never be looked at again, not after a restart either.
 *
 * @param endorsers whose endorsements are valid by the keys they came with; whether these are the
 *     committee's is for the contract to say
 * @param doomed whether it reverts with INJECTED, as a rehearsal wanted it
 */
record CheckedTransaction(SignedLedgerTransaction signed, Set<Member> endorsers, boolean doomed) {
  CheckedTransaction {
    endorsers = Set.copyOf(endorsers);
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

  long gasPrice() {
    return signed.transaction().gasPrice();
  }

  CheckedTransaction asDoomed() {
    return doomed ? this : new CheckedTransaction(signed, endorsers, true);
  }
}

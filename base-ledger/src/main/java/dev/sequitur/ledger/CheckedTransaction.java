package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.ByteReader;
import dev.sequitur.ledger.codec.ByteWriter;
import dev.sequitur.ledger.codec.TransactionCodec;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Identity;
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

  static void write(ByteWriter out, CheckedTransaction transaction) {
    TransactionCodec.write(out, transaction.signed());
    out.putAll(
        transaction.endorsers(),
        (to, member) ->
            TransactionCodec.write(to.putText(member.identity().toString()), member.verifier()));
    out.putByte(transaction.doomed() ? 1 : 0);
  }

  static CheckedTransaction read(ByteReader in) {
    var signed = TransactionCodec.readSigned(in);
    var endorsers =
        in.getAll(
            from ->
                new Member(Identity.parse(from.getText()), TransactionCodec.readVerifier(from)));
    return new CheckedTransaction(signed, Set.copyOf(endorsers), in.getByte() == 1);
  }
}

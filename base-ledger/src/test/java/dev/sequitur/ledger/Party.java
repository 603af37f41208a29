package dev.sequitur.ledger;

import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.transaction.Signature;
import java.nio.ByteBuffer;

/** Somebody with a key, who signs transactions and endorsements in tests. */
public record Party(Identity identity, Verifier verifier) {
  public static final long USUAL_PRICE = 100;
  private static final long GAS_LIMIT = 1_000_000;

  public static Party named(String name) {
    var hash = Hash.sha256(Bytes.utf8(name).toByteArray()).toByteArray();
    var key = ByteBuffer.allocate(33).put((byte) 2).put(hash).array();
    return new Party(Identity.parse(name + "@node-" + name), new Verifier(Bytes.of(key)));
  }

  public Member member() {
    return new Member(identity, verifier);
  }

  public LedgerAddress address() {
    return new StubSignatures().address(verifier);
  }

  public Signer signer() {
    return new Signer(verifier, digest -> StubSignatures.sign(verifier, digest));
  }

  public Signature sign(Hash digest) {
    return new Signature(identity, verifier, StubSignatures.sign(verifier, digest));
  }

  public SignedLedgerTransaction signed(long nonce, Call call) {
    return signed(nonce, USUAL_PRICE, call);
  }

  public SignedLedgerTransaction signed(long nonce, long gasPrice, Call call) {
    return signed(nonce, Fees.flat(gasPrice), call);
  }

  public SignedLedgerTransaction signed(long nonce, Fees fees, Call call) {
    var transaction = new LedgerTransaction(address(), nonce, fees, GAS_LIMIT, call);
    return CanonicalSigning.sign(transaction, signer());
  }
}

package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;

/**
 * How a ledger of our own has its transactions signed: over one digest, which is the transaction's
 * hash too. A ledger of somebody else has an encoding and a hash of its own.
 */
public final class CanonicalSigning {
  private CanonicalSigning() {}

  /** As {@link dev.sequitur.protocol.port.BaseLedger#sign} of such a ledger. */
  public static SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    var digest = digest(transaction);
    return new SignedLedgerTransaction(
        transaction, new TransactionHash(digest), signer.verifier(), signer.sign(digest));
  }

  /** Over all that the transaction says. */
  public static Hash digest(LedgerTransaction transaction) {
    var digest =
        new CanonicalDigest()
            .add(transaction.signer().value())
            .add(transaction.nonce())
            .add(transaction.fees().max())
            .add(transaction.fees().priority())
            .add(transaction.gasLimit());
    switch (transaction.call()) {
      case Deploy(var domain, var genesis) ->
          digest.add("deploy").add(domain).add(genesis.canonical());
      case Invoke(var transitions) -> {
        digest.add("invoke").add(transitions.size());
        transitions.forEach(prepared -> add(digest, prepared));
      }
      case ChangeCommittee(var contract, var change, var signatures) -> {
        // The chain is part of what the members have signed.
        digest.add("change-committee").add(contract.value()).add(change.digest(0, contract));
        add(digest, signatures);
      }
      case PublicCall call -> digest.add("public").add(call.hash());
      case UseNonce ignored -> digest.add("use-nonce");
    }
    return digest.finish();
  }

  private static void add(CanonicalDigest digest, PreparedTransaction prepared) {
    digest
        .add(prepared.contract().value())
        .add(prepared.transaction().toString())
        .add(prepared.intent().commitment().value());
    addStates(digest, prepared.inputs());
    addStates(digest, prepared.reads());
    addStates(digest, prepared.outputs());
    var path = prepared.proof().path();
    digest.add(path.index()).add(path.size());
    path.siblings().forEach(digest::add);
    add(digest, prepared.proof().signatures());
  }

  private static void add(CanonicalDigest digest, List<Signature> signatures) {
    digest.add(signatures.size());
    for (var signature : signatures) {
      digest
          .add(signature.party().toString())
          .add(signature.verifier().publicKey())
          .add(signature.value());
    }
  }

  private static void addStates(CanonicalDigest digest, List<StateId> states) {
    digest.add(states.size());
    states.forEach(state -> digest.add(state.value()));
  }
}

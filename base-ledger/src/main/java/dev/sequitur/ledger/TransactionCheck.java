package dev.sequitur.ledger;

import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The checks that need no ledger state, which are all the expensive ones: made once for each
 * transaction, when it is submitted, on any number of threads.
 */
final class TransactionCheck {
  /** Transitions of one transaction. */
  static final int MAX_TRANSITIONS = 1_024;

  /** Inputs, reads and outputs of one transition, together. */
  static final int MAX_STATES = 4_096;

  /** Endorsements of one transition, and members of a committee. */
  static final int MAX_MEMBERS = 1_024;

  /** Bytes of a domain's configuration in a genesis. */
  static final int MAX_CONFIGURATION = 65_536;

  /** Characters of a domain's or a group's name. */
  static final int MAX_NAME = 256;

  private final Signatures signatures;
  private final long chainId;
  private final ValidEndorsements known = new ValidEndorsements();

  TransactionCheck(Signatures signatures, long chainId) {
    this.signatures = signatures;
    this.chainId = chainId;
  }

  /** What is wrong with the transaction before any signature is looked at; cheap. */
  Optional<String> flaw(SignedLedgerTransaction signed) {
    var transaction = signed.transaction();
    var flaw = callFlaw(transaction.call());
    if (flaw.isPresent()) {
      return flaw;
    }
    var fees = transaction.fees();
    if (transaction.nonce() < 0 || fees.priority() < 0 || transaction.gasLimit() < 0) {
      return Optional.of("Nonce, fees and gas limit are not negative.");
    }
    if (fees.priority() > fees.max()) {
      return Optional.of("The priority fee is not above the most that is paid.");
    }
    if (!CanonicalSigning.digest(transaction).equals(signed.hash().value())) {
      return Optional.of("The hash is not that of the transaction.");
    }
    return Optional.empty();
  }

  private static Optional<String> callFlaw(Call call) {
    return switch (call) {
      case LedgerTransaction.Invoke(var transitions) -> invokeFlaw(transitions);
      case LedgerTransaction.Deploy(var domain, var genesis) -> deployFlaw(domain, genesis);
      case LedgerTransaction.ChangeCommittee change -> changeFlaw(change);
      case LedgerTransaction.UseNonce ignored -> Optional.empty();
      case LedgerTransaction.PublicCall ignored ->
          Optional.of("This ledger runs no contracts: public transactions need an Ethereum chain.");
    };
  }

  private static Optional<String> invokeFlaw(List<PreparedTransaction> transitions) {
    if (transitions.isEmpty() || transitions.size() > MAX_TRANSITIONS) {
      return Optional.of("A transaction has 1 to " + MAX_TRANSITIONS + " transitions.");
    }
    var contract = transitions.get(0).contract();
    if (transitions.stream().anyMatch(each -> !each.contract().equals(contract))) {
      return Optional.of("All transitions of a transaction are of one contract.");
    }
    return transitions.stream().flatMap(each -> transitionFlaw(each).stream()).findFirst();
  }

  private static Optional<String> transitionFlaw(PreparedTransaction prepared) {
    int states = prepared.inputs().size() + prepared.reads().size() + prepared.outputs().size();
    if (states > MAX_STATES) {
      return Optional.of("A transition has at most " + MAX_STATES + " states.");
    }
    return prepared.proof().signatures().size() > MAX_MEMBERS
        ? Optional.of("A transition has at most " + MAX_MEMBERS + " endorsements.")
        : Optional.empty();
  }

  /** Whether the contract takes it is for the contract to say. */
  private static Optional<String> changeFlaw(LedgerTransaction.ChangeCommittee change) {
    if (change.change().quorum().committee().members().size() > MAX_MEMBERS) {
      return Optional.of("A committee has at most " + MAX_MEMBERS + " members.");
    }
    return change.signatures().size() > 2 * MAX_MEMBERS
        ? Optional.of("A change of a committee has at most " + 2 * MAX_MEMBERS + " signatures.")
        : Optional.empty();
  }

  private static Optional<String> deployFlaw(String domain, ContractGenesis genesis) {
    if (genesis.committee().members().size() > MAX_MEMBERS) {
      return Optional.of("A committee has at most " + MAX_MEMBERS + " members.");
    }
    if (genesis.committee().withOneKey().isPresent()) {
      return Optional.of("Each member of a committee has a key of its own.");
    }
    boolean tooLong =
        genesis.configuration().size() > MAX_CONFIGURATION
            || genesis.name().length() > MAX_NAME
            || domain.length() > MAX_NAME;
    return tooLong
        ? Optional.of(
            "A genesis has a configuration of at most "
                + MAX_CONFIGURATION
                + " bytes and names of at most "
                + MAX_NAME
                + " characters.")
        : Optional.empty();
  }

  /**
   * Looks at all signatures of a transaction without a {@link #flaw}.
   *
   * @return empty if it is not its signer's
   */
  Optional<CheckedTransaction> verify(SignedLedgerTransaction signed, Set<Integer> doomed) {
    if (!isSignedBySigner(signed)) {
      return Optional.empty();
    }
    var endorsers =
        switch (signed.transaction().call()) {
          case LedgerTransaction.Invoke(var transitions) -> endorsers(transitions);
          case LedgerTransaction.ChangeCommittee change ->
              List.of(change.signers(chainId, this::isValid));
          // These are endorsed by nobody.
          case LedgerTransaction.Deploy ignored -> List.<Set<Member>>of();
          case LedgerTransaction.UseNonce ignored -> List.<Set<Member>>of();
          case LedgerTransaction.PublicCall ignored -> List.<Set<Member>>of();
        };
    return Optional.of(new CheckedTransaction(signed, endorsers, doomed));
  }

  private List<Set<Member>> endorsers(List<PreparedTransaction> transitions) {
    var paths = new SharedPaths();
    return transitions.stream().map(each -> each.endorsers(chainId, paths, this::isValid)).toList();
  }

  private boolean isSignedBySigner(SignedLedgerTransaction signed) {
    return signatures.isValid(signed.verifier(), signed.hash().value(), signed.signature())
        && signatures.address(signed.verifier()).equals(signed.transaction().signer());
  }

  private boolean isValid(Hash digest, Signature endorsement) {
    if (known.contains(digest, endorsement)) {
      return true;
    }
    boolean valid = signatures.isValid(endorsement.verifier(), digest, endorsement.value());
    if (valid) {
      known.add(digest, endorsement);
    }
    return valid;
  }

  /**
   * The endorsements that were found valid lately, so that those of a batch's root are verified
   * once and not for each of its transitions. What was found wrong is not kept. Forgets the oldest.
   * Thread-safe.
   */
  static final class ValidEndorsements {
    /** Of some hundred batches of a large committee; about 4 MB. */
    static final int KEPT = 8_192;

    private final Map<Valid, Boolean> kept = LimitedMap.ofNewest(KEPT);

    /** All that a verification depends on. */
    private record Valid(Hash digest, Signature endorsement) {}

    boolean contains(Hash digest, Signature endorsement) {
      synchronized (kept) {
        return kept.containsKey(new Valid(digest, endorsement));
      }
    }

    void add(Hash digest, Signature endorsement) {
      synchronized (kept) {
        kept.put(new Valid(digest, endorsement), true);
      }
    }

    int size() {
      synchronized (kept) {
        return kept.size();
      }
    }
  }
}

package dev.sequitur.ledger;

import dev.sequitur.ledger.LedgerTable.Fulfilment;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What every contract enforces, and what it keeps: which of its states are unspent or spent, which
 * intents are fulfilled. All checks of a transition come before its first change, so that its
 * revert leaves nothing. Confined to one thread at a time.
 */
final class ContractRules {
  private static final int DECODED_CONTRACTS = 1_024;

  private final Map<ContractAddress, Decoded> decoded = LimitedMap.ofLastUsed(DECODED_CONTRACTS);

  /**
   * @param stored what it was decoded of, since a reorganisation may put another in its place
   */
  private record Decoded(byte[] stored, ContractGenesis genesis) {}

  /** The address that a deployment makes. */
  static ContractAddress contractAddress(LedgerAddress signer, long nonce) {
    byte[] hash = new CanonicalDigest().add(signer.value()).add(nonce).finish().toByteArray();
    return new ContractAddress("0x" + HexFormat.of().formatHex(hash, 12, 32));
  }

  Result deploy(Overlay state, CheckedTransaction transaction, Deploy deploy) {
    var contract = contractAddress(transaction.signer(), transaction.nonce());
    state.put(LedgerTable.CONTRACTS, contract, deploy);
    return new Deployed(contract, deploy.domain(), deploy.genesis());
  }

  /** One transition after another, each on what the one before left. */
  List<Result> invoke(Overlay state, CheckedTransaction transaction, Invoke invoke) {
    var results = new ArrayList<Result>();
    for (int place = 0; place < invoke.transitions().size(); place++) {
      var refusal = transaction.doomed().contains(place) ? injected() : Optional.<Refusal>empty();
      results.add(
          transit(
              state, invoke.transitions().get(place), transaction.endorsers().get(place), refusal));
    }
    return results;
  }

  private Result transit(
      Overlay state,
      PreparedTransaction prepared,
      Set<Member> endorsers,
      Optional<Refusal> injected) {
    var refusal = injected.or(() -> refusal(state, prepared, endorsers));
    if (refusal.isPresent()) {
      return new Reverted(
          prepared.contract(), prepared.intent(), refusal.get().reason(), refusal.get().message());
    }
    var contract = prepared.contract();
    prepared
        .inputs()
        .forEach(it -> state.put(LedgerTable.STATES, new Within<>(contract, it), Standing.SPENT));
    prepared
        .outputs()
        .forEach(it -> state.put(LedgerTable.STATES, new Within<>(contract, it), Standing.UNSPENT));
    state.put(LedgerTable.INTENTS, new Within<>(contract, prepared.intent()), Fulfilment.DONE);
    return new Fulfilled(
        contract, prepared.intent(), prepared.inputs(), prepared.reads(), prepared.outputs());
  }

  /** In the order of the contract for a chain, whose reasons are compared with these. */
  private Optional<Refusal> refusal(
      Overlay state, PreparedTransaction prepared, Set<Member> endorsers) {
    var genesis = genesis(state, prepared.contract());
    if (genesis.isEmpty()) {
      return refuse(
          RevertReason.CONTRACT_UNKNOWN, "There is no contract " + prepared.contract() + ".");
    }
    var intent = new Within<>(prepared.contract(), prepared.intent());
    if (state.get(LedgerTable.INTENTS, intent).isPresent()) {
      return refuse(
          RevertReason.INTENT_FULFILLED,
          "Intent " + prepared.transaction() + " is fulfilled already.");
    }
    return spentOrUnknown(state, prepared.contract(), prepared.inputs())
        .or(() -> spentOrUnknown(state, prepared.contract(), prepared.reads()))
        .or(() -> existing(state, prepared.contract(), prepared.outputs()))
        .or(() -> tooFewEndorsers(genesis.get(), endorsers))
        .or(() -> twice(prepared.outputs(), RevertReason.STATE_EXISTS))
        .or(() -> twice(prepared.inputs(), RevertReason.STATE_SPENT));
  }

  private static Optional<Refusal> spentOrUnknown(
      Overlay state, ContractAddress contract, List<StateId> states) {
    for (var id : states) {
      var standing = state.get(LedgerTable.STATES, new Within<>(contract, id));
      if (standing.isEmpty()) {
        return refuse(RevertReason.STATE_UNKNOWN, "State " + id + " was never made.");
      }
      if (standing.get() == Standing.SPENT) {
        return refuse(RevertReason.STATE_SPENT, "State " + id + " is spent.");
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> existing(
      Overlay state, ContractAddress contract, List<StateId> states) {
    return states.stream()
        .filter(id -> state.get(LedgerTable.STATES, new Within<>(contract, id)).isPresent())
        .findFirst()
        .flatMap(id -> refuse(RevertReason.STATE_EXISTS, "State " + id + " exists already."));
  }

  private static Optional<Refusal> twice(List<StateId> states, RevertReason reason) {
    var seen = new HashSet<StateId>();
    return states.stream()
        .filter(id -> !seen.add(id))
        .findFirst()
        .flatMap(id -> refuse(reason, "State " + id + " stands twice in one transaction."));
  }

  private static Optional<Refusal> tooFewEndorsers(ContractGenesis genesis, Set<Member> valid) {
    var quorum = genesis.quorum();
    return quorum.isMetBy(valid)
        ? Optional.empty()
        : refuse(
            RevertReason.ENDORSEMENT_INVALID,
            "%d members have validly endorsed and %d must."
                .formatted(quorum.committee().among(valid).size(), quorum.threshold()));
  }

  private static Optional<Refusal> injected() {
    return refuse(RevertReason.INJECTED, "A rehearsal wanted this transaction to revert.");
  }

  private static Optional<Refusal> refuse(RevertReason reason, String message) {
    return Optional.of(new Refusal(reason, message));
  }

  private Optional<ContractGenesis> genesis(Overlay state, ContractAddress contract) {
    return state
        .get(LedgerTable.CONTRACTS.at(contract))
        .map(
            stored -> decoded.compute(contract, (same, known) -> decoded(stored, known)).genesis());
  }

  private static Decoded decoded(byte[] stored, Decoded known) {
    return known != null && Arrays.equals(known.stored(), stored)
        ? known
        : new Decoded(stored, LedgerTable.CONTRACTS.values().decode(stored).genesis());
  }

  private record Refusal(RevertReason reason, String message) {}
}

package dev.sequitur.ledger;

import dev.sequitur.ledger.LedgerTable.Fulfilment;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
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
   * @param stored what it was decoded of, since a change or a reorganisation may put another in its
   *     place
   */
  private record Decoded(byte[] stored, CommitteeStanding committees) {}

  /** The address that a deployment makes. */
  static ContractAddress contractAddress(LedgerAddress signer, long nonce) {
    byte[] hash = new CanonicalDigest().add(signer.value()).add(nonce).finish().toByteArray();
    return new ContractAddress("0x" + HexFormat.of().formatHex(hash, 12, 32));
  }

  Result deploy(Overlay state, CheckedTransaction transaction, Deploy deploy) {
    var contract = contractAddress(transaction.signer(), transaction.nonce());
    state.put(LedgerTable.CONTRACTS, contract, deploy);
    state.put(LedgerTable.COMMITTEES, contract, CommitteeStanding.of(deploy.genesis().quorum()));
    return new Deployed(contract, deploy.domain(), deploy.genesis());
  }

  /** Puts another committee in the place of the one that counts, if enough have signed it. */
  Result change(
      Overlay state, BlockHeight block, CheckedTransaction transaction, ChangeCommittee call) {
    var change = call.change();
    var committees = committees(state, call.contract());
    var flaw =
        committees.isEmpty()
            ? Optional.of(ChangeFlaw.CONTRACT_UNKNOWN)
            : committees.get().flaw(change, transaction.endorsers().getFirst(), block);
    if (flaw.isPresent()) {
      return new ChangeRefused(call.contract(), change.number(), flaw.get());
    }
    state.put(LedgerTable.COMMITTEES, call.contract(), committees.get().after(change, block));
    return new CommitteeChanged(call.contract(), change);
  }

  /** One transition after another, each on what the one before left. */
  List<Result> invoke(
      Overlay state, BlockHeight block, CheckedTransaction transaction, Invoke invoke) {
    var results = new ArrayList<Result>();
    for (int place = 0; place < invoke.transitions().size(); place++) {
      var refusal = transaction.doomed().contains(place) ? injected() : Optional.<Refusal>empty();
      results.add(
          transit(
              state,
              block,
              invoke.transitions().get(place),
              transaction.endorsers().get(place),
              refusal));
    }
    return results;
  }

  private Result transit(
      Overlay state,
      BlockHeight block,
      PreparedTransaction prepared,
      Set<Member> endorsers,
      Optional<Refusal> injected) {
    var refusal = injected.or(() -> refusal(state, block, prepared, endorsers));
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
      Overlay state, BlockHeight block, PreparedTransaction prepared, Set<Member> endorsers) {
    var committees = committees(state, prepared.contract());
    if (committees.isEmpty()) {
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
        .or(() -> tooFewEndorsers(committees.get(), block, endorsers))
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

  private static Optional<Refusal> tooFewEndorsers(
      CommitteeStanding committees, BlockHeight block, Set<Member> valid) {
    if (committees.taken(valid, block).isPresent()) {
      return Optional.empty();
    }
    if (committees.isOutdated(valid)) {
      return refuse(
          RevertReason.COMMITTEE_CHANGED,
          "A committee has endorsed that counts no more in block " + block + ".");
    }
    var quorum = committees.counting(block).findFirst().orElseThrow();
    return refuse(
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

  private Optional<CommitteeStanding> committees(Overlay state, ContractAddress contract) {
    return state
        .get(LedgerTable.COMMITTEES.at(contract))
        .map(
            stored ->
                decoded.compute(contract, (same, known) -> decoded(stored, known)).committees());
  }

  private static Decoded decoded(byte[] stored, Decoded known) {
    return known != null && Arrays.equals(known.stored(), stored)
        ? known
        : new Decoded(stored, LedgerTable.COMMITTEES.values().decode(stored));
  }

  private record Refusal(RevertReason reason, String message) {}
}

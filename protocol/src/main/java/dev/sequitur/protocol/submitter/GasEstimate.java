package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import org.pcollections.PSet;

/**
 * What a call uses by an EVM's prices, before anything is given back: a little too much, since what
 * is short of gas is lost as a whole. Grows with each transition that goes along. Transitions
 * beside each other that were endorsed together pay for their signatures once, intents of one
 * series for their slot.
 */
final class GasEstimate {
  private static final long BYTE = 16;
  private static final long NEW_SLOT = 22_100;

  /** To write a slot once more that the same call has written. */
  private static final long WRITTEN_SLOT = 200;

  private static final long CLEARED_SLOT = 5_000;
  private static final long READ_SLOT = 2_100;
  private static final long TRANSACTION = 21_000;

  /** The proxy, what stands of its committees in code of its own, the event. */
  private static final long CALL = 21_000;

  /** To make a contract with nobody in it. */
  private static final long CONTRACT = 250_000;

  /** To keep one member of the committee before a change, as 20 bytes of code. */
  private static final long FORMER_MEMBER = 4_100;

  /** Reading a transition, and hashing it into its tree. */
  private static final long TRANSITION = 2_400;

  private static final long STATE = 450;
  private static final long SIBLING = 400;

  /** Recovering the signer's key, and comparing. */
  private static final long SIGNATURE = 4_500;

  private static final long HASH = 32;
  private static final long TRANSITION_BYTES = 16 + HASH + 3 * Short.BYTES;
  private static final long SIGNATURE_BYTES = 66;
  private static final long GROUP_BYTES = 1 + Integer.BYTES + Short.BYTES;
  private static final long PATH_BYTES = Integer.BYTES + 1;
  private static final long CALL_BYTES = 4 + 3 * HASH;

  private List<Signature> together = List.of();
  private PSet<IntentKey> series = HashTrie.emptySet();
  private long bytes = CALL_BYTES;
  private long gas = TRANSACTION + CALL + BYTE * CALL_BYTES;

  GasEstimate() {}

  /** That goes on from there. */
  GasEstimate(GasEstimate from) {
    together = from.together;
    series = from.series;
    bytes = from.bytes;
    gas = from.gas;
  }

  static long of(Call call) {
    return switch (call) {
      case Deploy(var domain, var genesis) ->
          TRANSACTION + CONTRACT + genesis.committee().members().size() * (NEW_SLOT + BYTE * HASH);
      case Invoke(var transitions) -> {
        var estimate = new GasEstimate();
        transitions.forEach(estimate::add);
        yield estimate.gas;
      }
      case ChangeCommittee change -> ofChange(change, CommitteeChange.MOST_MEMBERS);
      // Its caller says more, or the ledger: this much it uses whatever it does.
      case PublicCall(var to, var data, var value) -> TRANSACTION + BYTE * data.size();
      case UseNonce ignored -> TRANSACTION;
    };
  }

  /**
   * The same where it is known how large the committee before is, which the change does not say.
   *
   * @param former members of it
   */
  static long ofChange(ChangeCommittee call, int former) {
    return TRANSACTION
        + CONTRACT
        + FORMER_MEMBER * former
        + call.change().quorum().committee().members().size() * (NEW_SLOT + BYTE * HASH)
        + call.signatures().size() * (SIGNATURE + BYTE * SIGNATURE_BYTES);
  }

  void add(PreparedTransaction transition) {
    bytes += bytesOf(transition);
    gas += gasOf(transition);
    together = transition.proof().signatures();
    series = series.plus(transition.intent().series());
  }

  /** Bytes of the call. */
  long bytes() {
    return bytes;
  }

  long gas() {
    return gas;
  }

  private long bytesOf(PreparedTransaction one) {
    int path = one.proof().path().siblings().size();
    return TRANSITION_BYTES
        + HASH * states(one)
        + (path == 0 ? 0 : PATH_BYTES + HASH * path)
        + (isTogether(one) ? 0 : GROUP_BYTES + SIGNATURE_BYTES * one.proof().signatures().size());
  }

  private long gasOf(PreparedTransaction one) {
    return BYTE * bytesOf(one)
        + TRANSITION
        + STATE * states(one)
        + SIBLING * one.proof().path().siblings().size()
        + (series.contains(one.intent().series()) ? WRITTEN_SLOT : NEW_SLOT)
        + NEW_SLOT * one.outputs().size()
        + CLEARED_SLOT * one.inputs().size()
        + READ_SLOT * one.reads().size()
        + (isTogether(one) ? 0 : SIGNATURE * one.proof().signatures().size());
  }

  private static int states(PreparedTransaction one) {
    return one.inputs().size() + one.reads().size() + one.outputs().size();
  }

  private boolean isTogether(PreparedTransaction one) {
    return !together.isEmpty() && together.equals(one.proof().signatures());
  }
}

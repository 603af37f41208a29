package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings.LedgerBatch;
import dev.sequitur.protocol.submitter.SubmitterEvent.Load;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which dispatches go together in one base-ledger transaction: in the order of dispatch, of one
 * contract, as many as the settings allow (SUB-8). What was endorsed together stays together where
 * it can: apart, each would bring its path in the tree, and each part the signatures.
 */
final class Packing {
  private final LedgerBatch limits;
  private final List<Load> loads = new ArrayList<>();
  private final List<Live> open = new ArrayList<>();
  private GasEstimate estimate = new GasEstimate();
  private long nonce;

  private Packing(LedgerBatch limits, long nonce) {
    this.limits = limits;
    this.nonce = nonce;
  }

  /**
   * Packs what waits and is stored. What is not stored yet holds those behind it: they may build
   * upon it. A public transaction that waits for what it sends along holds nobody (PUB-7).
   *
   * @param most dispatches
   */
  static List<Load> pack(SubmitterState state, LedgerBatch limits, int most) {
    var packing = new Packing(limits, state.nextNonce());
    var together = new ArrayList<Live>();
    int packed = 0;
    for (var waiting : state.waiting().entrySet()) {
      var live = state.live().get(waiting.getKey());
      if (live == null && state.waitsForMeans(state.publics().get(waiting.getKey()))) {
        continue;
      }
      if (packed == most) {
        if (live != null && isTogether(together, live) && packing.hasPacked()) {
          // The others of its tree go with it in the next call.
          together.clear();
        }
        break;
      }
      if (live != null && live.state() == SubmissionState.ACCEPTED) {
        break;
      }
      if (live != null && !waiting.getValue() && isTogether(together, live)) {
        together.add(live);
      } else {
        packing.addAll(together);
        together.clear();
        if (live == null) {
          packing.addPublic(waiting.getKey());
        } else if (waiting.getValue()) {
          packing.addAlone(live);
        } else {
          together.add(live);
        }
      }
      packed++;
    }
    packing.addAll(together);
    packing.close();
    return packing.loads;
  }

  private boolean hasPacked() {
    return !open.isEmpty() || !loads.isEmpty();
  }

  private static boolean isTogether(List<Live> together, Live next) {
    if (together.isEmpty() || prepared(next).proof().signatures().isEmpty()) {
      return false;
    }
    var last = prepared(together.getLast());
    return last.proof().signatures().equals(prepared(next).proof().signatures())
        && last.contract().equals(prepared(next).contract());
  }

  private static PreparedTransaction prepared(Live live) {
    return live.dispatch().prepared();
  }

  /** Goes alone. */
  private void addPublic(long order) {
    close();
    loads.add(new Load(nonce++, List.of(), Optional.of(order)));
  }

  private void addAlone(Live live) {
    close();
    add(live);
    close();
  }

  /**
   * In the transaction that is open if all have room there, else from the beginning of a new one.
   */
  private void addAll(List<Live> together) {
    if (!hasRoomFor(together)) {
      close();
    }
    for (var live : together) {
      if (!hasRoomFor(List.of(live))) {
        close();
      }
      add(live);
    }
  }

  private void add(Live live) {
    open.add(live);
    estimate.add(prepared(live));
  }

  private boolean hasRoomFor(List<Live> more) {
    if (open.isEmpty() || more.isEmpty()) {
      return true;
    }
    var with = new GasEstimate(estimate);
    more.forEach(live -> with.add(prepared(live)));
    return open.size() + more.size() <= limits.transitions()
        && prepared(open.getFirst()).contract().equals(prepared(more.getFirst()).contract())
        && with.bytes() <= limits.bytes()
        && with.gas() <= limits.gas();
  }

  private void close() {
    if (!open.isEmpty()) {
      loads.add(new Load(nonce++, open.stream().map(Live::intent).toList()));
      open.clear();
      estimate = new GasEstimate();
    }
  }
}

package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.settings.LimitSettings.LedgerBatch;
import dev.sequitur.protocol.submitter.SubmitterEvent.Load;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which dispatches go together in one base-ledger transaction: in the order of dispatch, of one
 * contract, as many as the settings allow (SUB-8).
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
   * upon it.
   *
   * @param most dispatches
   */
  static List<Load> pack(SubmitterState state, LedgerBatch limits, int most) {
    var packing = new Packing(limits, state.nextNonce());
    int packed = 0;
    for (var waiting : state.waiting().entrySet()) {
      var live = state.live().get(waiting.getKey());
      if (packed == most || (live != null && live.state() == SubmissionState.ACCEPTED)) {
        break;
      }
      if (live == null) {
        packing.addPublic(waiting.getKey());
      } else {
        packing.add(live, waiting.getValue());
      }
      packed++;
    }
    packing.close();
    return packing.loads;
  }

  /** Goes alone. */
  private void addPublic(long order) {
    close();
    loads.add(new Load(nonce++, List.of(), Optional.of(order)));
  }

  private void add(Live live, boolean alone) {
    var prepared = live.dispatch().prepared();
    if (alone || !hasRoomFor(prepared)) {
      close();
    }
    open.add(live);
    estimate.add(prepared);
    if (alone) {
      close();
    }
  }

  private boolean hasRoomFor(PreparedTransaction prepared) {
    return open.isEmpty()
        || (open.size() < limits.transitions()
            && open.get(0).dispatch().prepared().contract().equals(prepared.contract())
            && estimate.bytesWith(prepared) <= limits.bytes()
            && estimate.gasWith(prepared) <= limits.gas());
  }

  private void close() {
    if (!open.isEmpty()) {
      loads.add(new Load(nonce++, open.stream().map(Live::intent).toList()));
      open.clear();
      estimate = new GasEstimate();
    }
  }
}

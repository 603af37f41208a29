package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.settings.LimitSettings.LedgerBatch;
import dev.sequitur.protocol.submitter.SubmitterEvent.Load;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Which dispatches go together in one base-ledger transaction: in the order of dispatch, of one
 * contract, as many as the settings allow (SUB-8).
 */
final class Packing {
  private static final int WORD = 32;

  private final LedgerBatch limits;
  private final List<Load> loads = new ArrayList<>();
  private final List<Live> open = new ArrayList<>();
  private long nonce;
  private long bytes;
  private long gas;

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
      if (packed == most || live.state() == SubmissionState.ACCEPTED) {
        break;
      }
      packing.add(live, waiting.getValue());
      packed++;
    }
    packing.close();
    return packing.loads;
  }

  private void add(Live live, boolean alone) {
    var prepared = live.dispatch().prepared();
    if (alone || !hasRoomFor(prepared)) {
      close();
    }
    open.add(live);
    bytes += bytes(prepared);
    gas += gas(prepared);
    if (alone) {
      close();
    }
  }

  private boolean hasRoomFor(PreparedTransaction prepared) {
    return open.isEmpty()
        || (open.size() < limits.transitions()
            && open.get(0).dispatch().prepared().contract().equals(prepared.contract())
            && bytes + bytes(prepared) <= limits.bytes()
            && gas + gas(prepared) <= limits.gas());
  }

  private void close() {
    if (!open.isEmpty()) {
      loads.add(new Load(nonce++, open.stream().map(Live::intent).toList()));
      open.clear();
      bytes = 0;
      gas = 0;
    }
  }

  /** As call data of an EVM: words, and for each endorsement its place, length and signature. */
  private static long bytes(PreparedTransaction prepared) {
    int states = prepared.inputs().size() + prepared.reads().size() + prepared.outputs().size();
    int path = prepared.path().siblings().size();
    return WORD * (10L + states + path + 5L * prepared.endorsements().size());
  }

  /**
   * By an EVM's prices: call data, a new slot for the intent and for each output, a changed one for
   * each input, a look at each read, a recovered key for each endorsement.
   */
  private static long gas(PreparedTransaction prepared) {
    return 16 * bytes(prepared)
        + 22_100L * (1 + prepared.outputs().size())
        + 5_000L * prepared.inputs().size()
        + 2_100L * prepared.reads().size()
        + 3_000L * prepared.endorsements().size();
  }
}

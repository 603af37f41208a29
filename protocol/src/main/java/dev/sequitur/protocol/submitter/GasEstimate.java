package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;

/** What calls use by an EVM's prices, roughly and rather too much. */
final class GasEstimate {
  private static final int WORD = 32;
  private static final long BYTE = 16;
  private static final long NEW_SLOT = 22_100;
  private static final long TRANSACTION = 21_000;

  /** To make a contract with nobody in it. */
  private static final long CONTRACT = 250_000;

  private GasEstimate() {}

  static long of(Call call) {
    return TRANSACTION
        + switch (call) {
          case Deploy(var domain, var genesis) ->
              CONTRACT + genesis.committee().members().size() * (NEW_SLOT + BYTE * WORD);
          case Invoke(var transitions) -> transitions.stream().mapToLong(GasEstimate::of).sum();
          case UseNonce ignored -> 0;
        };
  }

  /** As call data: words, and for each endorsement its place, length and signature. */
  static long bytes(PreparedTransaction prepared) {
    int states = prepared.inputs().size() + prepared.reads().size() + prepared.outputs().size();
    int path = prepared.path().siblings().size();
    return WORD * (10L + states + path + 5L * prepared.endorsements().size());
  }

  /**
   * Call data, a new slot for the intent and for each output, a changed one for each input, a look
   * at each read, a recovered key for each endorsement.
   */
  static long of(PreparedTransaction prepared) {
    return BYTE * bytes(prepared)
        + NEW_SLOT * (1 + prepared.outputs().size())
        + 5_000L * prepared.inputs().size()
        + 2_100L * prepared.reads().size()
        + 3_000L * prepared.endorsements().size();
  }
}

package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * All that the base ledger needs to fulfil one intent; holds no private data.
 *
 * @param endorsements at least as many as the contract asks for
 */
public record PreparedTransaction(
    IntentKey intent,
    ContractAddress contract,
    List<StateId> inputs,
    List<StateId> reads,
    List<StateId> outputs,
    List<Signature> endorsements) {
  public PreparedTransaction {
    inputs = List.copyOf(inputs);
    reads = List.copyOf(reads);
    outputs = List.copyOf(outputs);
    endorsements = List.copyOf(endorsements);
  }

  public TransactionId transaction() {
    return intent.transaction();
  }

  /** What its endorsers have signed. */
  public Hash digest() {
    return PostAssembly.digest(contract, intent, inputs, reads, outputs);
  }
}

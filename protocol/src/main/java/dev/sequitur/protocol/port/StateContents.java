package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The part of the {@link NodeStore} that the contents of states are in, spent or not. Every write
 * is durable when its future completes, and all or nothing. Thread-safe.
 */
public interface StateContents {
  /** Keeps the contents of states, for receipts and audits. The same id is the same content. */
  CompletionStage<Void> putStates(List<PrivateState> states);

  /** Deletes the contents of states, for good; those that are not there change nothing. */
  CompletionStage<Void> eraseStates(ContractAddress contract, Collection<StateId> ids);

  /** The contents that are kept, spent or not; ids that are unknown are left out. */
  CompletionStage<List<PrivateState>> states(ContractAddress contract, Collection<StateId> ids);
}

package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.Collection;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * The domain context of an AssembleRequest ({@code state_locks}): what transactions in flight have
 * spent and made. Persistent maps, so that a snapshot costs nothing.
 *
 * @param spent states that a transaction in flight spends already
 * @param created states that a transaction in flight makes, spent ones left out
 */
public record StateLocks(PSet<StateId> spent, PMap<StateId, PrivateState> created) {
  public static final StateLocks NONE = new StateLocks(HashTrie.emptySet(), HashTrie.empty());

  /** After {@code assembly} has spent its inputs and made its outputs. */
  public StateLocks with(PostAssembly assembly) {
    var outputs = created.minusAll(assembly.inputIds());
    for (var output : assembly.outputs()) {
      outputs = outputs.plus(output.id(), output);
    }
    return new StateLocks(spent.plusAll(assembly.inputIds()), outputs);
  }

  /** After {@code assembly} has spent its inputs; what it makes is not to be spent yet. */
  public StateLocks withoutOutputs(PostAssembly assembly) {
    return withoutOutputs(assembly.inputIds());
  }

  /** After a transaction that nobody may build upon yet has spent {@code inputs}. */
  public StateLocks withoutOutputs(Collection<StateId> inputs) {
    return new StateLocks(spent.plusAll(inputs), created.minusAll(inputs));
  }
}

package dev.sequitur.laboratory.demo;

import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Reads the contents of states from whichever node has them, and believes none of them: a content
 * counts only if it hashes to the id that stands on the ledger.
 */
record StateReader(RunningNetwork network) {
  private static final int PAGE = 500;

  /** Those that any node could show; fewer than asked for if a content is missing or false. */
  List<PrivateState> read(ContractAddress contract, Collection<StateId> ids) {
    var missing = new LinkedHashSet<>(ids);
    var found = new ArrayList<PrivateState>(ids.size());
    for (var node : network.nodes()) {
      var store = node.sequencer().store();
      var asked = List.copyOf(missing);
      for (int from = 0; from < asked.size(); from += PAGE) {
        var page = asked.subList(from, Math.min(from + PAGE, asked.size()));
        for (var state : Await.answer(store.states(contract, page), "reading a node's states")) {
          if (isGenuine(contract, state) && missing.remove(state.id())) {
            found.add(state);
          }
        }
      }
    }
    return found;
  }

  /** As both shipped domains make the ids of their states. */
  private static boolean isGenuine(ContractAddress contract, PrivateState state) {
    var hash =
        new CanonicalDigest()
            .add("sequitur state")
            .add(contract.value())
            .add(state.schema())
            .add(state.lookup())
            .add(state.data())
            .finish();
    return state.id().value().equals(hash);
  }
}

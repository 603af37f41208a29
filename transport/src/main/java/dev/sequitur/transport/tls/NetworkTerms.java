package dev.sequitur.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.util.Optional;

/**
 * What all nodes of a network must have alike.
 *
 * @param selection nodes that rank differently would delegate to, and refuse, different
 *     coordinators for ever
 * @param chainId nodes that have another sign and check something else, and wallets tell base
 *     ledgers apart by it
 */
public record NetworkTerms(SelectionPolicy selection, long chainId) {

  /** A sentence for both operators, if another node has other terms. */
  Optional<String> refusal(NodeName self, NodeName other, NetworkTerms theirs) {
    if (!selection.equals(theirs.selection)) {
      return Optional.of(
          "Node %s has %s, node %s %s: all nodes of a network need the same in sequencer.selection."
              .formatted(self, named(selection), other, named(theirs.selection)));
    }
    return chainId == theirs.chainId
        ? Optional.empty()
        : Optional.of(
            "Node %s has the chain id %d, node %s %d: all nodes of a network need the same ledger.chain-id."
                .formatted(self, chainId, other, theirs.chainId));
  }

  private static String named(SelectionPolicy policy) {
    return "range-size = %d and virtual-nodes = %d"
        .formatted(policy.rangeSize(), policy.virtualNodes());
  }
}

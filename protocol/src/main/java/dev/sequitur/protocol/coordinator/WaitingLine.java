package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * What waits for assembly, and whose turn it is.
 *
 * @param bySender in order of arrival
 * @param arrivals counts what has come, so that it keeps its order
 * @param lastServed whose transactions were assembled last: the next sender's turn follows
 */
public record WaitingLine(
    PMap<NodeName, TreePMap<Long, IntentKey>> bySender,
    long arrivals,
    Optional<NodeName> lastServed) {
  static final WaitingLine EMPTY = new WaitingLine(HashTrie.empty(), 0, Optional.empty());

  WaitingLine plus(NodeName sender, IntentKey transaction) {
    var queue = bySender.getOrDefault(sender, TreePMap.empty()).plus(arrivals, transaction);
    return new WaitingLine(bySender.plus(sender, queue), arrivals + 1, lastServed);
  }

  WaitingLine with(NodeName sender, TreePMap<Long, IntentKey> queue) {
    var next = queue.isEmpty() ? bySender.minus(sender) : bySender.plus(sender, queue);
    return new WaitingLine(next, arrivals, lastServed);
  }

  WaitingLine served(NodeName sender) {
    return new WaitingLine(bySender, arrivals, Optional.of(sender));
  }

  WaitingLine cleared() {
    return new WaitingLine(HashTrie.empty(), arrivals, lastServed);
  }
}

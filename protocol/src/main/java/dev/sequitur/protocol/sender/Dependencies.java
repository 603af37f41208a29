package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * What the sender's live transactions wait for (SND-6). Nothing is kept of a transaction that has
 * ended, nor for one.
 *
 * @param awaited by what is waited for
 */
public record Dependencies(PMap<TransactionId, Awaited> awaited) {
  static final Dependencies NONE = new Dependencies(HashTrie.empty());

  /**
   * @param waiting who waits for it, at least one
   * @param lookUps of its receipt so far
   * @param nextLookUp of no meaning while it is one of this sender's own that have not ended
   */
  public record Awaited(PSet<TransactionId> waiting, int lookUps, Instant nextLookUp) {}

  Dependencies plus(TransactionId dependency, TransactionId dependant, Instant now) {
    var known = awaited.get(dependency);
    var next =
        known == null
            ? new Awaited(HashTrie.<TransactionId>emptySet().plus(dependant), 0, now)
            : new Awaited(known.waiting().plus(dependant), known.lookUps(), known.nextLookUp());
    return new Dependencies(awaited.plus(dependency, next));
  }

  Dependencies lookedUp(TransactionId dependency, Instant nextLookUp) {
    var known = awaited.get(dependency);
    return new Dependencies(
        awaited.plus(dependency, new Awaited(known.waiting(), known.lookUps() + 1, nextLookUp)));
  }

  PSet<TransactionId> waitingFor(TransactionId dependency) {
    var known = awaited.get(dependency);
    return known == null ? HashTrie.emptySet() : known.waiting();
  }

  /** The dependency has ended. */
  Dependencies ended(TransactionId dependency) {
    return new Dependencies(awaited.minus(dependency));
  }

  /** The dependant has ended: nobody asks on its behalf. */
  Dependencies without(SenderTransaction dependant) {
    var rest = awaited;
    for (var dependency : dependant.waitsFor()) {
      var known = rest.get(dependency);
      if (known != null) {
        var waiting = known.waiting().minus(dependant.id());
        rest =
            waiting.isEmpty()
                ? rest.minus(dependency)
                : rest.plus(dependency, new Awaited(waiting, known.lookUps(), known.nextLookUp()));
      }
    }
    return new Dependencies(rest);
  }
}

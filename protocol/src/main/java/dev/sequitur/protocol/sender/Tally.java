package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.trie.HashTrie;
import org.pcollections.PMap;

/**
 * How many of something each identity has, kept so that nobody has to count.
 *
 * @param numbers above zero; who has none is left out
 */
public record Tally(PMap<Identity, Integer> numbers) {
  static final Tally NONE = new Tally(HashTrie.empty());

  int of(Identity identity) {
    return numbers.getOrDefault(identity, 0);
  }

  Tally changed(Identity identity, int by) {
    if (by == 0) {
      return this;
    }
    int now = of(identity) + by;
    return new Tally(now == 0 ? numbers.minus(identity) : numbers.plus(identity, now));
  }
}

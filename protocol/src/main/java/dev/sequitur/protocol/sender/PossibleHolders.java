package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import org.pcollections.PSet;

/**
 * Whose submitter may hold a transaction (SUB-7): of everybody else it is not believed, since every
 * member knows the id and could keep the transaction from ever being tried again.
 *
 * @param delegates to whom it was delegated since this sender started; at most the committee
 * @param anybodyUntil until then everybody is believed, since what was delegated before the restart
 *     is not remembered
 */
record PossibleHolders(PSet<NodeName> delegates, Instant anybodyUntil) {
  static final PossibleHolders NOBODY = new PossibleHolders(HashTrie.emptySet(), Instant.MIN);

  PossibleHolders and(NodeName delegate) {
    return new PossibleHolders(delegates.plus(delegate), anybodyUntil);
  }

  boolean includes(NodeName submitter, Instant now) {
    return delegates.contains(submitter) || now.isBefore(anybodyUntil);
  }
}

package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * Unspent states on the base ledger whose content has not come. Whether it ever will is another
 * question: some may be for others alone (DST-5).
 *
 * @param since the block that made each
 * @param byAge the same, oldest first
 */
public record MissingContents(PMap<StateId, BlockHeight> since, TreePSet<Missing> byAge) {
  static final MissingContents NONE = new MissingContents(HashTrie.empty(), TreePSet.empty());

  private static final StateId GREATEST = new StateId(Hash.hex("f".repeat(64)));

  /** One of them. */
  public record Missing(BlockHeight since, StateId state) implements Comparable<Missing> {
    @Override
    public int compareTo(Missing other) {
      int byHeight = since.compareTo(other.since);
      return byHeight != 0 ? byHeight : state.compareTo(other.state);
    }
  }

  MissingContents plus(StateId id, BlockHeight height) {
    return since.containsKey(id)
        ? this
        : new MissingContents(since.plus(id, height), byAge.plus(new Missing(height, id)));
  }

  MissingContents minus(StateId id) {
    var height = since.get(id);
    return height == null
        ? this
        : new MissingContents(since.minus(id), byAge.minus(new Missing(height, id)));
  }

  boolean contains(StateId id) {
    return since.containsKey(id);
  }

  public boolean isEmpty() {
    return byAge.isEmpty();
  }

  public int size() {
    return since.size();
  }

  /** The block from which on some are missing. */
  public Optional<BlockHeight> oldest() {
    return byAge.isEmpty() ? Optional.empty() : Optional.of(byAge.first().since());
  }

  Optional<BlockHeight> newest() {
    return byAge.isEmpty() ? Optional.empty() : Optional.of(byAge.last().since());
  }

  /**
   * What stands behind all that blocks up to this one have made. No id of a state is greater: one
   * that is as great belongs to the page before.
   */
  static Optional<Missing> lastOf(BlockHeight height) {
    return Optional.of(new Missing(height, GREATEST));
  }

  /**
   * The next so many of those that blocks up to one have made.
   *
   * @param after the last that is passed over
   * @param wanted others are passed over too
   */
  List<Missing> page(
      Optional<Missing> after, BlockHeight upTo, Predicate<Missing> wanted, int most) {
    var rest = after.map(last -> byAge.tailSet(last, false)).orElse(byAge);
    return rest.stream()
        .takeWhile(each -> each.since().compareTo(upTo) <= 0)
        .filter(wanted)
        .limit(most)
        .toList();
  }
}

package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.BlockHeight;
import java.util.List;
import java.util.stream.Stream;

/**
 * The committees that a group has had, each with its threshold, by the blocks that changed them
 * (SEL-10). Short: a committee changes seldom. Nothing changes one as yet, so a group that runs has
 * no changes.
 *
 * @param first that of the genesis
 * @param changes in the order of their blocks, at most one in each
 */
public record CommitteeHistory(Quorum first, List<Change> changes) {
  /**
   * Another committee, another threshold, or both.
   *
   * @param block in which it stands on the base ledger: it counts from the next one on
   */
  public record Change(BlockHeight block, Quorum quorum) {}

  /**
   * @throws IllegalArgumentException if a change does not come after the one before it
   */
  public CommitteeHistory {
    changes = List.copyOf(changes);
    for (int i = 1; i < changes.size(); i++) {
      var before = changes.get(i - 1).block();
      if (changes.get(i).block().compareTo(before) <= 0) {
        throw new IllegalArgumentException(
            "Changes of a committee stand in the order of their blocks, one in each, and block %s comes after block %s."
                .formatted(changes.get(i).block(), before));
      }
    }
  }

  /** Of a group whose committee has never changed. */
  public static CommitteeHistory of(Quorum only) {
    return new CommitteeHistory(only, List.of());
  }

  /** After all changes. */
  public Quorum newest() {
    return changes.isEmpty() ? first : changes.getLast().quorum();
  }

  /** The first and that of each change, the oldest first. */
  public List<Quorum> all() {
    return Stream.concat(Stream.of(first), changes.stream().map(Change::quorum)).toList();
  }

  /**
   * Without the changes that do not count in that block: its newest is what stood on the base
   * ledger before.
   */
  public CommitteeHistory asOf(BlockHeight block) {
    int counting = counting(block);
    return counting == changes.size()
        ? this
        : new CommitteeHistory(first, changes.subList(0, counting));
  }

  /** How many of the changes stand in a block before that one. */
  private int counting(BlockHeight block) {
    int counting = changes.size();
    while (counting > 0 && changes.get(counting - 1).block().compareTo(block) >= 0) {
      counting--;
    }
    return counting;
  }
}

package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The committees that a group has had, each with its threshold, by the blocks that changed them
 * (SEL-10). Short: a committee changes seldom.
 *
 * @param first that of the genesis
 * @param changes in the order of their blocks, at most one in each
 */
public record CommitteeHistory(Quorum first, List<Change> changes) {
  /**
   * Another committee, another threshold, or both.
   *
   * @param block in which it stands on the base ledger: it counts from the next one on
   * @param until the last block in which the ledger takes endorsements of the committee before
   */
  public record Change(BlockHeight block, Quorum quorum, BlockHeight until) {}

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

  /** How many changes there were: the number of the last one (CMT-1). */
  public int number() {
    return changes.size();
  }

  /** With one more change, which stands in that block. */
  public CommitteeHistory plus(CommitteeChange change, BlockHeight block) {
    var all = new ArrayList<>(changes);
    all.add(new Change(block, change.quorum(), change.until()));
    return new CommitteeHistory(first, all);
  }

  /**
   * With a change that was read on the ledger, which may have been read before (CMT-5). Where the
   * ledger has another one in its place, what was read after that counts no more.
   *
   * @return empty if it does not follow on what is known
   */
  public Optional<CommitteeHistory> read(CommitteeChange change, BlockHeight block) {
    if (changes.contains(new Change(block, change.quorum(), change.until()))) {
      return Optional.of(this);
    }
    var before = asOf(block);
    return before.number() + 1 == change.number()
        ? Optional.of(before.plus(change, block))
        : Optional.empty();
  }

  /** What of it the ledger keeps. */
  public CommitteeStanding standing() {
    if (changes.isEmpty()) {
      return CommitteeStanding.of(first);
    }
    var last = changes.getLast();
    var before = changes.size() == 1 ? first : changes.get(changes.size() - 2).quorum();
    return new CommitteeStanding(
        number(),
        last.quorum(),
        Optional.of(new CommitteeStanding.Former(before, last.block(), last.until())));
  }

  /** The first and that of each change, the oldest first. */
  public List<Quorum> all() {
    return Stream.concat(Stream.of(first), changes.stream().map(Change::quorum)).toList();
  }

  /** The number of the change since which a node is in all committees; 0 if it always was. */
  public int cameWith(NodeName node) {
    int number = number();
    while (number > 0 && all().get(number - 1).committee().hasMemberOn(node)) {
      number--;
    }
    return number;
  }

  /** Whether these were its members at some time, in the order of their committee. */
  public boolean hasHad(List<Identity> parties) {
    return first.committee().consistsOf(parties)
        || changes.stream().anyMatch(it -> it.quorum().committee().consistsOf(parties));
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

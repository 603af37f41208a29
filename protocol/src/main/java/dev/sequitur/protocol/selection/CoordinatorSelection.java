package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Identity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * The hash ring of one contract's committees. The ring is the 64-bit unsigned numbers; a member has
 * as many positions as the policy has virtual nodes, each the first eight bytes of SHA-256 over
 * (contract, identity, replica), a range has one point, the same over (contract, range index);
 * every field is length-prefixed. A member's distance is that of its nearest position in either
 * direction (SEL-2, SEL-3). The members of a range are those of the committee that stands on the
 * base ledger when it begins (SEL-10). Thread-safe; made once for a contract, asked on every
 * message. What it is told of later changes adds to what it says, and takes nothing of it back.
 */
public final class CoordinatorSelection {
  private volatile PrivacyGroup group;
  private final SelectionPolicy policy;

  /** Of those who have been asked for: members of the history at most. */
  private final Map<Identity, Positions> positions = new ConcurrentHashMap<>();

  /** The one made last: every message asks for that of the present range. */
  private volatile Optional<Known> newest = Optional.empty();

  private record Known(PrivacyGroup group, Ranking ranking) {}

  /** A member's positions, ascending as unsigned numbers. */
  private record Positions(long[] sorted) {
    /** Distance to the nearest position in either direction, unsigned. */
    long distance(long point) {
      int above = firstAtOrAbove(point);
      long after = sorted[above == sorted.length ? 0 : above] - point;
      long before = point - sorted[above == 0 ? sorted.length - 1 : above - 1];
      return Long.compareUnsigned(after, before) < 0 ? after : before;
    }

    private int firstAtOrAbove(long point) {
      int low = 0;
      int high = sorted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (Long.compareUnsigned(sorted[middle], point) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  public CoordinatorSelection(PrivacyGroup group, SelectionPolicy policy) {
    this.group = group;
    this.policy = policy;
  }

  /** The group after a change of its committee that this node has read (CMT-5). */
  public void follow(PrivacyGroup changed) {
    group = changed;
  }

  /** The group as this node knows it, with all changes that it has read. */
  public PrivacyGroup group() {
    return group;
  }

  public SelectionPolicy policy() {
    return policy;
  }

  /** The range that {@code height} belongs to (SEL-4). */
  public BlockRange range(BlockHeight height) {
    return height.range(policy.rangeSize());
  }

  /** Where the range after that of {@code height} begins: what stands in it counts there. */
  public BlockHeight nextRange(BlockHeight height) {
    return new BlockRange(range(height).index() + 1).first(policy.rangeSize());
  }

  /**
   * The group as it is in the range of a height: what its committee does or is asked there is
   * judged by this one, whatever has changed since (SEL-10).
   */
  public PrivacyGroup group(BlockHeight height) {
    return group(range(height));
  }

  /**
   * Whether the same must endorse in both ranges. If not, what was begun in the earlier one and has
   * no leave yet is begun anew in the later one (SWO-1).
   */
  public boolean haveOneQuorum(BlockRange one, BlockRange other) {
    return group(one).committees().newest().equals(group(other).committees().newest());
  }

  private PrivacyGroup group(BlockRange range) {
    return group.asOf(range.first(policy.rangeSize()));
  }

  /** All members by their distance from the range's point, ties by identity (SEL-3). */
  // Whoever is told of a change puts another object in the place of the group.
  @SuppressWarnings("ReferenceEquality")
  public Ranking ranking(BlockRange range) {
    var of = group;
    var known = newest;
    if (known.isPresent()
        && known.get().group() == of
        && known.get().ranking().range().equals(range)) {
      return known.get().ranking();
    }
    var ranking = rank(range);
    newest = Optional.of(new Known(of, ranking));
    return ranking;
  }

  /**
   * The ring with the points of some ranges, and all who are members in any of them. Leaves the
   * ranking that every message asks for where it is.
   *
   * @param count of ranges, at least 1
   */
  public Ring ring(BlockRange first, int count) {
    var ranges =
        LongStream.range(first.index(), first.index() + count).mapToObj(BlockRange::new).toList();
    return new Ring(
        ranges.stream()
            .flatMap(range -> group(range).committee().identities().stream())
            .distinct()
            .map(
                member ->
                    new Ring.Place(
                        member, Arrays.stream(positions(member).sorted()).boxed().toList()))
            .toList(),
        ranges.stream().map(range -> new Ring.Point(point(range), rank(range))).toList());
  }

  private Ranking rank(BlockRange range) {
    long point = point(range);
    var members = group(range).committee().identities();
    var ranked = new ArrayList<Ranking.Ranked>(members.size());
    for (var member : members) {
      ranked.add(new Ranking.Ranked(member, positions(member).distance(point)));
    }
    ranked.sort(
        Comparator.comparing(Ranking.Ranked::distance, Long::compareUnsigned)
            .thenComparing(Ranking.Ranked::identity));
    return new Ranking(range, ranked);
  }

  private long point(BlockRange range) {
    return new CanonicalDigest().add(group.contract().value()).add(range.index()).finish().word0();
  }

  private Positions positions(Identity identity) {
    return positions.computeIfAbsent(identity, this::hashed);
  }

  private Positions hashed(Identity identity) {
    long[] sorted = new long[policy.virtualNodes()];
    for (int replica = 0; replica < sorted.length; replica++) {
      sorted[replica] =
          new CanonicalDigest()
              .add(group.contract().value())
              .add(identity.toString())
              .add((long) replica)
              .finish()
              .word0();
    }
    // Sorting by value with the sign bit flipped is sorting as unsigned numbers.
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    return new Positions(sorted);
  }
}

package dev.sequitur.cluster.placement;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When shards move whose entities forget what they know with each move: at once if they have none
 * in memory, all where a range of blocks ends, since coordination changes hands then anyway, and at
 * the latest after some time. Confined to one actor.
 */
final class PatientMoves {
  private final Duration longest;
  private final Map<String, Long> since = new HashMap<>();
  private OptionalLong range = OptionalLong.empty();

  /**
   * @param longest that a shard waits
   */
  PatientMoves(Duration longest) {
    this.longest = longest;
  }

  /**
   * To be told at each look, also when nothing is misplaced.
   *
   * @param misplaced shards that are elsewhere than they belong, in order
   * @param newRange of blocks, as the ledger stands
   * @param nanos by a clock that only runs forward
   */
  Due look(List<String> misplaced, long newRange, long nanos) {
    boolean border = range.isPresent() && range.getAsLong() != newRange;
    range = OptionalLong.of(newRange);
    since.keySet().retainAll(new HashSet<>(misplaced));
    misplaced.forEach(shard -> since.putIfAbsent(shard, nanos));
    var waited =
        misplaced.stream().filter(shard -> nanos - since.get(shard) >= longest.toNanos()).toList();
    return new Due(misplaced, border, Set.copyOf(waited));
  }

  /**
   * What has come of a look.
   *
   * @param border whether a range has ended since the look before
   * @param waited those that wait no longer
   */
  record Due(List<String> misplaced, boolean border, Set<String> waited) {
    /**
     * @param occupied shards with an entity in memory, as far as known
     * @param atOnce how many may move that are not moved for the end of a range
     */
    Set<String> moves(Set<String> occupied, int atOnce) {
      return border
          ? Set.copyOf(misplaced)
          : Set.copyOf(
              misplaced.stream()
                  .filter(shard -> waited.contains(shard) || !occupied.contains(shard))
                  .limit(Math.max(0, atOnce))
                  .toList());
    }
  }
}

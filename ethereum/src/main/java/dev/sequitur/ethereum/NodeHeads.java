package dev.sequitur.ethereum;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which of a chain's nodes is asked, and up to which block what they tell counts (CHN-1 to CHN-3).
 * Pure.
 *
 * @param nodes in the order of the configuration
 * @param quorum so many must have a block before it counts; 1 believes the one that is asked
 * @param maxLag so many blocks a node may lie behind the others, or behind what was seen
 */
record NodeHeads(List<URI> nodes, int quorum, long maxLag) {
  NodeHeads {
    nodes = List.copyOf(nodes);
  }

  /**
   * What a node has told last.
   *
   * @param head its newest block; empty if it does not answer
   * @param trouble why it does not, a sentence; else empty
   */
  record Told(OptionalLong head, String trouble) {
    static final Told NOTHING = new Told(OptionalLong.empty(), "");
  }

  /** What follows. */
  sealed interface Choice {}

  /**
   * @param place of the node that is asked
   * @param height of the newest block that counts
   * @param remarks sentences about the others, for the operator
   */
  record Follow(int place, long height, List<String> remarks) implements Choice {}

  /**
   * Nothing counts.
   *
   * @param sentence says why, and what to do
   */
  record Refuse(String sentence) implements Choice {}

  /**
   * @param told by the place of the node
   * @param preferred the place of the node that was asked last
   * @param seen the newest block that has counted
   */
  Choice choose(List<Told> told, int preferred, long seen) {
    var heads = told.stream().map(Told::head).toList();
    var answering = answering(heads);
    if (answering.isEmpty() || answering.size() < quorum) {
      return new Refuse(
          "%d of the chain's %d nodes answer, and ledger.ethereum.quorum is %d. %s"
              .formatted(
                  answering.size(),
                  nodes.size(),
                  quorum,
                  told.stream()
                      .map(Told::trouble)
                      .filter(trouble -> !trouble.isEmpty())
                      .collect(Collectors.joining(" "))));
    }
    long highest = head(heads, answering.getFirst());
    if (highest < seen - maxLag) {
      return new Refuse(
          "The chain's nodes tell of no block after %d, and block %d was seen: they were restored from a backup, or are cut off from the others. Nothing is read of them until they have caught up."
              .formatted(highest, seen));
    }
    int place =
        answering.contains(preferred) && head(heads, preferred) >= highest - maxLag
            ? preferred
            : answering.getFirst();
    long agreed = head(heads, answering.get(quorum - 1));
    return new Follow(
        place,
        Math.min(head(heads, place), quorum == 1 ? highest : agreed),
        remarks(told, highest));
  }

  /**
   * Whether a node answers, and does not lie too far behind what others have told last, nor behind
   * what was seen.
   */
  boolean isFarEnough(List<Told> told, int place, long seen) {
    var own = told.get(place).head();
    return own.isPresent()
        && LongStream.concat(
                told.stream().flatMapToLong(one -> one.head().stream()), LongStream.of(seen))
            .allMatch(head -> head - maxLag <= own.getAsLong());
  }

  /** Places, the highest block first. */
  private static List<Integer> answering(List<OptionalLong> heads) {
    return IntStream.range(0, heads.size())
        .boxed()
        .filter(place -> heads.get(place).isPresent())
        .sorted(Comparator.comparing((Integer place) -> -head(heads, place)))
        .toList();
  }

  private static long head(List<OptionalLong> heads, int place) {
    return heads.get(place).getAsLong();
  }

  private List<String> remarks(List<Told> told, long highest) {
    var remarks = new ArrayList<String>();
    for (int place = 0; place < nodes.size(); place++) {
      var head = told.get(place).head();
      if (head.isEmpty()) {
        remarks.add(told.get(place).trouble());
      } else if (head.getAsLong() < highest - maxLag) {
        remarks.add(
            "The chain's node at %s tells of no block after %d, another one of block %d: it lies behind, or was restored from a backup. It is not asked."
                .formatted(nodes.get(place), head.getAsLong(), highest));
      }
    }
    remarks.removeIf(String::isEmpty);
    return remarks;
  }

  /**
   * What is told where the nodes have different blocks at one height.
   *
   * @param hashes by the place of the node
   */
  String disagreement(long height, List<String> hashes) {
    return "The chain's nodes tell different blocks at height %d, and fewer than ledger.ethereum.quorum = %d the same: %s. Nothing after it is read until they agree."
        .formatted(
            height,
            quorum,
            IntStream.range(0, nodes.size())
                .mapToObj(place -> nodes.get(place) + " " + hashes.get(place))
                .collect(Collectors.joining(", ")));
  }
}

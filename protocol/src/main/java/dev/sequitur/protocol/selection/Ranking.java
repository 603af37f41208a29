package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The committee in order of preference for one range. Leaving unavailable members out never
 * reorders the others (SEL-3).
 */
public record Ranking(BlockRange range, List<Ranked> members) {
  public Ranking {
    members = List.copyOf(members);
  }

  /**
   * @param distance unsigned
   */
  public record Ranked(Identity identity, long distance) {}

  /** The node of the first member. */
  public NodeName preferred() {
    return members.get(0).identity().node();
  }

  /** The node of the first member whose node is available. */
  public Optional<NodeName> preferred(Predicate<NodeName> available) {
    return members.stream().map(ranked -> ranked.identity().node()).filter(available).findFirst();
  }

  /** Whether {@code node} has a member before every member of {@code other}. */
  public boolean prefers(NodeName node, NodeName other) {
    for (var ranked : members) {
      var at = ranked.identity().node();
      if (at.equals(other)) {
        return false;
      }
      if (at.equals(node)) {
        return true;
      }
    }
    return false;
  }
}

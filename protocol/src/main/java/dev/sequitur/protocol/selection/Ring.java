package dev.sequitur.protocol.selection;

import dev.sequitur.protocol.id.Identity;
import java.util.List;

/**
 * The hash ring of a contract as a person may draw it: where each member stands, and where some
 * ranges of blocks point to. All numbers are unsigned.
 *
 * @param ranges in their order, one after another
 */
public record Ring(List<Place> members, List<Point> ranges) {
  public Ring {
    members = List.copyOf(members);
    ranges = List.copyOf(ranges);
  }

  /**
   * @param positions ascending
   */
  public record Place(Identity identity, List<Long> positions) {
    public Place {
      positions = List.copyOf(positions);
    }
  }

  /**
   * @param at on the ring
   * @param ranking who coordinates then, if all are available
   */
  public record Point(long at, Ranking ranking) {}
}

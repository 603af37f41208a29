package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.List;

/**
 * A member's node tells another one what it has to tell its group, in its order; again until it is
 * acknowledged (MSG-3).
 *
 * @param after the number up to which the receiver has to have all; between that and the first
 *     nothing is for it (MSG-4, MSG-10)
 * @param first the number of the first; those of the others follow it without a gap
 */
public record GroupMessages(
    ContractAddress contract, long after, long first, List<GroupMessage.Content> contents)
    implements Message.ForMessageBook {
  /** So many go together. */
  public static final int MOST = 64;

  /** So long their data and topics may be together, unless it is one alone. */
  public static final int MOST_BYTES = 1_048_576;

  /**
   * @throws IllegalArgumentException if there are none, or more than any node sends together
   */
  public GroupMessages {
    if (after < 0 || first <= after || contents.isEmpty() || contents.size() > MOST) {
      throw new IllegalArgumentException(
          "Above 0, after what is had, and 1 to %d together: %d after %d, %d"
              .formatted(MOST, first, after, contents.size()));
    }
    contents = List.copyOf(contents);
  }

  /** The number of the last. */
  public long last() {
    return first + contents.size() - 1;
  }
}

package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.List;

/**
 * A member's node tells another one what it has to tell its group, in its order; again until it is
 * acknowledged (MSG-3).
 *
 * @param first the number of the first; those of the others follow it
 */
public record GroupMessages(
    ContractAddress contract, long first, List<GroupMessage.Content> contents)
    implements Message.ForMessageBook {
  /** So many go together. */
  public static final int MOST = 64;

  /** So long their data and topics may be together, unless it is one alone. */
  public static final int MOST_BYTES = 1_048_576;

  /**
   * @throws IllegalArgumentException if there are none, or more than any node sends together
   */
  public GroupMessages {
    if (first < 1 || contents.isEmpty() || contents.size() > MOST) {
      throw new IllegalArgumentException(
          "From 1, and 1 to " + MOST + " together: " + first + ", " + contents.size());
    }
    contents = List.copyOf(contents);
  }

  /** The number of the last. */
  public long last() {
    return first + contents.size() - 1;
  }
}

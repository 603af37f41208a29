package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.RequestId;

/**
 * From the node that was to make a group to the node of each other member that it has given the
 * genesis to: the group is never made (SEL-9).
 *
 * @param reason of at most {@link #MOST_REASON} characters; holds no private data
 */
public record GroupWithdrawal(RequestId requestId, GroupId group, String reason)
    implements Message.OfGroup {
  /** Characters of a reason. */
  public static final int MOST_REASON = 1_000;

  /**
   * @throws IllegalArgumentException if the reason is too long
   */
  public GroupWithdrawal {
    if (reason.length() > MOST_REASON) {
      throw new IllegalArgumentException(
          "A reason has at most " + MOST_REASON + " characters, and not " + reason.length() + ".");
    }
  }

  /** With as much of a reason as there is room for. */
  public static GroupWithdrawal of(RequestId requestId, GroupId group, String reason) {
    return new GroupWithdrawal(
        requestId, group, reason.substring(0, Math.min(MOST_REASON, reason.length())));
  }
}

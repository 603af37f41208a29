package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;

/**
 * The answer to {@link GroupMessages}, when all that it says is on the receiver's disk.
 *
 * @param upTo the number up to which the receiver has every message of that sender; 0 for none
 * @param again whether what has come does not follow that, so that what is after it must come again
 *     (MSG-5)
 */
public record GroupMessagesAcknowledgement(ContractAddress contract, long upTo, boolean again)
    implements Message.ForMessageBook {
  /**
   * @throws IllegalArgumentException if the number is below 0
   */
  public GroupMessagesAcknowledgement {
    if (upTo < 0) {
      throw new IllegalArgumentException("Messages are numbered from 1, and not " + upTo + ".");
    }
  }
}

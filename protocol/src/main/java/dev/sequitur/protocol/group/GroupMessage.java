package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.Optional;

/**
 * What a member's node has sent to all other nodes of its group, as each of them keeps it.
 *
 * @param from the node that has sent it
 * @param number rises in the order in which that node has sent its messages in this group, with a
 *     gap where its book began anew (MSG-9)
 */
public record GroupMessage(ContractAddress contract, NodeName from, long number, Content content) {
  /**
   * @throws IllegalArgumentException if the number is below 1
   */
  public GroupMessage {
    if (number < 1) {
      throw new IllegalArgumentException("A message's number is above 0, and not " + number + ".");
    }
  }

  public GroupMessageId id() {
    return GroupMessageId.of(contract, from, number);
  }

  /**
   * What is told.
   *
   * @param sent by the clock of the node that sends it
   * @param answers the message that it answers, if its sender says that it answers one; nobody
   *     checks that
   * @param data what the members understand, at most {@link #MOST_BYTES}
   */
  public record Content(Instant sent, Optional<GroupMessageId> answers, String topic, Bytes data) {
    /** Of data. */
    public static final int MOST_BYTES = 65_536;

    /** Characters of a topic. */
    public static final int MOST_TOPIC = 256;

    /**
     * @throws IllegalArgumentException with a sentence for the caller, if it is too long
     */
    public Content {
      check(topic, data);
    }

    /**
     * @throws IllegalArgumentException with a sentence for the caller, if it is too long
     */
    public static void check(String topic, Bytes data) {
      if (topic.isEmpty() || topic.length() > MOST_TOPIC) {
        throw new IllegalArgumentException(
            "A topic has 1 to " + MOST_TOPIC + " characters, and not " + topic.length() + ".");
      }
      if (data.size() > MOST_BYTES) {
        throw new IllegalArgumentException(
            "A message has at most " + MOST_BYTES + " bytes, and not " + data.size() + ".");
      }
    }

    /** What it takes of a batch, roughly. */
    public int size() {
      return data.size() + topic.length();
    }
  }
}

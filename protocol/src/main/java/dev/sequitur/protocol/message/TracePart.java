package dev.sequitur.protocol.message;

import java.util.List;
import java.util.UUID;

/**
 * What one process of a node has seen of the exchange about a transaction.
 *
 * @param process new for each start of the process; its nodes, if it has several, share one
 * @param processes of the node now, each of which has a part of its own
 * @param messages by number, at most {@link #MOST_MESSAGES}
 * @param leftOut further messages, which there was no room for
 */
public record TracePart(UUID process, int processes, List<TracedMessage> messages, int leftOut) {
  /** In one part: what a transaction with hundreds of attempts makes, under a megabyte. */
  public static final int MOST_MESSAGES = 1_000;

  /** More JVMs than any node has. */
  public static final int MOST_PROCESSES = 64;

  private static final int MOST_CHARACTERS = 1_000;

  public TracePart {
    messages = List.copyOf(messages);
    if (processes < 1 || processes > MOST_PROCESSES || leftOut < 0) {
      throw new IllegalArgumentException(
          "A part of a trace is of 1 to %d processes, and leaves out no fewer than 0 messages, not %d and %d."
              .formatted(MOST_PROCESSES, processes, leftOut));
    }
    if (messages.size() > MOST_MESSAGES || !messages.stream().allMatch(TracePart::isShort)) {
      throw new IllegalArgumentException(
          "A part of a trace holds at most %d messages, each about one transaction."
              .formatted(MOST_MESSAGES));
    }
  }

  private static boolean isShort(TracedMessage message) {
    return message.transactions().size() <= 1
        && message.fromRole().length() <= MOST_CHARACTERS
        && message.toRole().length() <= MOST_CHARACTERS
        && message.type().length() <= MOST_CHARACTERS
        && message.detail().length() <= MOST_CHARACTERS;
  }
}

package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Where the messages of a node's groups are kept, its own and those of the others. Every write is
 * durable when its future completes, and all or nothing. Thread-safe.
 */
public interface MessageStore {
  /** At a time. */
  int MOST_FORGOTTEN = 1_000;

  /**
   * A message with the place that it takes.
   *
   * @param after the number of the sender's message that is the newest here before it; 0 if it is
   *     the first
   */
  record Following(long after, GroupMessage message) {
    /**
     * @throws IllegalArgumentException if it would not come after that one
     */
    public Following {
      if (after < 0 || message.number() <= after) {
        throw new IllegalArgumentException(
            "Message " + message.number() + " does not follow " + after + ".");
      }
    }
  }

  /**
   * Keeps messages. One that is there after the same message of its sender in its group stays as it
   * is; if it is another one, two JVMs of a node have gone on from the same, and the later write
   * fails whole.
   *
   * @param at when they came here
   */
  CompletionStage<Void> putMessages(Instant at, List<Following> messages);

  /**
   * Deletes the oldest messages of a sender in a group: at most {@link #MOST_FORGOTTEN}, and none
   * of the newest.
   *
   * @param keep how many these are, from 1
   */
  CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, int keep);

  /** The highest number that is kept of each sender in a group. */
  CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract);

  /**
   * The numbers of the newest messages of a sender in a group, ascending.
   *
   * @param most at most so many
   */
  CompletionStage<List<Long>> newestNumbers(ContractAddress contract, NodeName from, int most);

  /**
   * Messages of one sender in a group, in order.
   *
   * @param after their numbers are above it
   */
  CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit);
}

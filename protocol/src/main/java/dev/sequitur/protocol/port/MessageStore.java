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
   * Keeps messages. One that is there under the number of its sender in its group stays as it is;
   * if it is another one, two JVMs of a node have numbered alike, and the later write fails whole.
   *
   * @param at when they came here
   */
  CompletionStage<Void> putMessages(Instant at, List<GroupMessage> messages);

  /**
   * Deletes the oldest messages of a sender in a group: at most {@link #MOST_FORGOTTEN}, up to a
   * number, and never the newest of the sender.
   */
  CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, long upTo);

  /** The highest number that is kept of each sender in a group. */
  CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract);

  /**
   * Messages of one sender in a group, in order.
   *
   * @param after their numbers are above it
   */
  CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit);
}

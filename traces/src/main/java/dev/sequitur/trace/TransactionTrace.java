package dev.sequitur.trace;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TracedMessage;
import java.util.List;
import java.util.Set;

/**
 * The exchange about one transaction, put together from what the nodes have seen of it.
 *
 * @param lines each message once, no effect before its cause; numbered from 1
 * @param silent members of the committee that did not answer, or not with all their processes, by
 *     name
 * @param leftOut messages that there was no room for, or whose words this release does not know
 */
public record TransactionTrace(List<Line> lines, List<NodeName> silent, long leftOut) {
  private static final Set<String> HEARTBEATS =
      Set.of(
          CoordinatorHeartbeatNotification.class.getSimpleName(),
          SubmitterHeartbeatNotification.class.getSimpleName());

  /**
   * @param message its time is of the clock of whoever saw it first
   * @param seenBy the nodes that say so, by name
   */
  public record Line(TracedMessage message, List<NodeName> seenBy) {
    public Line {
      seenBy = List.copyOf(seenBy);
    }
  }

  public TransactionTrace {
    lines = List.copyOf(lines);
    silent = List.copyOf(silent);
  }

  /**
   * Most messages about a transaction that takes long are heartbeats. The rest keeps its numbers.
   */
  public TransactionTrace withoutHeartbeats() {
    return new TransactionTrace(
        lines.stream().filter(line -> !HEARTBEATS.contains(line.message().type())).toList(),
        silent,
        leftOut);
  }
}

package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A coordinator lives and coordinates these. Fire and forget.
 *
 * @param heartbeatId orders this with the coordinator's acceptances (AVL-5)
 * @param timestamp by the coordinator's clock: for people, no rule compares it
 * @param transactions all active delegations of the node it is sent to, at least
 * @param waiting whom those of that node wait for which have waited for longer than an answer takes
 *     (HBT-6)
 */
public record CoordinatorHeartbeatNotification(
    HeartbeatSequence heartbeatId,
    Instant timestamp,
    ContractAddress contract,
    List<TransactionId> transactions,
    List<Waiting> waiting)
    implements Message.Heartbeat, Message.ForCoordinator, Message.ForEndorser {
  public CoordinatorHeartbeatNotification {
    transactions = List.copyOf(transactions);
    waiting = List.copyOf(waiting);
  }

  /** Of a coordinator that waits for nobody. */
  public CoordinatorHeartbeatNotification(
      HeartbeatSequence heartbeatId,
      Instant timestamp,
      ContractAddress contract,
      List<TransactionId> transactions) {
    this(heartbeatId, timestamp, contract, transactions, List.of());
  }

  /** These were asked about together, and wait for all of those who have not answered. */
  public record Waiting(List<TransactionId> transactions, List<Asked> asked) {
    public Waiting {
      transactions = List.copyOf(transactions);
      asked = List.copyOf(asked);
    }
  }

  /**
   * An endorser that has not answered.
   *
   * @param since by the coordinator's clock: for people
   * @param times that it was asked; 0 for the sender itself, whose turn comes later, as {@code
   *     said} tells (DSP-8)
   * @param said its last answer that was of no use, in the coordinator's words; empty if it was
   *     silent. Cut after 200 characters, since it is told with each transaction
   */
  public record Asked(Identity endorser, Instant since, int times, Optional<String> said) {
    public Asked {
      said = said.map(SubmitterHeartbeatNotification::cut);
    }
  }
}

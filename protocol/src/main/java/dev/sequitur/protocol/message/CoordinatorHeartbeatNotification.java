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
 * @param waiting for what those of that node wait which have waited for longer than an answer takes
 *     (HBT-6)
 * @param refused those of that node that endorsers have refused (EDR-5)
 */
public record CoordinatorHeartbeatNotification(
    HeartbeatSequence heartbeatId,
    Instant timestamp,
    ContractAddress contract,
    List<TransactionId> transactions,
    List<Waiting> waiting,
    List<Refusals> refused)
    implements Message.Heartbeat, Message.ForCoordinator, Message.ForEndorser {
  public CoordinatorHeartbeatNotification {
    transactions = List.copyOf(transactions);
    waiting = List.copyOf(waiting);
    refused = List.copyOf(refused);
  }

  /** Of a coordinator that waits for nobody. */
  public CoordinatorHeartbeatNotification(
      HeartbeatSequence heartbeatId,
      Instant timestamp,
      ContractAddress contract,
      List<TransactionId> transactions) {
    this(heartbeatId, timestamp, contract, transactions, List.of());
  }

  /** Of a coordinator of whose transactions none was refused. */
  public CoordinatorHeartbeatNotification(
      HeartbeatSequence heartbeatId,
      Instant timestamp,
      ContractAddress contract,
      List<TransactionId> transactions,
      List<Waiting> waiting) {
    this(heartbeatId, timestamp, contract, transactions, waiting, List.of());
  }

  /**
   * These wait for the same.
   *
   * @param transactions whose place in a line is told stand in its order
   * @param asked who has not answered, of those who were asked about them or about what they come
   *     after
   * @param turn their place in the line for an assembly, if that is what they wait for
   * @param after what they come after, if that is what they wait for
   */
  public record Waiting(
      List<TransactionId> transactions,
      List<Asked> asked,
      Optional<Turn> turn,
      Optional<Other> after) {
    public Waiting {
      transactions = List.copyOf(transactions);
      asked = List.copyOf(asked);
    }

    /** These were asked about together, and wait for all of those who have not answered. */
    public Waiting(List<TransactionId> transactions, List<Asked> asked) {
      this(transactions, asked, Optional.empty(), Optional.empty());
    }

    /** These have their turns one after the other. */
    public static Waiting inLine(List<TransactionId> transactions, Turn first) {
      return new Waiting(transactions, List.of(), Optional.of(first), Optional.empty());
    }

    /**
     * @param asked who has not answered of those who were asked about {@code other}
     */
    public static Waiting after(Other other, List<Asked> asked, List<TransactionId> transactions) {
      return new Waiting(transactions, asked, Optional.empty(), Optional.of(other));
    }
  }

  /**
   * A place in the line for an assembly. Senders take turns, so it is that of now: who comes later
   * may be served sooner.
   *
   * @param before how many come before it, those that are being assembled among them
   * @param assembling the first of those, for which all others wait
   */
  public record Turn(int before, Optional<Other> assembling) {
    /** The place of one that stands so many behind it. */
    public Turn behind(int more) {
      return new Turn((int) Math.min(Integer.MAX_VALUE, (long) before + more), assembling);
    }
  }

  /**
   * A transaction that others wait for.
   *
   * @param from its sender's identity
   * @param since it is where it is, by the coordinator's clock: for people
   */
  public record Other(TransactionId transaction, Identity from, Instant since) {}

  /**
   * An endorser that has not answered.
   *
   * @param since by the coordinator's clock: for people
   * @param times that it was asked; 0 for whoever it is because of that a turn comes later, as
   *     {@code said} tells: the sender itself (DSP-8), or one that has refused
   * @param said its last answer that was of no use, in the coordinator's words; empty if it was
   *     silent. Cut after 200 characters, since it is told with each transaction
   */
  public record Asked(Identity endorser, Instant since, int times, Optional<String> said) {
    public Asked {
      said = said.map(SubmitterHeartbeatNotification::cut);
    }
  }
}

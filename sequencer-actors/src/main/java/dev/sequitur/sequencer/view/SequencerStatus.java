package dev.sequitur.sequencer.view;

import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is in flight for one contract on one node, and who waits for whom. */
public record SequencerStatus(
    NodeName node,
    ContractAddress contract,
    BlockHeight blockHeight,
    Optional<Lacking> lacking,
    SenderStatus sender,
    CoordinatorStatus coordinator,
    List<HeartbeatSeen> heartbeats) {

  /** How many of each kind are listed: a group may have as many as its node takes. */
  public static final int LISTED = 50;

  /**
   * How many are in a state.
   *
   * @param state as those that are listed name it
   */
  public record Counted(String state, int transactions) {}

  /**
   * @param transactions some, {@link #LISTED} at most
   * @param counted all of them, by their states
   * @param oldest of the transactions under way, a few
   * @param holdOff why what else could be delegated is not; empty if nothing is held back
   * @param holdOffUntil when it ends at the latest, by this node's clock
   */
  public record SenderStatus(
      List<TransactionStatus> transactions,
      List<Counted> counted,
      List<Oldest> oldest,
      String holdOff,
      Optional<Instant> holdOffUntil) {}

  /**
   * One that was accepted before others and has not ended, though somebody of this network is to
   * act upon it.
   *
   * @param age by this node's clock
   * @param waitsFor a sentence
   * @param nodes whose move is next, as far as its sender knows
   */
  public record Oldest(
      TransactionId transaction,
      Instant accepted,
      Duration age,
      String state,
      String waitsFor,
      List<NodeName> nodes) {}

  /**
   * @param state the contract's state on the coordinator
   * @param transactions some, {@link #LISTED} at most
   * @param counted all of them, by their states
   * @param locks some, {@link #LISTED} at most
   * @param locked how many there are
   */
  public record CoordinatorStatus(
      String state,
      List<Coordinated> transactions,
      List<Counted> counted,
      List<Lock> locks,
      int locked) {}

  /**
   * One transaction that this node coordinates.
   *
   * @param dependsOn the transactions in flight whose outputs it uses
   * @param waitsFor the endorsers or the sender that have not answered
   */
  public record Coordinated(
      TransactionId transaction,
      NodeName sender,
      String state,
      List<TransactionId> dependsOn,
      List<Identity> waitsFor) {}

  public record Lock(StateId state, TransactionId spentBy) {}

  public record HeartbeatSeen(NodeName from, String kind, Instant lastSeen, int transactions) {}

  /** What one coordinator tells of itself. */
  public record CoordinatorReport(CoordinatorStatus status, List<HeartbeatSeen> heard)
      implements ProtocolSerializable {}

  /**
   * What one sender tells of itself.
   *
   * @param unavailable members' nodes that it presumes to be away, since they did not answer it
   */
  public record SenderReport(
      SenderStatus status, List<HeartbeatSeen> submitters, List<Away> unavailable)
      implements ProtocolSerializable {

    /**
     * @param until when it is worth another try, by this node's clock; empty if as soon as there is
     *     a link
     * @param answers it is not silent, and cannot act (AVL-7)
     * @param link why there is no connection to it, if there is none (AVL-8)
     */
    public record Away(
        NodeName node, Optional<Instant> until, boolean answers, Optional<String> link) {}
  }
}

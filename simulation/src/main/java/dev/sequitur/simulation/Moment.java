package dev.sequitur.simulation;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.message.Envelope;
import java.util.List;

/** A point at which a node may crash (RCV-5: 1S to 6S, 1C and 2C). */
sealed interface Moment {
  NodeName node();

  /** The intent is not committed yet: 1S. */
  record Accepting(NodeName node, TransactionId transaction) implements Moment {}

  /** The intent is committed and nothing is done about it yet: 2S. */
  record Accepted(NodeName node, TransactionId transaction) implements Moment {}

  /** A message has just left: 3S, 4S, 5S by its kind. */
  record Sent(NodeName node, Envelope envelope) implements Moment {}

  /** A machine's events are not committed yet: 1C for the submitter's. */
  record Committing(NodeName node, String machine, List<?> events) implements Moment {}

  /** They are committed, and nothing that follows from them has left: 2C. */
  record Committed(NodeName node, String machine, List<?> events) implements Moment {}

  /** The ledger has these in its pool, and nobody at the node knows yet. */
  record Submitted(NodeName node, List<Long> nonces) implements Moment {}

  /**
   * The ledger has a transfer from the node's funding account, and nobody at the node knows yet.
   */
  record Paid(NodeName node, GasTransfer transfer) implements Moment {}

  /** A final block has come and nobody knows of it yet: 6S. */
  record Indexing(NodeName node, Block block) implements Moment {}

  /**
   * What it knows of a group is not stored yet, or is stored and nobody knows yet.
   *
   * @param stored whether it is
   */
  record Founding(NodeName node, GroupId group, boolean stored) implements Moment {}
}

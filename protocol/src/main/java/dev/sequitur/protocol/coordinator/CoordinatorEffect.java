package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.Dispatch;
import java.util.List;

/** What a coordinator asks its actor to do, besides sending messages. */
public sealed interface CoordinatorEffect {
  /** Ask this node's submitter for the contract's dispatches that are not confirmed (RCV-2). */
  record LoadUnconfirmedDispatches() implements CoordinatorEffect {}

  /** Hand to this node's submitter, in this order. */
  record HandToSubmitter(List<Dispatch> dispatches) implements CoordinatorEffect {}

  /** Tell the operator whose answer was not valid: once for each request. */
  record TellInvalid(Identity endorser) implements CoordinatorEffect {}

  /** Something worth counting. */
  record Count(Counted what) implements CoordinatorEffect {}

  /** What is counted. */
  enum Counted {
    /** A transaction assembled before was put back into the queue. */
    REASSEMBLY,
    /** An endorsement was refused. */
    REFUSAL,
    /** A delegation was rejected. */
    REJECTED_DELEGATION,
    /** This node ceased to coordinate the contract. */
    RANGE_LEFT,
    /** An endorsement with a wrong signature was dropped. */
    INVALID_ENDORSEMENT
  }
}

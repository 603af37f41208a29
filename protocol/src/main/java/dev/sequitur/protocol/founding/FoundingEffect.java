package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import java.util.List;

/** What the making of groups has done by others. */
public sealed interface FoundingEffect {
  /** Read what was accepted and has no receipt: answered by PendingRead or PendingNotRead. */
  record ReadPending(long after) implements FoundingEffect {}

  /** Look into the node store: answered by Found or NotFound. */
  record Find(GroupId group) implements FoundingEffect {}

  /** Answered by Stored or NotStored. */
  record Store(StoredGroup group) implements FoundingEffect {}

  /**
   * Ask the base ledger whether one of these is in a block: answered by Looked or Unreachable.
   *
   * @param hashes of the transaction at the fees that it was offered at: one nonce, so one of them
   * @param nonce whether the next nonce of its key is asked for, too
   */
  record Look(GroupId group, List<TransactionHash> hashes, boolean nonce)
      implements FoundingEffect {}

  /** Sign and submit: answered by Submitted or Unreachable. */
  record Submit(Deployment deployment, Fees fees, long gasLimit) implements FoundingEffect {}

  /**
   * The key of the group's contract pays for this and never again (FND-1).
   *
   * @param waits whether the base ledger has refused it for want of money
   */
  record UseGas(GroupId group, Fees fees, long gasLimit, boolean waits) implements FoundingEffect {}

  /**
   * The receipt of the transaction that asked for it, then the end of the group itself: answered by
   * EndStored or EndNotStored.
   */
  record StoreEnd(StoredGroup ended) implements FoundingEffect {}

  /** Of one of which nothing is stored: answered by EndStored or EndNotStored. */
  record Refuse(GroupId group, NewGroup asked, String reason) implements FoundingEffect {}

  /** The members of a group that has ended are told. */
  record Withdraw(StoredGroup ended) implements FoundingEffect {}

  /** What a caller is told. */
  record Answer(long call, Outcome outcome) implements FoundingEffect {}

  /** What the operator is told. */
  record Warn(String sentence) implements FoundingEffect {}

  /** What the operator is told of what has gone wrong here. */
  record Failed(String sentence, Throwable why) implements FoundingEffect {}

  /** What came of what a caller wanted. */
  sealed interface Outcome {
    /** The group is stored, and the base ledger has its contract or is about to. */
    record Begun(StoredGroup group) implements Outcome {}

    record Resolved(Verifier verifier) implements Outcome {}

    record Room() implements Outcome {}

    record Refused(String code, String sentence) implements Outcome {}

    /** This node cannot do it now. */
    record Failed(Throwable why) implements Outcome {}
  }
}

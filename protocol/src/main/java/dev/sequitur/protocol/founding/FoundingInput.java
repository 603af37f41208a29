package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What the making of groups is told. */
public sealed interface FoundingInput {
  /**
   * A caller wants a group. Answered once, when its first try has come to something.
   *
   * @param genesis the transaction that makes it, which nobody has accepted
   */
  record Make(long call, GroupRequest request, TransactionId genesis) implements FoundingInput {}

  /** A caller wants the key of an identity. Answered once. */
  record Resolve(long call, Identity identity) implements FoundingInput {}

  /** A caller is about to have so many transactions accepted that make groups. Answered once. */
  record Reserve(long call, long more) implements FoundingInput {}

  /** Transactions that make groups may have been accepted. */
  record Accepted() implements FoundingInput {}

  /**
   * Of those that make groups and have no receipt, as the node store has them.
   *
   * @param next after which order of acceptance to read on, if there may be more
   */
  record PendingRead(List<NewGroup> page, Optional<Long> next) implements FoundingInput {}

  record PendingNotRead(Throwable why) implements FoundingInput {}

  /**
   * A group of this node's own whose contract does not stand, as a start finds it in the node
   * store, or who takes over from a JVM that is gone.
   *
   * @param failed what the receipt of its transaction says, if it has one of a failure
   */
  record TakenUp(StoredGroup group, Optional<String> failed) implements FoundingInput {}

  /** What the node store has of a group. */
  record Found(GroupId group, Optional<StoredGroup> stored) implements FoundingInput {}

  record NotFound(GroupId group, Throwable why) implements FoundingInput {}

  record Stored(GroupId group) implements FoundingInput {}

  /** It may be stored all the same. */
  record NotStored(GroupId group, Throwable why) implements FoundingInput {}

  /** From a node that was asked, or says so. */
  record Answered(NodeName from, Message answer) implements FoundingInput {}

  /**
   * What the base ledger says of a group's transaction.
   *
   * @param receipt if it is in a block, which may still be replaced
   * @param nonce the next of its key, if that was asked for
   * @param baseFee of the newest block; 0 if nothing is known of it
   */
  record Looked(GroupId group, Optional<LedgerReceipt> receipt, OptionalLong nonce, long baseFee)
      implements FoundingInput {}

  /**
   * What the pool says to it.
   *
   * @param moneyComes whether its key gets money for gas by itself
   */
  record Submitted(
      GroupId group, LedgerAddress signer, SubmitOutcome outcome, long baseFee, boolean moneyComes)
      implements FoundingInput {}

  /** The base ledger does not answer. */
  record Unreachable(GroupId group, Throwable why) implements FoundingInput {}

  /** How it ended is stored. */
  record EndStored(GroupId group) implements FoundingInput {}

  record EndNotStored(GroupId group, Throwable why) implements FoundingInput {}

  /** The contracts of these stand; this node is in them. */
  record Standing(Set<GroupId> groups) implements FoundingInput {}

  record Tick() implements FoundingInput {}
}

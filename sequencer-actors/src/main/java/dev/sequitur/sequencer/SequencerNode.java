package dev.sequitur.sequencer;

import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.sequencer.view.Whereabouts;
import dev.sequitur.trace.TransactionTrace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One party's sequencer as the process around it sees it: what JSON-RPC, the command line, the
 * demonstration and the schedules call. Thread-safe; nothing here blocks.
 */
public interface SequencerNode extends PrivateTransactions {
  NodeName name();

  /** Reads only: what callers were promised. */
  NodeStore store();

  /** How long it keeps what has ended. */
  default RoomPolicy room() {
    return RoomPolicy.FOREVER;
  }

  /** This node's view of the base ledger. */
  BaseLedger ledger();

  Keys keys();

  /** By name. */
  Map<String, Domain> domains();

  /** The nodes this one can talk to. */
  Set<NodeName> peers();

  /** How the connection to each of them is; empty within one process, where none is needed. */
  Map<NodeName, Transport.Link> links();

  /** Whether this JVM is a member of its node's cluster now, so that it reaches the entities. */
  boolean isMember();

  /**
   * How each JVM of the node is; those that do not answer within some seconds are there without
   * what they would tell.
   *
   * @return in the order of their addresses; fails with {@link PrivateTransactions.RefusedIntent}
   *     if too many ask at once
   */
  CompletionStage<List<JvmView>> jvms();

  /** In which JVMs the entities of a contract are in memory; fails as {@link #jvms} does. */
  CompletionStage<Whereabouts> where(ContractAddress contract);

  /** The same of one entity of a kind that the sequencer does not know. */
  CompletionStage<Whereabouts> where(String kind, String entity);

  /** What a new private transaction of that contract and sender is told apart by. */
  FreshIntent fresh(ContractAddress contract, Identity from);

  /** How many groups with a confirmed contract have a member of this node. */
  int groupCount();

  /** Whether it is the confirmed contract of a group that has a member of this node. */
  CompletionStage<Boolean> knows(ContractAddress contract);

  /**
   * The names of the group's members of this node; empty if this node {@link #knows} it not, or
   * nobody has asked for the group since this JVM runs: by {@link #knows}, {@link #load} or {@link
   * #awaitMembers}.
   */
  Optional<List<String>> localMembers(ContractAddress contract);

  /**
   * Has the members of every group at hand, for whoever must ask for any without waiting. What a
   * JVM keeps of them is read once, with the first call.
   */
  CompletionStage<Void> awaitMembers();

  /** The group, from memory or from the node store; empty if this node {@link #knows} it not. */
  CompletionStage<Optional<PrivacyGroup>> load(ContractAddress contract);

  /** A group that is in memory: one that is {@link #load loaded} stays so while somebody has it. */
  Optional<PrivacyGroup> group(ContractAddress contract);

  /**
   * Asks each member's node for its verifier, stores the group and submits its contract; completes
   * before the contract is confirmed.
   *
   * @return fails with {@link PrivateTransactions.RefusedIntent} if the request cannot be used
   */
  CompletionStage<StoredGroup> createGroup(GroupRequest request);

  /** The verifier of an identity here or, asked over the transport, of another node. */
  CompletionStage<Verifier> resolveVerifier(Identity identity);

  /** A read-only call to a domain on the states this node holds. */
  CompletionStage<Bytes> call(
      ContractAddress contract, Identity from, String function, Bytes inputs);

  /**
   * Tells all other nodes of a group something, in the order in which this node tells them. It is
   * kept when the future completes, and reaches each of them as soon as that can be reached.
   *
   * @param answers the message that it answers, if the caller says so
   * @throws IllegalArgumentException with a sentence for the caller, if it is too long
   */
  CompletionStage<MessageBook.Outcome> sendMessage(
      ContractAddress contract, Optional<GroupMessageId> answers, String topic, Bytes data);

  /** Which contents of a group this node lacks for certain (DST-5). */
  CompletionStage<Optional<Lacking>> lacking(ContractAddress contract);

  /**
   * Why nothing is done upon what this node holds of a group, since it differs from the ledger
   * (DST-10): a sentence.
   */
  CompletionStage<Optional<String>> stopped(ContractAddress contract);

  /**
   * Begins to compare a group with the whole ledger (DST-9), unless that is under way.
   *
   * @param rebuild whether what differs is to be made what the ledger shows (DST-11)
   * @return how far it is now
   */
  CompletionStage<ComparisonProgress> compareWithLedger(ContractAddress contract, boolean rebuild);

  /** How far the comparison is that was asked for last; empty if none was since the start. */
  CompletionStage<Optional<ComparisonProgress>> comparison(ContractAddress contract);

  /** How states of a contract stand on this node. */
  CompletionStage<StateStoreState.Standing> standing(
      ContractAddress contract, List<StateId> states);

  /**
   * Resumes a parked transaction.
   *
   * @return whether it was parked
   */
  CompletionStage<Boolean> resume(TransactionId transaction);

  /** The newest final block that this node has indexed: selection goes by it. */
  BlockHeight blockHeight();

  /**
   * Why the base ledger is read no further, if this is the JVM of the node that reads it: it lacks
   * blocks that this node has acted upon (CNF-6). A sentence for the operator.
   */
  Optional<String> ledgerParted();

  /**
   * Since when and why the base ledger can't be read, if this is the JVM of the node that reads it
   * and it has failed more than once. A sentence for the operator.
   */
  Optional<String> ledgerUnread();

  /**
   * What the operator should look at though the node is well: in which groups of this JVM contents
   * are lacking, and of whom (DST-5); how many transactions have waited for long, and for which
   * nodes. It names no transaction.
   */
  List<String> remarks();

  /**
   * Why some of what this JVM has under way stands still: entities that cannot be loaded from the
   * journal. A sentence for the operator.
   */
  Optional<String> notRecovered();

  /**
   * Why entities of this node cannot be found: nobody deals out the shards of their kind. A
   * sentence for the operator. Completes within some seconds.
   */
  CompletionStage<Optional<String>> undealt();

  /** How the node stands with the money for gas, if this is the JVM that sees to it (FND-4). */
  GasReport gas();

  /** What the contract's key pays for gas with, and has paid. */
  CompletionStage<GasView> gas(ContractAddress contract);

  /** The public transactions of an identity of this node that have a nonce and no end. */
  CompletionStage<List<SubmitterState.Underway>> publicsUnderway(Identity from);

  /**
   * Has another call carried out in place of a public transaction of this node (PUB-8).
   *
   * @param by under the same id, from the same identity
   * @param fees offered at least
   * @return why it is not; empty if it is, for good
   */
  CompletionStage<Optional<Submitter.ChangeRefusal>> replace(
      PublicTransaction by, Optional<Fees> fees);

  /**
   * Has a public transaction of this node carried out no more, unless a block has it (PUB-8).
   *
   * @return why it is not
   */
  CompletionStage<Optional<Submitter.ChangeRefusal>> cancel(Identity from, TransactionId id);

  /** Who coordinates this contract now, and why. */
  CompletionStage<CoordinatorView> coordinator(ContractAddress contract);

  /** By which ring it is chosen, for the present range of blocks and some that follow. */
  CompletionStage<RingView> ring(ContractAddress contract);

  /** What is in flight for this contract on this node. */
  CompletionStage<SequencerStatus> status(ContractAddress contract);

  /** The protocol's state of one of this node's transactions; empty if it is not in flight. */
  CompletionStage<Optional<TransactionStatus>> transactionStatus(TransactionId transaction);

  /**
   * The messages about one transaction that the members of its committee have seen, no effect
   * before its cause. Members that do not answer within some seconds are named.
   *
   * @return empty if nobody knows of it; fails with {@link PrivateTransactions.RefusedIntent} if
   *     too many are being gathered
   */
  CompletionStage<TransactionTrace> trace(TransactionId transaction);

  /** Some of what {@code /metrics} shows, as it is now. */
  SequencerMetrics.Counts counts();
}

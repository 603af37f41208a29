package dev.sequitur.sequencer;

import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.trace.TransactionTrace;
import java.util.Collection;
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

  /** How this JVM's sequencer is, for the operator. */
  NodeHealth health();

  /** The JVMs of the node, and what is where. */
  Jvms jvms();

  /** The public transactions that this node's identities have under way. */
  PublicCalls publicCalls();

  /** What a new private transaction of that contract and sender is told apart by. */
  FreshIntent fresh(ContractAddress contract, Identity from);

  /** How many groups with a confirmed contract have a member of this node. */
  int groupCount();

  /** Whether it is the confirmed contract of a group that has a member of this node. */
  CompletionStage<Boolean> knows(ContractAddress contract);

  /**
   * The names of the group's members of this node; empty if this node {@link #knows} it not, or
   * nobody has asked for the group since this JVM runs: by {@link #knows}, {@link #load} or {@link
   * #awaitGroupsOf}.
   */
  Optional<List<String>> localMembers(ContractAddress contract);

  /**
   * Has the members of all groups of some identities of this node at hand, for whoever must ask for
   * any of them without waiting. What a JVM keeps of these groups is read once, with the first call
   * that is about these identities.
   */
  CompletionStage<Void> awaitGroupsOf(Collection<NamePattern> identities);

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

  /**
   * This node's operator agrees to a change of a group's committee: the node signs it, and has it
   * brought to the base ledger once enough have.
   *
   * @param by who has called
   * @return what is kept of it; fails with {@link PrivateTransactions.RefusedIntent} and a sentence
   */
  CompletionStage<AgreedChange> agree(ContractAddress contract, CommitteeChange change, String by);

  /** What the node does about committees without being called, for whoever writes it down. */
  CommitteeNews committees();

  /**
   * The operator takes back what it has agreed to, as long as not enough have signed.
   *
   * @return what is kept of it now; empty if nothing of that group was agreed to
   */
  CompletionStage<Optional<AgreedChange>> withdraw(ContractAddress contract);

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
   * Has contents of states of a group erased, here and at the other members (ROM-7). The same again
   * changes nothing, but asks those once more who have not erased them.
   *
   * @param states 1 to {@link dev.sequitur.protocol.message.StateErasure#MOST}
   * @return once it is durable that they are erased, or why they are not
   */
  CompletionStage<Erased.Answer> erase(ContractAddress contract, List<StateId> states);

  /**
   * What callers have had erased of a group, the oldest first, with who has answered.
   *
   * @param after the last place of the page before; empty to begin
   */
  CompletionStage<Erased.Page> erasures(
      ContractAddress contract, Optional<Erased.Place> after, int limit);

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

  /** What the contract's key pays for gas with, and has paid. */
  CompletionStage<GasView> gas(ContractAddress contract);

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

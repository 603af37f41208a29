package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The part of the {@link NodeStore} that groups are in, from the moment somebody asks for one.
 * Every write is durable when its future completes, and all or nothing. Thread-safe.
 */
public interface GroupStore {
  /**
   * Groups that were given by one other node and withdrawn, at most: of more the one that was
   * withdrawn first is forgotten.
   */
  int MOST_WITHDRAWN = 1_000;

  /**
   * Groups of one other node that wait for their contract, at most: a node could else fill this
   * one.
   */
  int MOST_AWAITED = 1_000;

  /** Stores a group, or what is known of it now besides ({@link NodeStore.StoredGroup#joined}). */
  CompletionStage<Void> putGroup(NodeStore.StoredGroup group);

  /**
   * Stores a group that another node has given, or has withdrawn before, unless there is one under
   * its id, or it would wait and {@link #MOST_AWAITED} of that node's wait already.
   *
   * @return what is stored under its id now; empty if there is no room for it
   */
  CompletionStage<Optional<NodeStore.StoredGroup>> putGiven(NodeStore.StoredGroup group);

  /**
   * Stores a group whose contract stands, with what a JVM keeps of it in memory.
   *
   * @param at the block by which it is so
   */
  CompletionStage<Void> putKnown(NodeStore.StoredGroup group, KnownGroup known, BlockHeight at);

  CompletionStage<Optional<NodeStore.StoredGroup>> group(GroupId id);

  /** The group that a transaction makes. */
  CompletionStage<Optional<NodeStore.StoredGroup>> groupMadeBy(TransactionId genesis);

  /**
   * A page of all of them, the newest first.
   *
   * @param before the last of the page before
   */
  CompletionStage<List<NodeStore.StoredGroup>> groups(
      Optional<NodeStore.StoredGroup> before, int limit);

  /** Those that {@link NodeStore.StoredGroup#isUnfinished}: few, however many groups there are. */
  CompletionStage<List<NodeStore.StoredGroup>> unfinishedGroups();

  /**
   * A page of what was stored by {@link #putKnown}, in the order of the contracts.
   *
   * @param after the contract of the last of the page before
   */
  CompletionStage<List<KnownGroup>> knownGroups(Optional<ContractAddress> after, int limit);

  /** Those with these contracts that were stored by {@link #putKnown}, in one question. */
  CompletionStage<List<KnownGroup>> known(Collection<ContractAddress> contracts);

  /** As {@link #known}, those whose transactions these keys submit. */
  CompletionStage<List<KnownGroup>> submittedBy(Collection<LedgerAddress> submitters);

  /** How many were stored by {@link #putKnown}: one row is read, however many there are. */
  CompletionStage<Long> countKnown();

  /**
   * A page of the names of their members of this node, each once, in their order.
   *
   * @param after the last of the page before
   */
  CompletionStage<List<String>> localMembers(Optional<String> after, int limit);

  /**
   * A page of what members of this node are in, by their names.
   *
   * @param after the last of the page before
   */
  CompletionStage<List<LocalMember>> groupsOf(Names names, Optional<LocalMember> after, int limit);

  /**
   * A page of what was stored by {@link #putKnown} of blocks above one and up to another one: which
   * groups have begun, or have got another committee. What has changed twice is there twice.
   *
   * @param after the last of the page before
   */
  CompletionStage<List<ChangedGroup>> changedGroups(
      BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, int limit);

  /**
   * Names of members of this node, without the node's name.
   *
   * @param beginning of each of them
   * @param whole whether nothing may follow it
   */
  record Names(String beginning, boolean whole) {
    public static Names named(String name) {
      return new Names(name, true);
    }

    public static Names thatBegin(String beginning) {
      return new Names(beginning, false);
    }

    public boolean have(String name) {
      return whole ? name.equals(beginning) : name.startsWith(beginning);
    }
  }

  /** A member of this node, without the node's name, and a group that it is in. */
  record LocalMember(String name, ContractAddress contract) {}

  /** A group that has begun, or has got another committee, by a block. */
  record ChangedGroup(BlockHeight block, ContractAddress contract) {}

  /**
   * What a JVM of the node keeps in memory of each group that has concerned it, to tell without
   * another question whether it knows a contract, whose transactions a key submits, and who may see
   * the group.
   *
   * @param submitter the key of this node that submits the group's transactions
   * @param nodes of its members, and of those of the committee before
   * @param local its members of this node, without the node's name
   */
  record KnownGroup(
      ContractAddress contract, LedgerAddress submitter, List<NodeName> nodes, List<String> local) {
    public KnownGroup {
      nodes = List.copyOf(nodes);
      local = List.copyOf(local);
    }

    /** Its members of this node. */
    public List<LocalMember> members() {
      return local.stream().map(name -> new LocalMember(name, contract)).toList();
    }

    public static KnownGroup of(PrivacyGroup group, LedgerAddress submitter, NodeName self) {
      var members = group.committee().identities();
      return new KnownGroup(
          group.contract(),
          submitter,
          List.copyOf(group.nodes()),
          members.stream()
              .filter(member -> member.node().equals(self))
              .map(Identity::name)
              .sorted()
              .toList());
    }
  }

  /**
   * Intents that make a group and have no receipt, in order of acceptance.
   *
   * @param after their order is above it
   */
  CompletionStage<List<NodeStore.Intent>> newGroupsPending(long after, int limit);
}

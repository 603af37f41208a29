package dev.sequitur.simulation;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A running node's way to the groups on its disk, with the crashes before and after a write. */
record SimulatedGroups(NodeLife node) implements GroupStore {
  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return SimulatedSurroundings.write(
        node,
        NodeLife.WRITE,
        () -> {
          put(group);
          return null;
        });
  }

  private void put(StoredGroup group) {
    node.reach(new Moment.Founding(node.name(), group.id(), false));
    node.disk().groups.merge(group.id(), group, StoredGroup::joined);
    node.trace("group", group.id() + " " + group.notMade().orElse(""));
    node.simulation().foundings().onStored(node.name(), node.disk().groups.get(group.id()));
    node.reach(new Moment.Founding(node.name(), group.id(), true));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
    return SimulatedSurroundings.write(
        node,
        NodeLife.WRITE,
        () -> {
          if (!node.disk().groups.containsKey(group.id())) {
            put(group);
          }
          return Optional.of(node.disk().groups.get(group.id()));
        });
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
    return SimulatedSurroundings.answer(
        node, NodeLife.WORK, () -> Optional.ofNullable(node.disk().groups.get(id)));
  }

  /** What JVMs keep in memory is not simulated. */
  @Override
  public CompletionStage<Void> putKnown(StoredGroup group, KnownGroup known, BlockHeight at) {
    return putGroup(group);
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupMadeBy(TransactionId genesis) {
    return SimulatedSurroundings.answer(
        node,
        NodeLife.WORK,
        () -> first(group -> group.genesisTransaction().equals(Optional.of(genesis))));
  }

  private Optional<StoredGroup> first(Predicate<StoredGroup> wanted) {
    return node.disk().groups.values().stream().filter(wanted).findFirst();
  }

  @Override
  public CompletionStage<List<StoredGroup>> groups(Optional<StoredGroup> before, int limit) {
    throw new UnsupportedOperationException("Nobody asks for pages of groups here.");
  }

  @Override
  public CompletionStage<List<StoredGroup>> unfinishedGroups() {
    return SimulatedSurroundings.answer(
        node,
        NodeLife.WORK,
        () -> node.disk().groups.values().stream().filter(StoredGroup::isUnfinished).toList());
  }

  @Override
  public CompletionStage<List<KnownGroup>> knownGroups(Optional<ContractAddress> after, int limit) {
    throw new UnsupportedOperationException("Nobody asks for pages of groups here.");
  }

  @Override
  public CompletionStage<List<KnownGroup>> known(Collection<ContractAddress> contracts) {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<List<KnownGroup>> submittedBy(Collection<LedgerAddress> submitters) {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<Long> countKnown() {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<List<String>> localMembers(Optional<String> after, int limit) {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<List<LocalMember>> groupsOf(
      Names names, Optional<LocalMember> after, int limit) {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<List<ChangedGroup>> changedGroups(
      BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, int limit) {
    throw new UnsupportedOperationException("What JVMs keep in memory is not simulated.");
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return SimulatedSurroundings.answer(
        node, NodeLife.WORK, () -> node.disk().newGroupsPending(after, limit));
  }
}

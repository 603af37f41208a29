package dev.sequitur.simulation;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A running node's way to the groups on its disk, with the crashes before and after a write. */
record SimulatedGroups(NodeLife node) implements GroupStore {
  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return SimulatedSurroundings.answer(
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
    return SimulatedSurroundings.answer(
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

  @Override
  public CompletionStage<List<StoredGroup>> groups() {
    return SimulatedSurroundings.answer(
        node, NodeLife.WORK, () -> List.copyOf(node.disk().groups.values()));
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return SimulatedSurroundings.answer(
        node, NodeLife.WORK, () -> node.disk().newGroupsPending(after, limit));
  }
}

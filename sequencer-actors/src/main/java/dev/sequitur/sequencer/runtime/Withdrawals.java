package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.sequencer.actor.NodeServices;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the nodes of members that groups of this node are never made (SEL-9): each node of one
 * group after the other, and one that does not answer again after a pause, for as long as {@link
 * Withdrawal#TOLD_FOR}. Whom it has yet to tell of what stands in the node store, so that it goes
 * on after a restart. Thread-safe.
 */
final class Withdrawals {
  /** Until a node that has not answered is told again. */
  static final Duration PAUSE = Duration.ofMinutes(1);

  /** Groups at a time. More of them stay in the node store, for the next start. */
  static final int MOST = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);

  private final NodeServices services;
  private final GenesisDistribution distribution;
  private final Later later;

  // By this: what is told, which of it to each node, and the nodes that are being told or paused.
  private final Map<GroupId, Ended> ended = new LinkedHashMap<>();
  private final Map<NodeName, Set<GroupId>> untold = new HashMap<>();
  private final Set<NodeName> engaged = new HashSet<>();

  private record Ended(GroupId group, String reason, Withdrawal withdrawal) {}

  Withdrawals(NodeServices services, GenesisDistribution distribution, Later later) {
    this.services = services;
    this.distribution = distribution;
    this.later = later;
  }

  /** Tells those whom a stored group says that it has to tell. To repeat it is safe. */
  synchronized void begin(StoredGroup stored) {
    if (stored.notMade().isEmpty()
        || stored.withdrawal().isEmpty()
        || ended.containsKey(stored.id())
        || ended.size() >= MOST) {
      return;
    }
    var nodes = stored.withdrawal().get().untold();
    if (nodes.isEmpty()) {
      return;
    }
    ended.put(
        stored.id(), new Ended(stored.id(), stored.notMade().get(), stored.withdrawal().get()));
    for (var node : nodes) {
      untold.computeIfAbsent(node, any -> new LinkedHashSet<>()).add(stored.id());
    }
    nodes.forEach(this::tell);
  }

  private synchronized void tell(NodeName node) {
    var first = first(node);
    if (first.isEmpty() || !engaged.add(node)) {
      return;
    }
    var group = first.get();
    distribution
        .withdraw(node, group.group(), group.reason())
        .whenComplete(
            (done, failure) -> onAnswer(node, group.group(), Optional.ofNullable(failure)));
  }

  /** What the node is to be told next. What it was told for long enough is left out. */
  private Optional<Ended> first(NodeName node) {
    while (untold.containsKey(node)) {
      var group = ended.get(untold.get(node).iterator().next());
      if (!group.withdrawal().isLate(services.now())) {
        return Optional.of(group);
      }
      LOG.info("Node {} was not told that group {} is never made", node, group.group());
      settle(node, group.group());
    }
    return Optional.empty();
  }

  private void onAnswer(NodeName node, GroupId group, Optional<Throwable> failure) {
    if (failure.isPresent()) {
      services.warnSeldom(
          "A node cannot be told that groups are never made, and is told again every %d seconds: %s"
              .formatted(PAUSE.toSeconds(), Groups.root(failure.get()).getMessage()));
      later.run(PAUSE, () -> goOn(node));
    } else {
      synchronized (this) {
        settle(node, group);
      }
      goOn(node);
    }
  }

  private void goOn(NodeName node) {
    synchronized (this) {
      engaged.remove(node);
    }
    tell(node);
  }

  /** By this: the node is told of the group no more. */
  private void settle(NodeName node, GroupId group) {
    var groups = untold.get(node);
    groups.remove(group);
    if (groups.isEmpty()) {
      untold.remove(node);
    }
    var before = ended.get(group);
    var now = new Ended(group, before.reason(), before.withdrawal().told(node));
    if (now.withdrawal().untold().isEmpty()) {
      ended.remove(group);
    } else {
      ended.put(group, now);
    }
    store(now)
        .exceptionally(
            failure -> {
              LOG.warn(
                  "Cannot store that node {} knows that group {} is never made; it is told again"
                      + " after a restart",
                  node,
                  group,
                  failure);
              return null;
            });
  }

  private CompletionStage<Void> store(Ended group) {
    return services
        .setup()
        .ports()
        .store()
        .putGroup(
            StoredGroup.of(group.group(), services.now())
                .withNotMade(Optional.of(group.reason()))
                .withWithdrawal(Optional.of(group.withdrawal())));
  }
}

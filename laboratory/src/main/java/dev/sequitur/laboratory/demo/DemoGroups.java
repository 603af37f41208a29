package dev.sequitur.laboratory.demo;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.SequencerNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the privacy groups, or finds those that an earlier start has made. */
final class DemoGroups {
  /** The newest, of which a demonstration makes some. */
  private static final int MOST_LOOKED_AT = 10_000;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final RunningNetwork network;
  private final Console console;
  private final StopSignal stop;

  DemoGroups(RunningNetwork network, Console console, StopSignal stop) {
    this.network = network;
    this.console = console;
    this.stop = stop;
  }

  /** Returns when every node knows the contract of every group. */
  Map<GroupPlan, ContractAddress> ensure(List<GroupPlan> plans) {
    var ids = new LinkedHashMap<GroupPlan, GroupId>();
    for (var plan : plans) {
      ids.put(plan, findOrCreate(plan));
    }
    try (var progress = console.progress("Privacy groups", plans.size())) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      var contracts = contracts(ids);
      while (contracts.size() < plans.size()) {
        if (stop.isRequested()) {
          throw new DemoStopped("Stopped while the groups' contracts were being confirmed.");
        }
        if (System.nanoTime() > deadline) {
          throw new DemoFailure(
              "The groups' contracts were not confirmed on all nodes within "
                  + PATIENCE.toMinutes()
                  + " minutes: see the nodes' log.");
        }
        Await.tick();
        contracts = contracts(ids);
        progress.update(contracts.size(), "");
      }
      progress.update(contracts.size(), "");
      return contracts;
    }
  }

  private GroupId findOrCreate(GroupPlan plan) {
    var node = node(plan.creator());
    var known =
        Await.answer(
            node.store().groups(Optional.empty(), MOST_LOOKED_AT), "the groups of " + node.name());
    for (var group : known) {
      if (group.request().equals(plan.request())) {
        return group.id();
      }
    }
    var request =
        new GroupRequest(
            plan.domain(), plan.name(), plan.members(), Bytes.utf8("{}"), plan.request());
    return Await.answer(node.createGroup(request), "making the group " + plan.name()).id();
  }

  /** Those that are confirmed everywhere. */
  private Map<GroupPlan, ContractAddress> contracts(Map<GroupPlan, GroupId> ids) {
    var contracts = new LinkedHashMap<GroupPlan, ContractAddress>();
    ids.forEach(
        (plan, id) -> {
          var seen =
              plan.members().stream()
                  .map(member -> node(member))
                  .flatMap(node -> contract(node, id).stream())
                  .toList();
          if (seen.size() == plan.members().size()) {
            contracts.put(plan, seen.get(0));
          }
        });
    return contracts;
  }

  private static Optional<ContractAddress> contract(SequencerNode node, GroupId id) {
    return Await.answer(node.store().group(id), "the group " + id)
        .flatMap(StoredGroup::group)
        .map(PrivacyGroup::contract)
        .filter(contract -> Await.answer(node.knows(contract), "the contract " + contract));
  }

  private SequencerNode node(Identity member) {
    return network.nodes().stream()
        .map(running -> running.sequencer())
        .filter(node -> node.name().equals(member.node()))
        .findFirst()
        .orElseThrow(() -> new DemoFailure("There is no node of " + member + "."));
  }
}

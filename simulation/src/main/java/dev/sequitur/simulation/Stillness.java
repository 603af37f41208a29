package dev.sequitur.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What is left when all is done and nothing goes wrong any longer: nothing. */
final class Stillness {
  private final Simulation simulation;
  private final List<String> left = new ArrayList<>();

  private Stillness(Simulation simulation) {
    this.simulation = simulation;
  }

  /** What somebody still holds, in words; empty if nobody holds anything. */
  static List<String> leftOvers(Simulation simulation) {
    var stillness = new Stillness(simulation);
    for (var node : simulation.nodes()) {
      Recovery.check(node.running());
      simulation.invariants().checkReceipts(node.name(), node.disk().receipts);
      for (var entities : node.running().entities()) {
        stillness.inspect(node, entities);
      }
      for (var jvm : node.running().fellows()) {
        var handover = jvm.handover().state();
        stillness.note(node, "what nobody has taken", handover.open(), handover.isIdle());
      }
      var publics = node.running().publics().state();
      stillness.note(node, "public transactions", publics, publics.isIdle());
      for (var jvm : node.running().fellows()) {
        var founding = jvm.founding();
        stillness.note(node, "groups", founding.state(), founding.state().isEmpty());
        var untoldOfEnd = founding.withdrawals().state();
        stillness.note(node, "groups withdrawn", untoldOfEnd, untoldOfEnd.isEmpty());
      }
      var queue = node.running().queue();
      stillness.note(node, "schedules", queue.state().entries(), queue.state().isIdle());
      var attempts = queue.attempts().state();
      stillness.note(node, "attempts", attempts, attempts.isEmpty());
    }
    stillness.left.addAll(simulation.fundings().leftOvers());
    stillness.left.addAll(simulation.scheduling().leftOvers());
    stillness.left.addAll(simulation.foundings().leftOvers());
    return stillness.left;
  }

  private void inspect(SimulatedNode node, ContractMachines entities) {
    var sender = entities.sender().state();
    var mine = new ArrayList<>(sender.transactions().values());
    mine.removeIf(transaction -> node.disk().prepared.containsKey(transaction.id()));
    note(node, "sender's transactions", mine, mine.isEmpty());
    note(node, "delegations", sender.delegations(), sender.delegations().open().isEmpty());
    note(node, "dependencies", sender.dependencies(), sender.dependencies().awaited().isEmpty());
    var remembered = new HashSet<>(sender.remembered().keySet());
    remembered.removeAll(node.disk().prepared.keySet());
    note(node, "remembered", remembered, remembered.isEmpty());
    var coordinator = entities.coordinator().state();
    note(node, "coordinator", coordinator, coordinator.isIdle());
    note(node, "purposes", coordinator.purposes(), coordinator.purposes().isEmpty());
    note(node, "coordinated", coordinator.transactions(), coordinator.transactions().isEmpty());
    note(
        node,
        "queues",
        coordinator.waiting().bySender(),
        coordinator.waiting().bySender().isEmpty());
    note(node, "locks", coordinator.graph(), coordinator.graph().nodes().isEmpty());
    var locks = coordinator.graph().locks();
    note(node, "locks", locks, locks.spent().isEmpty() && locks.created().isEmpty());
    var submitter = entities.submitter().state();
    note(node, "submitter", submitter, submitter.isIdle());
    note(node, "notifications", submitter.exchanges(), submitter.exchanges().open().isEmpty());
    var states = entities.states().state();
    note(node, "outbox", states.outbox(), states.isIdle() && states.exchanges().open().isEmpty());
    note(node, "parted from the ledger", states.differs(), states.differs().isEmpty());
    var messages = entities.messages().state();
    note(
        node,
        "messages",
        messages,
        !simulation.messaging().isHonest(node.name())
            || (messages.isIdle() && messages.exchanges().open().isEmpty()));
    var contract = entities.states().contract();
    if (simulation.group(contract).orElseThrow().committee().hasMemberOn(node.name())) {
      note(node, "missing contents", states.contentMissing(), states.contentMissing().isEmpty());
      compareWithLedger(node, entities);
    }
  }

  /** Where everybody is on the lists, everybody holds just what is unspent. */
  private void compareWithLedger(SimulatedNode node, ContractMachines entities) {
    var held = new HashSet<>(entities.states().state().confirmed().keySet());
    var unspent = simulation.invariants().unspent(entities.states().contract());
    note(node, "states", held + " instead of " + unspent, held.equals(unspent));
  }

  private void note(SimulatedNode node, String what, Object held, boolean isNothing) {
    if (!isNothing) {
      left.add(node.name() + ": " + what + " = " + held);
    }
  }
}

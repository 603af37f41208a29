package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.Coordinator;
import dev.sequitur.protocol.coordinator.CoordinatorSetup;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderSetup;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import java.util.Optional;

/** Makes the machines of one contract on one node, durable ones as their journals say. */
final class EntityFactory {
  private EntityFactory() {}

  static ContractMachines create(NodeLife node, ContractAddress contract) {
    var setup = node.simulation().setup();
    var group = node.group(contract).orElseThrow();
    var journals = node.disk().journals(contract);
    var selection = node.selection(contract);
    var settings = node.simulation().tampering().settings(setup.settings());
    var links = links(node);
    var coordinator =
        new Coordinator(
            new CoordinatorSetup(
                node.name(), group, selection, settings, SimulatedKeys.SIGNATURES, links));
    var endorser =
        new Endorser(
            new Endorser.Setup(
                node.name(),
                group,
                selection,
                settings,
                node.domain(),
                node.keys(),
                node.simulation().tampering().ofSenders(SimulatedKeys.SIGNATURES)));
    var submitter =
        new Submitter(new SubmitterSetup(node.name(), node::group, settings, setup.gas()));
    var states = StateStore.of(selection, node.domain(), node.name(), settings);
    var messages = new MessageBook(node.name(), contract, selection::group, settings);
    return new ContractMachines(
        sender(node, setup, group),
        new CoordinatorShell(node, coordinator),
        new EndorserShell(node, endorser),
        new SubmitterShell(node, submitter, contract, journals.submitter()),
        new StateStoreShell(node, states, group, journals.states()),
        new MessageBookShell(node, messages, group, journals.messages()));
  }

  /** A life of the sender alone. */
  static SenderShell sender(NodeLife node, SimulationSetup setup, PrivacyGroup group) {
    var rules =
        new Sender(
            new SenderSetup(
                node.name(),
                group,
                node.selection(group.contract()),
                node.simulation().tampering().settings(setup.settings()),
                links(node)));
    return new SenderShell(node, rules, node.disk().journals(group.contract()).sender());
  }

  private static Links links(NodeLife node) {
    return other ->
        node.simulation().node(other).isUp() ? Optional.empty() : Optional.of("connection refused");
  }
}

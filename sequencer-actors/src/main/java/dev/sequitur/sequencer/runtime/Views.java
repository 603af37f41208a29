package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.coordinator.CoordinatedTransaction;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.SenderTransaction;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns the states of the machines into what people are shown; nothing private is in it. */
final class Views {
  private final NodeServices services;

  Views(NodeServices services) {
    this.services = services;
  }

  CoordinatorView coordinator(ContractAddress contract, CoordinatorState state) {
    var selection = services.groups().selection(contract);
    var height = services.height();
    var ranking = selection.ranking(selection.range(height));
    var now = services.now();
    var chosen =
        ranking.preferred(node -> isAvailable(state, node, now)).orElse(ranking.preferred());
    var ranked = new ArrayList<CoordinatorView.Ranked>();
    boolean chosenSeen = false;
    for (var member : ranking.members()) {
      var node = member.identity().node();
      boolean available = isAvailable(state, node, now);
      boolean isChosen = !chosenSeen && node.equals(chosen);
      chosenSeen |= isChosen;
      ranked.add(
          new CoordinatorView.Ranked(
              ranked.size() + 1,
              member.identity(),
              Long.toUnsignedString(member.distance()),
              available,
              reason(member, isChosen, available)));
    }
    return new CoordinatorView(
        contract, height, selection.range(height), selection.policy().rangeSize(), chosen, ranked);
  }

  private boolean isAvailable(CoordinatorState state, NodeName node, Instant now) {
    return node.equals(services.self()) || state.availability().presumedAvailable(node, now);
  }

  private static String reason(Ranking.Ranked member, boolean chosen, boolean available) {
    if (chosen) {
      return "Selected: nearest to the range's point of those presumed available.";
    }
    return available
        ? "Farther from the range's point than the one selected."
        : member.identity().node() + " did not answer a delegation and has given no sign since.";
  }

  SequencerStatus status(
      ContractAddress contract, SenderState sender, CoordinatorState coordinator) {
    var heartbeats = new ArrayList<SequencerStatus.HeartbeatSeen>();
    coordinator
        .availability()
        .heard()
        .forEach(
            (node, heard) ->
                heartbeats.add(
                    new SequencerStatus.HeartbeatSeen(
                        node,
                        heard.heartbeat().isPresent() ? "coordinator" : "sign of life",
                        heard.at(),
                        0)));
    sender
        .submitters()
        .forEach(
            (node, seen) ->
                heartbeats.add(
                    new SequencerStatus.HeartbeatSeen(
                        node, "submitter", seen.at(), seen.pending().size())));
    return new SequencerStatus(
        services.self(),
        contract,
        services.height(),
        new SequencerStatus.SenderStatus(
            sender.transactions().values().stream().map(this::transaction).toList(),
            holdOff(sender)),
        new SequencerStatus.CoordinatorStatus(
            coordinator.mode().name(),
            coordinator.transactions().values().stream()
                .map(transaction -> coordinated(coordinator.graph(), transaction))
                .toList(),
            locks(coordinator.graph())),
        heartbeats);
  }

  private static String holdOff(SenderState sender) {
    return sender
        .choice()
        .heldOffSince()
        .map(since -> "Dispatched transactions of an earlier range hold back since " + since + ".")
        .orElse("");
  }

  private static List<SequencerStatus.Lock> locks(AssemblyGraph graph) {
    return graph.spentBy().entrySet().stream()
        .map(entry -> new SequencerStatus.Lock(entry.getKey(), entry.getValue().transaction()))
        .toList();
  }

  private static SequencerStatus.Coordinated coordinated(
      AssemblyGraph graph, CoordinatedTransaction transaction) {
    var dependsOn =
        graph.node(transaction.key()).stream()
            .flatMap(node -> node.dependsOn().stream())
            .map(IntentKey::transaction)
            .distinct()
            .toList();
    List<Identity> waitsFor =
        transaction.confirmation().isPresent()
            ? List.of(transaction.transaction().from())
            : List.copyOf(transaction.requests().keySet());
    return new SequencerStatus.Coordinated(
        transaction.id(), transaction.sender(), transaction.state().name(), dependsOn, waitsFor);
  }

  TransactionStatus transaction(SenderTransaction transaction) {
    return new TransactionStatus(
        transaction.id(),
        name(transaction.state()),
        transaction.progress().delegate(),
        transaction.progress().submitter(),
        waitsFor(transaction),
        transaction.attempts(),
        transaction.history().stream()
            .map(event -> new TransactionStatus.Event(event.time(), event.what()))
            .toList());
  }

  private static String name(TransactionState state) {
    var word = state.name();
    return word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  private String waitsFor(SenderTransaction transaction) {
    return switch (transaction.state()) {
      case PENDING ->
          !transaction.waitsFor().isEmpty()
              ? "The confirmation of " + transaction.waitsFor()
              : transaction.notBefore().isAfter(services.now())
                  ? "Its next try at " + transaction.notBefore()
                  : "A coordinator to delegate to";
      case PARKED -> "A call to resume it, or " + transaction.notBefore();
      case DELEGATING -> "The coordinator's answer";
      case DELEGATED -> "Its turn at the coordinator, endorsements, or what it depends on";
      case ASSEMBLING -> "The domain on this node";
      case PREPARED ->
          transaction.isLeftToCaller()
              ? "Its caller to submit it, before "
                  + transaction
                      .since()
                      .plus(services.setup().rules().sequencer().limits().externalLock())
              : "The coordinator to dispatch it";
      case DISPATCHED -> "A block of the base ledger";
      case CONFIRMED, REVERTED -> "";
    };
  }

  /** Counters, and what is worth a gauge. */
  Map<String, Double> metrics() {
    var values = new TreeMap<>(services.counters().snapshot());
    values.put("sequitur_block_height", (double) services.height().value());
    values.put("sequitur_groups", (double) services.groups().all().size());
    alias(values, "sequitur_switchovers_total", "sequitur_sender_switchover_total");
    alias(values, "sequitur_reassemblies_total", "sequitur_coordinator_reassembly_total");
    alias(values, "sequitur_ledger_reverts_total", "sequitur_submitter_ledger_revert_total");
    values.putIfAbsent("sequitur_messages_sent_total", 0.0);
    return values;
  }

  private static void alias(Map<String, Double> values, String name, String source) {
    values.put(name, values.getOrDefault(source, 0.0));
  }
}

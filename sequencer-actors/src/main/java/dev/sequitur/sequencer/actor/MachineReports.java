package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.coordinator.CoordinatedTransaction;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.sender.SenderSetup;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.SenderTransaction;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Turns the states of the machines into what people are shown; nothing private is in it. */
final class MachineReports {
  /** Of the transactions under way: enough to see who is slow. */
  private static final int OLDEST = 10;

  private MachineReports() {}

  /**
   * @param ending receipts of what has left the sender's state and is not in the node store yet
   */
  static SenderReport of(
      SenderState sender, SenderSetup setup, Instant now, Collection<Receipt> ending) {
    var settings = setup.settings();
    var submitters =
        sender.submitters().entrySet().stream()
            .map(
                seen ->
                    new SequencerStatus.HeartbeatSeen(
                        seen.getKey(),
                        "submitter",
                        seen.getValue().at(),
                        seen.getValue().pending().size()))
            .toList();
    // Once it has lasted as long as it may, it holds nothing back any more; nor what waits for
    // something else.
    var heldOffUntil =
        sender
            .choice()
            .heldOffSince()
            .map(since -> since.plus(settings.heartbeats().maxHoldOff()))
            .filter(until -> until.isAfter(now) && sender.hasDelegable(now));
    return new SenderReport(
        new SequencerStatus.SenderStatus(
            Stream.concat(
                    sender.transactions().values().stream()
                        .map(t -> transaction(t, sender, settings, now)),
                    ending.stream().map(MachineReports::ended))
                .limit(SequencerStatus.LISTED)
                .toList(),
            counted(
                Stream.concat(
                    sender.transactions().values().stream().map(t -> t.state().title()),
                    ending.stream().map(receipt -> ended(receipt).state()))),
            sender
                .live()
                .oldest()
                .limit(OLDEST)
                .map(t -> oldest(t, sender, settings, now))
                .toList(),
            heldOffUntil.isPresent() ? holdOff(sender) : "",
            heldOffUntil),
        submitters,
        unavailable(sender.availability(), setup));
  }

  /** The same of one transaction, without looking at the others. */
  static Optional<TransactionStatus> of(
      TransactionId id,
      SenderState sender,
      SenderSetup setup,
      Instant now,
      Collection<Receipt> ending) {
    return Optional.ofNullable(sender.transactions().get(id))
        .map(found -> transaction(found, sender, setup.settings(), now))
        .or(
            () ->
                ending.stream()
                    .filter(receipt -> receipt.transaction().equals(id))
                    .findFirst()
                    .map(MachineReports::ended));
  }

  private static SequencerStatus.Oldest oldest(
      SenderTransaction transaction, SenderState sender, SequencerSettings settings, Instant now) {
    return new SequencerStatus.Oldest(
        transaction.id(),
        transaction.accepted(),
        transaction.age(now),
        transaction.state().title(),
        waitsFor(transaction, sender, settings, now),
        transaction.awaitedNodes().stream().sorted().toList());
  }

  /** Who did not answer or take a delegation; only a sender delegates, and so only it knows. */
  private static List<SenderReport.Away> unavailable(Availability availability, SenderSetup setup) {
    return setup.group().committee().identities().stream()
        .map(Identity::node)
        .distinct()
        .filter(node -> !node.equals(setup.self()) && isAway(node, availability, setup))
        .map(
            node ->
                away(
                    node,
                    Optional.ofNullable(availability.unavailable().get(node)),
                    setup.links().trouble(node)))
        .toList();
  }

  private static boolean isAway(NodeName node, Availability availability, SenderSetup setup) {
    return !availability.presumedAvailable(node) || setup.links().trouble(node).isPresent();
  }

  private static SenderReport.Away away(
      NodeName node, Optional<Availability.Away> known, Optional<String> link) {
    return new SenderReport.Away(
        node,
        known.map(Availability.Away::until),
        known.filter(Availability.Away::answers).isPresent(),
        link);
  }

  static CoordinatorReport of(CoordinatorState coordinator) {
    var heard =
        coordinator.availability().heard().entrySet().stream()
            .map(
                seen ->
                    new SequencerStatus.HeartbeatSeen(
                        seen.getKey(),
                        seen.getValue().heartbeat().isPresent() ? "coordinator" : "sign of life",
                        seen.getValue().at(),
                        0))
            .toList();
    return new CoordinatorReport(
        new SequencerStatus.CoordinatorStatus(
            coordinator.mode().name(),
            coordinator.transactions().values().stream()
                .limit(SequencerStatus.LISTED)
                .map(transaction -> coordinated(coordinator, transaction))
                .toList(),
            counted(coordinator.transactions().values().stream().map(t -> t.state().name())),
            locks(coordinator.graph()),
            coordinator.graph().spentBy().size()),
        heard);
  }

  /** By their names. */
  private static List<SequencerStatus.Counted> counted(Stream<String> states) {
    var counts = new TreeMap<String, Integer>();
    states.forEach(state -> counts.merge(state, 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> new SequencerStatus.Counted(entry.getKey(), entry.getValue()))
        .toList();
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
        .limit(SequencerStatus.LISTED)
        .map(entry -> new SequencerStatus.Lock(entry.getKey(), entry.getValue().transaction()))
        .toList();
  }

  private static SequencerStatus.Coordinated coordinated(
      CoordinatorState coordinator, CoordinatedTransaction transaction) {
    var dependsOn =
        coordinator.graph().node(transaction.key()).stream()
            .flatMap(node -> node.dependsOn().stream())
            .map(IntentKey::transaction)
            .distinct()
            .toList();
    List<Identity> waitsFor =
        transaction.confirmation().isPresent()
            ? List.of(transaction.transaction().from())
            : List.copyOf(coordinator.attestations().askedAbout(transaction));
    return new SequencerStatus.Coordinated(
        transaction.id(), transaction.sender(), transaction.state().name(), dependsOn, waitsFor);
  }

  private static TransactionStatus transaction(
      SenderTransaction transaction, SenderState sender, SequencerSettings settings, Instant now) {
    return new TransactionStatus(
        transaction.id(),
        transaction.state().title(),
        transaction.progress().delegate(),
        transaction.progress().submitter(),
        waitsFor(transaction, sender, settings, now),
        transaction.attempts(),
        transaction.history().stream()
            .map(event -> new TransactionStatus.Event(event.time(), event.what()))
            .toList());
  }

  private static TransactionStatus ended(Receipt receipt) {
    var course = receipt.course();
    return new TransactionStatus(
        receipt.transaction(),
        (receipt.success() ? TransactionState.CONFIRMED : TransactionState.REVERTED).title(),
        course.flatMap(Receipt.Course::delegate),
        course.flatMap(Receipt.Course::submitter),
        "Its receipt to be stored",
        course.map(Receipt.Course::attempts).orElse(0),
        course.map(Receipt.Course::history).orElse(List.of()).stream()
            .map(event -> new TransactionStatus.Event(event.time(), event.what()))
            .toList());
  }

  private static String waitsFor(
      SenderTransaction transaction, SenderState sender, SequencerSettings settings, Instant now) {
    return switch (transaction.state()) {
      case PENDING ->
          !transaction.waitsFor().isEmpty()
              ? "The confirmation of " + transaction.waitsFor()
              : transaction.notBefore().isAfter(now)
                  ? "Its next try at "
                      + transaction.notBefore()
                      + sender
                          .live()
                          .ownBefore(transaction)
                          .map(own -> ", or the end of " + own)
                          .orElse("")
                  : "A coordinator to delegate to";
      case PARKED ->
          "A change of what it is parked for, a call to resume it, or %s; parked for: %s"
              .formatted(transaction.notBefore(), transaction.parkedFor());
      case DELEGATING -> "The coordinator's answer";
      case DELEGATED -> transaction.waitsAtCoordinator();
      case ASSEMBLING -> "The domain on this node";
      case PREPARED ->
          transaction.isLeftToCaller()
              ? "Its caller to submit it, before "
                  + transaction.since().plus(settings.limits().externalLock())
              : "The coordinator to dispatch it"
                  + transaction.waiting().map(first -> ", but first " + first).orElse("");
      case DISPATCHED ->
          transaction
              .progress()
              .stuck()
              .map(why -> "Its submitter, which cannot submit: " + why)
              .orElse("A block of the base ledger");
      case CONFIRMED, REVERTED -> "";
    };
  }
}

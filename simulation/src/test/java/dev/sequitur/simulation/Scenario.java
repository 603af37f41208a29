package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatedTransaction;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The words that the tests of the specification's scenarios are written in. */
final class Scenario {
  /** Longer than any failure takes to be noticed and mended. */
  static final Duration SOON = Duration.ofSeconds(60);

  final Simulation network;

  Scenario(SimulationSetup setup) {
    network = new Simulation(setup);
    network.run(Duration.ofMillis(300));
  }

  static Scenario of(int nodes) {
    return new Scenario(SimulationSetup.of(nodes));
  }

  /**
   * A network whose coordinator changes at the first end of a range.
   *
   * @param blocks in a range
   */
  static Scenario withSwitchover(int nodes, int blocks) {
    return withSwitchover(SimulationSetup.of(nodes).rangeSize(blocks));
  }

  static Scenario withSwitchover(SimulationSetup setup) {
    for (long seed = 1; ; seed++) {
      var scenario = new Scenario(setup.withSeed(seed));
      var first = scenario.ranked(0, 0);
      if (!first.equals(scenario.ranked(1, 0)) && !first.equals(scenario.ranked(1, 1))) {
        return scenario;
      }
    }
  }

  /** The node at {@code place} of the ranking in a range of the first contract. */
  SimulatedNode ranked(long range, int place) {
    var ranking = network.selection(network.contract()).ranking(new BlockRange(range));
    return network.node(ranking.members().get(place).identity().node());
  }

  /** The preferred coordinator of the first range. */
  SimulatedNode coordinator() {
    return ranked(0, 0);
  }

  /** Next in the ranking. */
  SimulatedNode substitute() {
    return ranked(0, 1);
  }

  /** Last in the ranking: coordinates nothing. */
  SimulatedNode sender() {
    return ranked(0, network.setup().nodes() - 1);
  }

  TransactionId mint(SimulatedNode node) {
    return submit(node, Function.MINT, "", SubmitMode.AUTO);
  }

  TransactionId pay(SimulatedNode payer, SimulatedNode paid) {
    return pay(payer, paid, SubmitMode.AUTO);
  }

  TransactionId externalPay(SimulatedNode payer, SimulatedNode paid) {
    return pay(payer, paid, SubmitMode.EXTERNAL);
  }

  private TransactionId pay(SimulatedNode payer, SimulatedNode paid, SubmitMode mode) {
    var to = new Identity(Simulation.MEMBER, paid.name());
    return submit(payer, Function.PAY, to.toString(), mode);
  }

  /** The same, if it can be done within so long. */
  TransactionId payWithin(Duration time, SimulatedNode payer, SimulatedNode paid) {
    var to = new Identity(Simulation.MEMBER, paid.name());
    return network.submitFor(time, payer.name(), network.contract(), Function.PAY, to.toString());
  }

  /** What that node coordinates. */
  List<TransactionId> coordinatedBy(SimulatedNode node) {
    var coordinator = node.running().entities(network.contract()).coordinator();
    return coordinator.state().transactions().values().stream()
        .map(CoordinatedTransaction::id)
        .toList();
  }

  /** As its coordinator says, by its sender. */
  Optional<String> waitsFor(TransactionId id) {
    var accepted = network.invariants().accepted().get(id);
    var sender = network.node(accepted.node()).running().entities(network.contract()).sender();
    return sender.state().transactions().get(id).waiting();
  }

  TransactionId write(SimulatedNode node, String key) {
    return submit(node, Function.WRITE, key, SubmitMode.AUTO);
  }

  TransactionId external(SimulatedNode node) {
    return submit(node, Function.MINT, "", SubmitMode.EXTERNAL);
  }

  TransactionId externalWrite(SimulatedNode node, String key) {
    return submit(node, Function.WRITE, key, SubmitMode.EXTERNAL);
  }

  TransactionId mintAfter(SimulatedNode node, TransactionId... dependsOn) {
    return network.submit(
        node.name(), network.contract(), Function.MINT, "", SubmitMode.AUTO, List.of(dependsOn));
  }

  private TransactionId submit(
      SimulatedNode node, Function function, String argument, SubmitMode mode) {
    return network.submit(node.name(), network.contract(), function, argument, mode, List.of());
  }

  void run(Duration time) {
    network.run(time);
  }

  /** Runs until something is true, which must happen soon. */
  void until(BooleanSupplier condition) {
    assertThat(network.runUntil(condition, SOON))
        .withFailMessage(() -> "It never came true:\n" + network.trace().newest(80, line -> true))
        .isTrue();
  }

  /** Runs until every intent has a receipt, which must happen soon. */
  void settle() {
    settleWithin(SOON);
  }

  void settleWithin(Duration time) {
    if (!network.runUntil(network::isSettled, time)) {
      throw network.failure("Not settled: " + network.unsettled(), null);
    }
  }

  /** Runs on for long enough that everything that was held is let go, and nothing is. */
  void nothingIsLeft() {
    network.run(Duration.ofSeconds(30));
    assertThat(Stillness.leftOvers(network)).isEmpty();
  }

  Receipt receipt(TransactionId id) {
    var accepted = network.invariants().accepted().get(id);
    return accepted == null ? null : network.node(accepted.node()).disk().receipts.get(id);
  }

  boolean isConfirmed(TransactionId id) {
    var receipt = receipt(id);
    return receipt != null && receipt.success();
  }

  void height(SimulatedNode node, long atMost) {
    node.indexAtMost(atMost);
  }

  BlockHeight head() {
    return new BlockHeight(network.ledger().head());
  }

  long sent(Class<? extends Message> kind) {
    return network.wire().sent().getOrDefault(kind.getSimpleName(), 0L);
  }

  /** Whom the newest trace lines say a transaction was delegated to, oldest first. */
  String story(TransactionId id) {
    return network.trace().newest(1_000, line -> line.contains(id.toString()));
  }

  static Predicate<Envelope> between(SimulatedNode one, SimulatedNode other) {
    return envelope ->
        (envelope.from().equals(one.name()) && envelope.to().equals(other.name()))
            || (envelope.from().equals(other.name()) && envelope.to().equals(one.name()));
  }

  static Predicate<Envelope> of(SimulatedNode node) {
    return envelope -> envelope.from().equals(node.name()) || envelope.to().equals(node.name());
  }

  static Predicate<Envelope> from(SimulatedNode node, Class<? extends Message> kind) {
    return envelope -> envelope.from().equals(node.name()) && kind.isInstance(envelope.payload());
  }

  static Predicate<Moment> sending(Class<? extends Message> kind) {
    return moment ->
        moment instanceof Moment.Sent sent && kind.isInstance(sent.envelope().payload());
  }
}

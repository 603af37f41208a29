package dev.sequitur.simulation;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.settings.LimitSettings;
import dev.sequitur.protocol.settings.RetrySettings;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.simulation.SimulatedDomain.Function;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A network, its work and its faults, all from one seed, run to the end and judged. */
final class RandomRun {
  private static final Duration TROUBLE = Duration.ofSeconds(30);
  private static final Duration RECOVERY = Duration.ofSeconds(180);
  private static final Duration QUIET = Duration.ofSeconds(30);

  private static final List<Function> MIX =
      List.of(
          Function.MINT,
          Function.MINT,
          Function.MINT,
          Function.PAY,
          Function.PAY,
          Function.WRITE,
          Function.WRITE,
          Function.READ);

  /** As the defaults, but gives up before the bound on the end of a run. */
  private static final SequencerSettings SETTINGS =
      new SequencerSettings(
          SequencerSettings.DEFAULT.heartbeats(),
          SequencerSettings.DEFAULT.delivery(),
          new RetrySettings(
              new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)),
              new Backoff(Duration.ofMillis(200), Duration.ofSeconds(2)),
              20,
              Duration.ofSeconds(20),
              new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5)),
              3),
          new LimitSettings(
              20_000,
              4_000,
              500,
              64,
              5,
              Duration.ofSeconds(10),
              Duration.ofSeconds(1),
              100_000,
              50_000));

  private final Simulation simulation;
  private final SplittableRandom random;
  private final int work;
  private final boolean faulty;
  private final Map<NodeName, List<TransactionId>> submitted = new HashMap<>();

  RandomRun(long seed, int work, boolean faulty) {
    this.random = new SplittableRandom(seed);
    this.work = work;
    this.faulty = faulty;
    int nodes = 3 + random.nextInt(5);
    var setup =
        SimulationSetup.of(nodes)
            .seed(seed)
            .settings(SETTINGS)
            .gas(new SubmitterSetup.Gas(1_000, 1_000_000, 20, Duration.ofSeconds(4)))
            .contracts(1 + random.nextInt(2))
            .endorsers(random.nextBoolean() ? nodes : nodes / 2 + 1)
            .confirmations(random.nextInt(3));
    this.simulation =
        new Simulation(random.nextBoolean() ? setup.rangeSize(5 + random.nextInt(20)) : setup);
  }

  Simulation simulation() {
    return simulation;
  }

  /**
   * @throws SimulationFailure with the seed and the trace
   */
  RandomRun run() {
    var faults = new RandomFaults(simulation, random.split());
    if (faulty) {
      faults.start();
    }
    for (int i = 0; i < work; i++) {
      long when = random.nextLong(TROUBLE.toMillis());
      simulation.after(Duration.ofMillis(when), this::submit);
    }
    simulation.run(TROUBLE);
    faults.calm();
    if (!simulation.runUntil(simulation::isSettled, RECOVERY)) {
      var stuck = simulation.unsettled();
      throw simulation.failure("Not settled: " + stuck + "\n" + story(stuck), null);
    }
    simulation.run(QUIET);
    var left = Stillness.leftOvers(simulation);
    if (!left.isEmpty()) {
      throw simulation.failure("Left over: " + String.join("\n", left), null);
    }
    return this;
  }

  private String story(List<TransactionId> stuck) {
    if (stuck.isEmpty()) {
      return "";
    }
    String id = stuck.get(0).toString();
    return simulation.trace().newest(80, line -> line.contains(id));
  }

  private void submit() {
    var nodes = simulation.nodes().stream().filter(SimulatedNode::isUp).toList();
    if (nodes.isEmpty()) {
      return;
    }
    var node = nodes.get(random.nextInt(nodes.size()));
    var groups = List.copyOf(simulation.groups());
    var contract = groups.get(random.nextInt(groups.size())).contract();
    var function = MIX.get(random.nextInt(MIX.size()));
    var everybody = List.copyOf(simulation.nodes());
    String argument =
        function == Function.PAY
            ? Simulation.MEMBER + "@" + everybody.get(random.nextInt(everybody.size())).name()
            : "key" + random.nextInt(3);
    var mode = random.nextInt(10) == 0 ? SubmitMode.EXTERNAL : SubmitMode.AUTO;
    var own = new ArrayList<>(submitted.getOrDefault(node.name(), List.of()));
    own.retainAll(node.disk().intents.keySet());
    List<TransactionId> dependsOn =
        own.isEmpty() || random.nextInt(10) > 0
            ? List.of()
            : List.of(own.get(random.nextInt(own.size())));
    var id = simulation.submit(node.name(), contract, function, argument, mode, dependsOn);
    script(id);
    if (mode == SubmitMode.AUTO) {
      // Whether an external one ever gets to the ledger is its caller's affair.
      submitted.computeIfAbsent(node.name(), name -> new ArrayList<>()).add(id);
    }
  }

  /** A few are put aside for a while, or can never be made. */
  private void script(TransactionId id) {
    int dice = random.nextInt(40);
    if (dice == 0) {
      simulation.domain().script(id, new Domain.Assembly.Reverted("It was told to."));
    } else if (dice <= 2) {
      simulation.domain().script(id, new Domain.Assembly.Parked("It was told to."));
      var wait = Duration.ofMillis(random.nextInt(10_000));
      simulation.after(wait, () -> simulation.domain().unscript(id));
    }
  }
}

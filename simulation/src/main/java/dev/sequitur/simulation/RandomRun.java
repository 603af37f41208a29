package dev.sequitur.simulation;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.settings.SequencerSettings.RetrySettings;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.simulation.SimulatedDomain.Function;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** A network, its work and its faults, all from one seed, run to the end and judged. */
public final class RandomRun {
  private static final Duration TROUBLE = Duration.ofSeconds(30);
  private static final Duration RECOVERY = Duration.ofSeconds(180);
  private static final int PROBES = 5;
  private static final int SCHEDULES = 6;
  private static final int PUBLICS = 6;
  private static final int MESSAGES = 12;
  private static final int GROUPS = 6;
  private static final int CHANGES = 4;

  /** One caller of so many. */
  private static final int IMPATIENT = 6;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** Once nothing goes wrong any more, all nodes are up after so long. */
  private static final Duration ALL_UP = Duration.ofSeconds(10);

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

  /**
   * As the defaults, but gives up before the bound on the end of a run, and forgets messages within
   * it.
   */
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
          LimitSettings.DEFAULT.withExternalLock(Duration.ofSeconds(10)).withMessagesKept(2));

  /** The same, but no lock expires while blocks take nothing. */
  private static final SequencerSettings PATIENT =
      SETTINGS.withLimits(SETTINGS.limits().withExternalLock(Duration.ofSeconds(30)));

  private final Simulation simulation;
  private final SplittableRandom random;
  private final RunPlan plan;
  private final Map<NodeName, List<TransactionId>> submitted = new HashMap<>();
  private int submissions;
  private int troubled;
  private long messages;
  private double load;

  public RandomRun(RunPlan plan) {
    this(plan, Tampering.NONE);
  }

  RandomRun(RunPlan plan, Tampering tampering) {
    this.random = new SplittableRandom(plan.seed());
    this.plan = plan;
    int nodes = plan.leastNodes() + random.nextInt(plan.mostNodes() - plan.leastNodes() + 1);
    var setup =
        SimulationSetup.of(nodes)
            .withSeed(plan.seed())
            .withJvms(plan.mostJvms())
            .withSettings(plan.isFaulty() ? SETTINGS : PATIENT)
            .withGas(SubmitterSetup.Gas.DEFAULT.withOverdueAfter(Duration.ofSeconds(4)))
            .withContracts(1 + random.nextInt(2))
            .withStolenKeys(plan.isFaulty())
            .withRemovals(true)
            .withEndorsers(random.nextBoolean() ? nodes : nodes / 2 + 1)
            .withConfirmations(random.nextInt(3))
            .withFunding(plan.hasFunding() ? Optional.of(Fundings.SETTINGS) : Optional.empty());
    boolean hasRanges = random.nextBoolean() || plan.changes();
    this.simulation =
        new Simulation(
            (hasRanges ? setup.rangeSize(5 + random.nextInt(20)) : setup)
                .withChanges(plan.changes() ? changes(plan.seed()) : List.of()),
            tampering);
  }

  /** Blocks of the time in which things go wrong. */
  private static List<Long> changes(long seed) {
    return new SplittableRandom(seed * 83)
        .longs(CHANGES, 2, TROUBLE.toSeconds())
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }

  Simulation simulation() {
    return simulation;
  }

  /** All that is remembered of what happened, a line for each event, oldest first. */
  public String trace() {
    return simulation.trace().newest(Integer.MAX_VALUE, line -> true);
  }

  /**
   * @throws SimulationFailure with the seed and the trace
   */
  public RunReport run() {
    try {
      return goThrough();
    } catch (SimulationFailure failure) {
      throw failure;
    } catch (RuntimeException | AssertionError failure) {
      // Also of nodes that are started again when all faults are healed, between two steps.
      throw simulation.failure(failure);
    }
  }

  private RunReport goThrough() {
    var faults = new RandomFaults(simulation, random.split());
    if (plan.isFaulty()) {
      faults.start();
    } else {
      faults.slowEndorsements();
      faults.emptyBlocks();
    }
    var liars = plan.isDishonest() ? List.of(dishonestMember()) : List.<DishonestMember>of();
    liars.forEach(DishonestMember::start);
    var stranger = new Stranger(simulation, new SplittableRandom(plan.seed() * 41));
    if (plan.isDishonest()) {
      stranger.start();
    }
    for (int i = 0; i < plan.transactions(); i++) {
      long when = random.nextLong(TROUBLE.toMillis());
      simulation.after(Duration.ofMillis(when), this::submit);
    }
    var apart = new SplittableRandom(plan.seed() * 37);
    for (int i = 0; i < (plan.hasSchedules() ? SCHEDULES : 0); i++) {
      simulation.after(
          Duration.ofMillis(apart.nextLong(TROUBLE.toMillis())), () -> schedule(apart));
    }
    var publicly = new SplittableRandom(plan.seed() * 43);
    for (int i = 0; i < PUBLICS; i++) {
      simulation.after(
          Duration.ofMillis(publicly.nextLong(TROUBLE.toMillis())), () -> sendPublicly(publicly));
    }
    var told = new SplittableRandom(plan.seed() * 47);
    for (int i = 0; i < (plan.hasMessages() ? MESSAGES : 0); i++) {
      simulation.after(
          Duration.ofMillis(told.nextLong(TROUBLE.toMillis())), () -> sendMessages(told));
    }
    var founded = new SplittableRandom(plan.seed() * 71);
    for (int i = 0; i < (plan.hasFoundings() ? GROUPS : 0); i++) {
      simulation.after(
          Duration.ofMillis(founded.nextLong(TROUBLE.toMillis())),
          () -> simulation.foundings().make(founded));
    }
    if (plan.changes()) {
      simulation.committees().carryOver();
    }
    if (plan.hasFunding()) {
      simulation.fundings().start(new SplittableRandom(plan.seed() * 73), TROUBLE);
    }
    if (plan.hasMoves()) {
      simulation.moves().start(TROUBLE);
    }
    if (plan.restores()) {
      simulation.restores().start(TROUBLE);
    }
    if (plan.isFaulty() && plan.mostJvms() > 1) {
      simulation.moves().startJvms(TROUBLE);
    }
    watchForStorms();
    simulation.run(TROUBLE);
    troubled = plan.isFaulty() ? simulation.invariants().accepted().size() : 0;
    faults.calm();
    liars.forEach(DishonestMember::calm);
    stranger.calm();
    simulation.foundings().calm();
    simulation.fundings().calm();
    simulation.moves().calm();
    simulation.restores().calm();
    if (plan.restores() && plan.hasMessages()) {
      sendOnceMore();
    }
    settle();
    if (plan.isFaulty()) {
      messages = simulation.wire().sentWithoutHeartbeats();
      load = messages / (double) mostMessages(simulation.setup().nodes(), troubled);
    }
    agree();
    simulation.run(QUIET);
    if (!plan.isFaulty()) {
      checkPeace();
    }
    checkStillness();
    return report();
  }

  private DishonestMember dishonestMember() {
    var own = new SplittableRandom(~plan.seed());
    var nodes = List.copyOf(simulation.nodes());
    return new DishonestMember(simulation, own, nodes.get(own.nextInt(nodes.size())).name());
  }

  private void checkStillness() {
    var left = Stillness.leftOvers(simulation);
    if (!left.isEmpty()) {
      throw simulation.failure("Left over: " + String.join("\n", left), null);
    }
  }

  private void checkPeace() {
    // What is in flight as a committee changes may come after the last block that takes it (CMT-4).
    boolean mayRevert = simulation.counted("committees changed") > 0;
    if (simulation.invariants().reverts() > 0 && !mayRevert) {
      throw simulation.failure("The ledger reverted something, though nothing went wrong.", null);
    }
    for (String lost : List.of("SUBMITTER_LOST", "COORDINATOR_SILENT", "DELEGATION_TIMEOUT")) {
      if (simulation.counted("sender " + lost) > 0) {
        throw simulation.failure("Counted as " + lost + ", though nothing went wrong.", null);
      }
    }
  }

  private RunReport report() {
    var seen = simulation.invariants();
    return new RunReport(
        simulation.setup().nodes(),
        seen.accepted().size(),
        troubled,
        seen.fulfilled().size(),
        simulation.scheduling().runs(),
        simulation.messaging().forgotten(),
        simulation.faults(),
        messages,
        load,
        simulation.elapsed(),
        simulation.steps());
  }

  /** Each second, so that a storm that calms down is seen too. */
  private void watchForStorms() {
    int intents = simulation.invariants().accepted().size();
    int nodes = simulation.setup().nodes();
    long most = plan.isFaulty() ? mostMessages(nodes, intents) : mostCalmMessages(nodes, intents);
    long sent = simulation.wire().sentWithoutHeartbeats();
    if (sent > most) {
      throw simulation.failure("A message storm: " + sent + " and not " + most, null);
    }
    simulation.after(Duration.ofSeconds(1), this::watchForStorms);
  }

  /**
   * The most messages, heartbeats apart, that so many intents may cost at any time while faults
   * strike. A failed attempt costs as much as one that succeeds; there are at most twenty. Where
   * there are more nodes than usual, an intent concerns more of them, and each that starts tells
   * more others.
   */
  public static long mostMessages(int nodes, int intents) {
    return among(nodes, 130L * intents, 500);
  }

  /** The same where nothing goes wrong. */
  private static long mostCalmMessages(int nodes, int intents) {
    return among(nodes, 45L * intents, 200);
  }

  private static long among(int nodes, long ofIntents, long ofNodes) {
    long size = Math.max(nodes, RunPlan.USUAL);
    return ofIntents * size / RunPlan.USUAL
        + ofNodes * size * size / (RunPlan.USUAL * RunPlan.USUAL);
  }

  private void settle() {
    if (!simulation.runUntil(simulation::isSettled, RECOVERY)) {
      var stuck = simulation.unsettled();
      throw simulation.failure(
          "Not settled: " + String.join("; ", stuck) + "\n" + story(stuck.getFirst()), null);
    }
  }

  /**
   * Everybody delegates something at once; it may take a few times, if a range ends just then, or
   * somebody has only just been found to live again.
   */
  private void agree() {
    for (int round = 0; round < PROBES; round++) {
      for (var group : simulation.groups()) {
        for (var node : simulation.nodes()) {
          if (group.committee().hasMemberOn(node.name())) {
            simulation.submit(node.name(), group.contract(), Function.MINT, "");
          }
        }
      }
      simulation.run(Duration.ofSeconds(3));
      boolean agreed = isAgreed();
      settle();
      if (agreed) {
        return;
      }
    }
    throw simulation.failure("The nodes do not agree on a coordinator.", null);
  }

  /** Whether all members of a group delegate to the same coordinator. */
  private boolean isAgreed() {
    return simulation.groups().stream().allMatch(group -> isAgreed(group.contract()));
  }

  private boolean isAgreed(ContractAddress contract) {
    var chosen = new HashSet<Optional<NodeName>>();
    for (var node : simulation.nodes()) {
      var entities = node.running().entities(contract);
      if (entities != null && isMemberNowAndInItsRange(contract, node.name())) {
        chosen.add(entities.sender().state().choice().coordinator());
      }
    }
    return chosen.size() == 1 && chosen.iterator().next().isPresent();
  }

  /** Who has just come takes part from the next range on (SEL-10). */
  private boolean isMemberNowAndInItsRange(ContractAddress contract, NodeName node) {
    var selection = simulation.selection(contract);
    var height = new BlockHeight(simulation.finalHeight());
    return selection.group().committee().hasMemberOn(node)
        && selection.group(height).committee().hasMemberOn(node);
  }

  /** What happened to the first that is open, if it has an id. */
  private String story(String open) {
    var id = ID.matcher(open);
    return id.find() ? simulation.trace().newest(80, line -> line.contains(id.group())) : "";
  }

  private void submit() {
    var nodes = simulation.nodes().stream().filter(SimulatedNode::isUp).toList();
    if (nodes.isEmpty()) {
      return;
    }
    var groups = List.copyOf(simulation.groups());
    var group = groups.get(random.nextInt(groups.size()));
    var members = nodes.stream().filter(up -> group.committee().hasMemberOn(up.name())).toList();
    if (members.isEmpty()) {
      return;
    }
    var node = members.get(random.nextInt(members.size()));
    var contract = group.contract();
    var function = MIX.get(random.nextInt(MIX.size()));
    var everybody = group.committee().identities();
    String argument =
        function == Function.PAY
            ? everybody.get(random.nextInt(everybody.size())).toString()
            : "key" + random.nextInt(3);
    var mode = random.nextInt(10) == 0 ? SubmitMode.EXTERNAL : SubmitMode.AUTO;
    var own = new ArrayList<>(submitted.getOrDefault(node.name(), List.of()));
    own.retainAll(node.disk().intents.keySet());
    List<TransactionId> dependsOn =
        own.isEmpty() || random.nextInt(10) > 0
            ? List.of()
            : List.of(own.get(random.nextInt(own.size())));
    var id =
        simulation.submit(node.name(), contract, function, argument, mode, dependsOn, within());
    script(id);
    if (mode == SubmitMode.AUTO) {
      // Whether an external one ever gets to the ledger is its caller's affair.
      submitted.computeIfAbsent(node.name(), name -> new ArrayList<>()).add(id);
    }
  }

  /** Some callers wait for a few seconds and no longer, where something may go wrong. */
  private Optional<Duration> within() {
    submissions++;
    return plan.isFaulty() && submissions % IMPATIENT == 0
        ? Optional.of(Duration.ofSeconds(1 + submissions / IMPATIENT % 5))
        : Optional.empty();
  }

  /** Drawn apart, as schedules are. */
  private void sendPublicly(SplittableRandom apart) {
    var nodes = simulation.nodes().stream().filter(SimulatedNode::isUp).toList();
    boolean doomed = apart.nextInt(4) == 0;
    var before = simulation.publics().accepted();
    if (!before.isEmpty() && apart.nextInt(4) == 0) {
      simulation.publics().cancel(before.get(apart.nextInt(before.size())));
    }
    var value = apart.nextInt(3) == 0 ? BigInteger.ONE : BigInteger.ZERO;
    if (!nodes.isEmpty()) {
      simulation.publics().send(nodes.get(apart.nextInt(nodes.size())).name(), doomed, value);
    }
  }

  /** Drawn apart as well: one, or several at once. */
  private void sendMessages(SplittableRandom apart) {
    var groups = List.copyOf(simulation.groups());
    var group = groups.get(apart.nextInt(groups.size()));
    var nodes =
        simulation.nodes().stream()
            .filter(node -> node.isUp() && group.committee().hasMemberOn(node.name()))
            .toList();
    int several = 1 + apart.nextInt(4);
    if (!nodes.isEmpty()) {
      var node = nodes.get(apart.nextInt(nodes.size())).name();
      for (int i = 0; i < several; i++) {
        simulation.messaging().send(node, group.contract());
      }
    }
  }

  /** Whoever was set back is given what it has lost with what comes next (MSG-5). */
  private void sendOnceMore() {
    simulation.run(ALL_UP);
    for (var group : simulation.groups()) {
      for (var node : group.committee().nodes()) {
        simulation.messaging().send(node, group.contract());
      }
    }
  }

  /** Drawn apart, so that what else is submitted does not depend on it. */
  private void schedule(SplittableRandom apart) {
    var group = simulation.groups().iterator().next();
    var nodes =
        simulation.nodes().stream()
            .filter(node -> node.isUp() && group.committee().hasMemberOn(node.name()))
            .toList();
    if (nodes.isEmpty()) {
      return;
    }
    var node = nodes.get(apart.nextInt(nodes.size())).name();
    if (apart.nextBoolean()) {
      var wait = Duration.ofMillis(500 + apart.nextInt(8_000));
      simulation.scheduling().mintAt(node, group.contract(), simulation.now().plus(wait));
    } else {
      simulation.scheduling().mintInSlots(node, group.contract(), 1 + apart.nextInt(3));
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

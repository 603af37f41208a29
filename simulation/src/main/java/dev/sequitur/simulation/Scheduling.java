package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The queues of a network as their callers see them, and what they owe: each occurrence of a
 * schedule happens on the ledger as often as its one outcome says, and costs what that says.
 * Watched as it happens.
 */
final class Scheduling {
  /** Recurring tasks have slots of this length. */
  static final Duration SLOT = Duration.ofSeconds(2);

  private static final AccountId OPERATOR = new AccountId("operator");
  static final AccountId OWNER = new AccountId("owner");
  private static final Amount FUNDS = new Amount(1_000_000);

  static final ScheduleQueue RULES =
      new ScheduleQueue(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(GasPrioritySettings.DEFAULT),
              new Recurring(RecurringSettings.DEFAULT.withSlots(SLOT))));

  private final Simulation simulation;
  private final Map<Occurrence, Outcome> outcomes = new HashMap<>();
  private final Map<Occurrence, TransactionId> taken = new HashMap<>();
  private final Map<Bytes, Set<Occurrence>> started = new LinkedHashMap<>();
  private final Map<Bytes, Set<TransactionId>> fulfilled = new HashMap<>();
  private final Map<Bytes, Asked> asked = new HashMap<>();
  private final List<Admitted> admitted = new ArrayList<>();
  private long commands;

  /** What is told apart on the ledger. */
  private record Asked(NodeName node, int occurrences) {}

  private record Admitted(NodeName node, Schedule schedule) {}

  private record Occurrence(NodeName node, ScheduleId schedule, long incarnation, long number) {
    static Occurrence of(NodeName node, OccurrenceKey key) {
      return new Occurrence(node, key.schedule(), key.incarnation(), key.occurrence());
    }
  }

  Scheduling(Simulation simulation) {
    this.simulation = simulation;
  }

  // What callers do

  /** Has a coin made at this time, or soon after it. */
  void mintAt(NodeName node, ContractAddress contract, Instant time) {
    schedule(node, contract, new GasPriorityTerms(time.toEpochMilli(), 200, 1), 1);
  }

  /** Has a coin made in each of so many slots, after the present one; late, but not never. */
  void mintInSlots(NodeName node, ContractAddress contract, int slots) {
    long present = simulation.node(node).running().now().toEpochMilli() / SLOT.toMillis();
    var times =
        LongStream.rangeClosed(1, slots).mapToObj(each -> (present + each) * SLOT.toMillis());
    var id = Bytes.utf8("task " + commands);
    schedule(node, contract, new RecurringTerms(id, times.toList()), slots);
  }

  /** What each schedule runs differs from all others, so that the ledger tells them apart. */
  private void schedule(NodeName node, ContractAddress contract, Terms terms, int occurrences) {
    var inputs = Bytes.utf8("scheduled " + commands);
    asked.put(inputs, new Asked(node, occurrences));
    var call =
        new Target.PrivateCall(
            contract,
            SimulatedDomain.NAME,
            SimulatedDomain.Function.MINT.name(),
            new Identity(Simulation.MEMBER, node),
            inputs);
    var late = terms instanceof RecurringTerms ? new LatePolicy.RunAll() : LatePolicy.AS_SPECIFIED;
    tell(node, OPERATOR, new Operation.Fund(OWNER, FUNDS));
    tell(
        node,
        OWNER,
        new Operation.Propose(new Proposal(OWNER, terms, call, late, RetryPolicy.NEVER)));
  }

  private void tell(NodeName node, AccountId signer, Operation operation) {
    var command = new Command("command " + commands++, signer, operation);
    simulation.node(node).running().queue().tell(command);
  }

  // What must hold

  /** Money is conserved, and the owner has paid what the outcomes say. */
  void onDecided(NodeName node, QueueState state) {
    var audit = RULES.audit(state);
    require(audit.isConserved(), "The book of " + node + "'s queue: " + audit);
    var charged = Amount.ZERO;
    for (var recorded : state.history().records().values()) {
      charged = charged.plus(recorded.cost().charged());
    }
    var fees = state.book().available(AccountId.FEES);
    require(
        charged.equals(fees),
        node + "'s queue has taken " + fees + ", and its outcomes say " + charged);
  }

  void onCommitted(NodeName node, List<QueueEvent> events) {
    for (var event : events) {
      switch (event) {
        case QueueEvent.Admitted taking -> admitted.add(new Admitted(node, taking.schedule()));
        case QueueEvent.Started begun -> onStarted(node, begun);
        case QueueEvent.Submitted(var key, var transaction) -> onTaken(node, key, transaction);
        case QueueEvent.Settled settled -> onSettled(node, settled);
        case QueueEvent.Ran ran -> onSettled(node, ran.settled());
        case QueueEvent.ClockAdvanced ignored -> {}
        case QueueEvent.Posted ignored -> {}
        case QueueEvent.SetAside ignored -> {}
        case QueueEvent.Shifted ignored -> {}
        case QueueEvent.Captured ignored -> {}
        case QueueEvent.Released ignored -> {}
        case QueueEvent.Concluded ignored -> {}
        case QueueEvent.RetryPlanned ignored -> {}
        case QueueEvent.Rescheduled ignored -> {}
        case QueueEvent.OutcomesArchived ignored -> {}
        case QueueEvent.Told ignored -> {}
        case QueueEvent.Intervened ignored -> {}
        case QueueEvent.Amended ignored -> {}
        case QueueEvent.Deferred ignored -> {}
        case QueueEvent.Removed ignored -> {}
        case QueueEvent.ServiceChanged ignored -> {}
        case QueueEvent.FamilyChanged ignored -> {}
        case QueueEvent.AccountOpened ignored -> {}
        case QueueEvent.AccountChanged ignored -> {}
        case QueueEvent.KeyBound ignored -> {}
        case QueueEvent.Throttled ignored -> {}
        case QueueEvent.Divided ignored -> {}
        case QueueEvent.Sent ignored -> {}
        case QueueEvent.Taken ignored -> {}
      }
    }
  }

  private void onStarted(NodeName node, QueueEvent.Started begun) {
    if (begun.request() instanceof Target.PrivateCall call) {
      var occurrence = Occurrence.of(node, begun.key());
      require(
          started.computeIfAbsent(call.inputs(), any -> new HashSet<>()).add(occurrence),
          "Started twice: " + occurrence);
    }
  }

  /** It stays the same transaction, whatever crashes. */
  private void onTaken(NodeName node, OccurrenceKey key, TransactionId transaction) {
    var before = taken.put(Occurrence.of(node, key), transaction);
    require(
        before == null || before.equals(transaction),
        key + " is run as " + before + " and as " + transaction);
  }

  private void onSettled(NodeName node, QueueEvent.Settled settled) {
    for (long each = 0; each < settled.occurrences(); each++) {
      var first = Occurrence.of(node, settled.key());
      var occurrence =
          new Occurrence(node, first.schedule(), first.incarnation(), first.number() + each);
      require(outcomes.put(occurrence, settled.outcome()) == null, "Two outcomes of " + occurrence);
      var transaction = taken.get(occurrence);
      switch (settled.outcome()) {
        case RUN ->
            require(
                simulation.invariants().fulfilled().contains(transaction),
                occurrence + " has run as " + transaction + ", which is not on the ledger");
        case FAILED -> require(!settled.note().isEmpty(), "Failed without a reason: " + occurrence);
        case MISSED, EXPIRED, CANCELLED, REFUNDED ->
            require(transaction == null, occurrence + " ended unrun, and was " + transaction);
      }
    }
  }

  /** What a schedule wants happens no oftener than it was started. */
  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.Fulfilled done) {
          onFulfilled(done);
        }
      }
    }
  }

  private void onFulfilled(LedgerReceipt.Fulfilled done) {
    var accepted = simulation.invariants().accepted().get(done.transaction());
    var inputs = accepted.transaction().inputs();
    if (asked.containsKey(inputs)) {
      var runs = fulfilled.computeIfAbsent(inputs, any -> new HashSet<>());
      runs.add(done.transaction());
      int times = started.getOrDefault(inputs, Set.of()).size();
      require(
          runs.size() <= times,
          inputs.toUtf8() + " was started " + times + " times, and has happened as " + runs);
    }
  }

  /** What was accepted and has not ended, in words. */
  Stream<String> unsettled(SimulatedNode node) {
    if (node.disk().queue.isEmpty()) {
      return Stream.empty();
    } else if (!node.isUp()) {
      return Stream.of(node.name() + " is down, and its queue may have work");
    }
    var state = node.running().queue().state();
    return state.isIdle()
        ? Stream.empty()
        : Stream.of(node.name() + "'s queue is not idle: " + state.entries());
  }

  /** How many occurrences have run. */
  long runs() {
    return outcomes.values().stream().filter(Outcome.RUN::equals).count();
  }

  /** What was accepted and has no outcome, and what happened on the ledger that has no owner. */
  List<String> leftOvers() {
    var left = new ArrayList<String>();
    for (var each : admitted) {
      var schedule = each.schedule();
      var inputs = ((Target.PrivateCall) schedule.proposal().target()).inputs();
      for (long number = 0; number < asked.get(inputs).occurrences(); number++) {
        var occurrence = new Occurrence(each.node(), schedule.id(), schedule.incarnation(), number);
        if (!outcomes.containsKey(occurrence)) {
          left.add("no outcome: " + occurrence);
        }
      }
    }
    fulfilled.forEach(
        (inputs, runs) -> {
          var unknown = new HashSet<>(runs);
          started.get(inputs).forEach(occurrence -> unknown.remove(taken.get(occurrence)));
          if (!unknown.isEmpty()) {
            left.add("not what a queue took note of: " + inputs.toUtf8() + " as " + unknown);
          }
        });
    return left;
  }
}

package dev.sequitur.schedule.gaspriority;

import static dev.sequitur.schedule.family.Admission.refused;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Agenda;
import dev.sequitur.schedule.family.Amendment;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Schedules that run at a time, the highest bidder first (docs/rules/gas-priority.md). Its due key
 * is the text's {@code ScheduleMapKey}.
 */
public record GasPriority(GasPrioritySettings settings)
    implements Family.TellingFailures,
        Family.Repeating,
        Family.Steered,
        Family.Partitioned,
        Family.SettingAside {

  private static final String TOO_MUCH =
      "Gas times price, with what is set aside to be paid, is above 9223372036854775807: lower"
          + " one.";

  @Override
  public FamilyKind kind() {
    return FamilyKind.GAS_PRIORITY;
  }

  @Override
  public FamilyState initial() {
    return GasPriorityState.INITIAL;
  }

  /** The order is GAS-11's: a caller learns of the first thing that is wrong. */
  @Override
  public Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    var terms = terms(proposal);
    if (view.service() != Service.ACTIVE) {
      return refused(
          Refusal.Code.SERVICE_NOT_ACTIVE,
          "Gas-priority schedules are "
              + view.service().words()
              + ": try again when they are not.");
    } else if (!signer.equals(proposal.owner())) {
      return refused(Refusal.Code.NOT_ALLOWED, "Only the sender can schedule its own transaction.");
    }
    return refusesTime(view, terms)
        .or(() -> refusesOffer(view, proposal, terms))
        .<Admission>map(Admission.Refused::new)
        .orElseGet(() -> admitDeposited(view, proposal, terms));
  }

  private Optional<Refusal> refusesTime(QueueView view, GasPriorityTerms terms) {
    if (tick(terms.scheduledTimeMs()) <= tick(view.now())) {
      return refusal(
          Refusal.Code.TIME_NOT_IN_FUTURE,
          "The time must be at least one tick of " + settings.tickMillis() + " ms from now.");
    } else if (ConsensusTime.nanosOf(terms.scheduledTimeMs(), 1) == Long.MAX_VALUE) {
      return refusal(Refusal.Code.BAD_TIME, ConsensusTime.ENDS);
    }
    return Optional.empty();
  }

  private Optional<Refusal> refusesOffer(
      QueueView view, Proposal proposal, GasPriorityTerms terms) {
    if (terms.maxGasUnitPrice() < settings.minGasUnitPrice()) {
      return refusal(
          Refusal.Code.PRICE_TOO_LOW,
          "Offer at least " + settings.minGasUnitPrice() + " for a unit of gas.");
    } else if (terms.maxGasAmount() < leastGas(view, proposal)) {
      return refusal(
          Refusal.Code.TOO_LITTLE_GAS,
          "It needs " + leastGas(view, proposal) + " gas to run: offer that much at least.");
    } else if (proposal.target().size() > settings.maxSize()) {
      return refusal(
          Refusal.Code.TOO_LARGE, "Send at most " + settings.maxSize() + " bytes of content.");
    } else if (terms.setAside() && proposal.target() instanceof Target.Repeat) {
      return refusal(
          Refusal.Code.BAD_STATE,
          "What a repetition pays is taken when it runs, and not set aside: leave out setAside.");
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refusal(Refusal.Code code, String sentence) {
    return Optional.of(new Refusal(code, sentence));
  }

  /** The id stays that of its creation, and so does its key. */
  @Override
  public Amendment amend(
      QueueView view, Schedule schedule, Proposal to, Optional<Revision> revision) {
    var before = terms(schedule.proposal());
    var terms =
        revision
            .map(asked -> Family.own(GasPriorityRevision.class, asked).of(before))
            .orElse(before);
    var refusedTime =
        terms.scheduledTimeMs() == before.scheduledTimeMs()
            ? Optional.<Refusal>empty()
            : refusesTime(view, terms);
    if (refusedTime.isPresent()) {
      return new Amendment.Refused(refusedTime.get());
    }
    var target = repeating(schedule.proposal().target(), to.target());
    if (target.isEmpty()) {
      return Amendment.refused(
          Refusal.Code.BAD_STATE,
          "Only a transfer or a notification is repeated: name one, or cancel it.");
    }
    var amended = to.with(terms, target.get());
    var refused = refusesOffer(view, amended, terms);
    if (refused.isPresent()) {
      return new Amendment.Refused(refused.get());
    }
    var due = schedule.due().isParked() ? schedule.due() : dueKey(terms, schedule.id());
    try {
      var held = terms.held(target.get());
      return new Amendment.Amended(amended, due, held);
    } catch (ArithmeticException e) {
      return Amendment.refused(Refusal.Code.OVERFLOW, TOO_MUCH);
    }
  }

  private static long leastGas(QueueView view, Proposal proposal) {
    return leastGas(view.gas(), proposal.target());
  }

  /**
   * The least that may be offered for a target, which is what it uses. No price of no gas is a
   * deposit (GAS-15), so that its priority and its place would cost nothing.
   */
  public static long leastGas(GasUse gas, Target target) {
    return Math.max(1, gas.of(target));
  }

  private Admission admitDeposited(QueueView view, Proposal proposal, GasPriorityTerms terms) {
    var id = new ScheduleId(kind(), ScheduledTransactionId.of(proposal, terms));
    if (view.schedule(id).isPresent()) {
      return refused(
          Refusal.Code.DUPLICATE, "The same transaction is scheduled already, as " + id + ".");
    }
    try {
      var held = terms.held(proposal.target());
      if (!view.book().canPay(proposal.owner(), held)) {
        return refused(Refusal.Code.INSUFFICIENT_BALANCE, tooPoor(view, proposal, terms, held));
      }
      return new Admission.Admitted(id, dueKey(terms, id), held);
    } catch (ArithmeticException e) {
      return refused(Refusal.Code.OVERFLOW, TOO_MUCH);
    }
  }

  private static String tooPoor(
      QueueView view, Proposal proposal, GasPriorityTerms terms, Amount held) {
    var available = view.book().available(proposal.owner());
    return terms.setAside()
        ? "The deposit and what it pays are %s, and %s can spend %s: fund the account, or have what it pays taken at its time, and not set aside."
            .formatted(held, proposal.owner(), available)
        : "The deposit is %s, and %s can spend %s: fund the account, or lower gas or price."
            .formatted(held, proposal.owner(), available);
  }

  @Override
  public boolean setsAside(Schedule schedule) {
    return terms(schedule.proposal()).setAside();
  }

  /**
   * The specification's ScheduleMapKey. Ascending: time, then u64 max - price, so that a higher
   * price comes first, then id.
   */
  public DueKey dueKey(GasPriorityTerms terms, ScheduleId id) {
    return DueKey.of(tick(terms.scheduledTimeMs()), ~terms.maxGasUnitPrice(), id.value());
  }

  /**
   * What a block would run at a time, in its order, as things stand now: last what is late and runs
   * all the same, as its own policy says (GAS-10).
   *
   * @param timestampMs milliseconds since 1970
   */
  List<Schedule> ready(QueueView view, long timestampMs) {
    if (view.service() != Service.ACTIVE) {
      return List.of();
    }
    long now = tick(timestampMs);
    int limit = settings.getReadyTransactionsLimit();
    var from = DueKey.from(state(view.state()).back(settings.expiryTicks(), now).orElse(0));
    var ready = new ArrayList<Schedule>();
    for (var due : view.waitingIn(from, DueKey.from(now + 1), limit + settings.expireLimit())) {
      if (ready.size() < limit && onDue(due, from, timestampMs) == Verdict.FIRE) {
        ready.add(due);
      }
    }
    for (var late : view.waitingIn(DueKey.from(0), from, settings.expireLimit())) {
      if (ready.size() < limit && onDue(late, from, timestampMs) == Verdict.FIRE) {
        ready.add(late);
      }
    }
    return ready;
  }

  @Override
  public Agenda agenda(QueueView view) {
    long now = tick(view.now());
    var oldestReady = state(view.state()).back(settings.expiryTicks(), now);
    return new Agenda(
        DueKey.from(oldestReady.orElse(0)),
        DueKey.from(now + 1),
        settings.expireLimit(),
        settings.getReadyTransactionsLimit());
  }

  /** A backlog that came first would make late whatever comes after it (GAS-14). */
  @Override
  public boolean servesOverdueLast() {
    return true;
  }

  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    return onDue(schedule, agenda(view).readyFrom(), view.now().millis());
  }

  /** A chosen window is one of real time; what is specified counts ticks that had a block. */
  private static Verdict onDue(Schedule schedule, DueKey readyFrom, long nowMillis) {
    var late = schedule.proposal().late();
    if (schedule.due().compareTo(readyFrom) >= 0 && !late.hasWindow()) {
      return Verdict.FIRE;
    }
    long lateMillis = nowMillis - terms(schedule.proposal()).scheduledTimeMs();
    return late.or(new LatePolicy.ExpireAndRefund()).judge(Duration.ofMillis(lateMillis), true);
  }

  /** The lesser of its own maximum and the highest price of any other in the block (GAS-6). */
  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return prices(selected);
  }

  /** What each of these would pay for a unit of gas, were they run together in one block. */
  public List<Long> prices(List<Schedule> selected) {
    long highest = 0;
    long second = 0;
    for (var schedule : selected) {
      long price = terms(schedule.proposal()).maxGasUnitPrice();
      second = Math.max(second, Math.min(highest, price));
      highest = Math.max(highest, price);
    }
    var prices = new ArrayList<Long>(selected.size());
    for (var schedule : selected) {
      long own = terms(schedule.proposal()).maxGasUnitPrice();
      long others = own == highest ? second : highest;
      prices.add(Math.min(own, Math.max(others, settings.minGasUnitPrice())));
    }
    return prices;
  }

  @Override
  public long gasLimit(QueueView view, Schedule schedule) {
    return terms(schedule.proposal()).maxGasAmount();
  }

  @Override
  public Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    return switch (ending) {
      case OccurrenceEnding.Ran ran -> settleRun(view, schedule, ran);
      case OccurrenceEnding.NotRun ignored -> Settlement.last(Amount.ZERO);
      case OccurrenceEnding.Overlapped() -> Settlement.last(Amount.ZERO);
      case OccurrenceEnding.Skipped() ->
          new Settlement(Amount.ZERO, Optional.empty(), reschedule(view, schedule));
      case OccurrenceEnding.CalledOff() -> Settlement.last(Amount.ZERO);
    };
  }

  private Settlement settleRun(QueueView view, Schedule schedule, OccurrenceEnding.Ran ran) {
    long gas = Math.min(ran.conclusion().gasUsed(), gasLimit(view, schedule));
    var again =
        ran.outcome() == Outcome.RUN ? reschedule(view, schedule) : Optional.<Proposal>empty();
    return new Settlement(Amount.product(gas, ran.price()), Optional.empty(), again);
  }

  /** From inside the execution: its interval later, and if that has passed too, the next one. */
  private Optional<Proposal> reschedule(QueueView view, Schedule schedule) {
    var proposal = schedule.proposal();
    if (!(proposal.target() instanceof Target.Repeat repeat) || repeat.more() == 0) {
      return Optional.empty();
    }
    var terms = terms(proposal);
    long every = repeat.everyMillis();
    long tickEnd = (tick(view.now()) + 1) * settings.tickMillis() - 1;
    // What was run by hand before its time leaves that to the next.
    long missed =
        schedule.isByHand() && terms.scheduledTimeMs() > tickEnd
            ? -1
            : Math.max(0, tickEnd - terms.scheduledTimeMs()) / every;
    long nextMs;
    try {
      nextMs = Math.addExact(terms.scheduledTimeMs(), Math.multiplyExact(missed + 1, every));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
    var next = new Target.Repeat(repeat.action(), every, repeat.more() - 1);
    return Optional.of(proposal.with(terms.again(nextMs, schedule.id()), next));
  }

  @Override
  public boolean goesOn(QueueView view, Schedule schedule) {
    return reschedule(view, schedule).isPresent();
  }

  /**
   * At its time. If that has passed, a repetition goes on at the next; what runs once is late, and
   * its policy says what becomes of it.
   */
  @Override
  public Performance resume(QueueView view, Schedule schedule) {
    var terms = terms(schedule.proposal());
    boolean passed = tick(terms.scheduledTimeMs()) < tick(view.now());
    return new Performance.Performed(
        passed && goesOn(view, schedule)
            ? List.of(
                new Act.End(
                    schedule.id(),
                    new OccurrenceEnding.Skipped(),
                    "Its time passed while it was paused."))
            : List.of(new Act.Defer(schedule.id(), dueKey(terms, schedule.id()))),
        Optional.empty());
  }

  /** As if it were due in this tick: it takes the place and pays the price that it had then. */
  @Override
  public Performance runNow(QueueView view, Schedule schedule) {
    long now = tick(view.now());
    long price = terms(schedule.proposal()).maxGasUnitPrice();
    int limit = settings.getReadyTransactionsLimit();
    var readyFrom = agenda(view).readyFrom();
    var place = DueKey.of(now, ~price, schedule.id().value());
    var dearer = others(view, schedule, readyFrom, place, limit);
    if (dearer.size() >= limit) {
      return Performance.refused(
          Refusal.Code.PRICE_TOO_LOW,
          "As many as a block runs offer more and are due now: try again later.");
    }
    var block = new ArrayList<>(others(view, schedule, readyFrom, DueKey.from(now + 1), limit - 1));
    block.add(schedule);
    return new Performance.Performed(
        List.of(new Act.Fire(schedule.id(), prices(block).getLast())), Optional.empty());
  }

  private static List<Schedule> others(
      QueueView view, Schedule schedule, DueKey from, DueKey end, int atMost) {
    return view.waitingIn(from, end, atMost + 1).stream()
        .filter(other -> !other.id().equals(schedule.id()))
        .limit(atMost)
        .toList();
  }

  /** What is repeated stays so, whatever it runs; empty if that cannot be repeated. */
  private static Optional<Target> repeating(Target before, Target to) {
    return switch (before) {
      case Target.Repeat repeat -> repeating(repeat, to);
      case Target.InQueue ignored -> Optional.of(to);
      case Target.Call ignored -> Optional.of(to);
    };
  }

  private static Optional<Target> repeating(Target.Repeat before, Target to) {
    return switch (to) {
      case Target.Repeat another -> Optional.of(another);
      case Target.InQueue action ->
          Optional.of(new Target.Repeat(action, before.everyMillis(), before.more()));
      case Target.Call ignored -> Optional.empty();
    };
  }

  @Override
  public Amount owed(Schedule schedule, Amount held) {
    return terms(schedule.proposal()).held(schedule.proposal().target());
  }

  @Override
  public Optional<String> refusesKey(Schedule schedule, ConsensusTime last) {
    var due = schedule.due();
    return due.isParked() || due.time() == tick(terms(schedule.proposal()).scheduledTimeMs())
        ? Optional.empty()
        : Optional.of(
            "It holds gas-priority transactions that were scheduled by ticks of another length than"
                + " the "
                + settings.tickMillis()
                + " ms that are set now: set scheduler.gas-priority.tick-millis as it was. It can"
                + " be changed while none of them waits, so after a shutdown of the family.");
  }

  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    long now = tick(view.now());
    boolean waits = firstLeft.isPresent() && firstLeft.get().due().time() < now;
    return waits && !state(view.state()).hasNewest(now)
        ? Optional.of(new GasPriorityEvent.TickCut(now))
        : Optional.empty();
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return state(state)
        .plus(Family.own(GasPriorityEvent.TickCut.class, event).tick(), settings.expiryTicks() + 1);
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    return terms(schedule.proposal())
        .first()
        .<FamilyState>map(first -> state(state).goingOn(first, schedule.id()))
        .orElse(state);
  }

  @Override
  public FamilyState onSettled(FamilyState state, Schedule schedule, Ended settled) {
    return terms(schedule.proposal())
        .first()
        .<FamilyState>map(first -> state(state).ended(first, schedule.id()))
        .orElse(state);
  }

  @Override
  public Optional<ScheduleId> first(Proposal proposal) {
    return terms(proposal).first();
  }

  @Override
  public Optional<ScheduleId> present(FamilyState state, ScheduleId first) {
    return state(state).present(first);
  }

  @Override
  public long dueNanos(DueKey first) {
    return ConsensusTime.nanosOf(first.time(), settings.tickMillis());
  }

  /** Of a repetition all its runs, each its interval after the one before. */
  @Override
  public Iterator<ConsensusTime> coming(QueueView view, Schedule schedule) {
    if (schedule.due().isParked()) {
      return Collections.emptyIterator();
    }
    long first = terms(schedule.proposal()).scheduledTimeMs();
    if (!(schedule.proposal().target() instanceof Target.Repeat repeat)) {
      return List.of(begin(first)).iterator();
    }
    long most = (Long.MAX_VALUE - first) / repeat.everyMillis();
    return LongStream.rangeClosed(0, Math.min(repeat.more(), most))
        .mapToObj(run -> begin(first + run * repeat.everyMillis()))
        .iterator();
  }

  private ConsensusTime begin(long millis) {
    return new ConsensusTime(ConsensusTime.nanosOf(tick(millis), settings.tickMillis()));
  }

  /** The price is what comes before the last that its tick's first block takes. */
  @Override
  public Forecast forecast(QueueView view, ConsensusTime at) {
    long tick = tick(at);
    var from = DueKey.from(tick);
    var end = DueKey.from(tick + 1);
    int limit = settings.getReadyTransactionsLimit();
    var last = view.waitingAt(from, end, limit - 1);
    long price =
        last.map(schedule -> terms(schedule.proposal()).maxGasUnitPrice())
            .map(other -> Math.max(other, other + 1))
            .orElse(settings.minGasUnitPrice());
    var begin = new ConsensusTime(ConsensusTime.nanosOf(tick, settings.tickMillis()));
    int taken = view.waiting(from, end, Integer.MAX_VALUE);
    boolean tooFar = at.nanos() == Long.MAX_VALUE;
    boolean full = tick <= tick(view.now()) || tooFar;
    int unreached = full ? 0 : new Reach(settings, view, tick(view.now())).unreached(tick, taken);
    return new Forecast(begin, taken, limit, price, unreached, full);
  }

  @Override
  public Optional<String> whyUnreached(QueueView view, Schedule schedule) {
    long now = tick(view.now());
    boolean expires =
        switch (schedule.proposal().late()) {
          case LatePolicy.AsSpecified() -> true;
          case LatePolicy.ExpireAndRefund() -> true;
          case LatePolicy.Skip() -> true;
          case LatePolicy.RunOnce() -> false;
          case LatePolicy.RunAll() -> false;
          // Its window may be long enough.
          case LatePolicy.RunWithin ignored -> false;
          case LatePolicy.RunOnceWithin ignored -> false;
        };
    if (!expires
        || schedule.due().isParked()
        || schedule.due().time() <= now
        || new Reach(settings, view, now).comesTo(schedule.due())) {
      return Optional.empty();
    }
    long end = schedule.due().time() + settings.expiryTicks() + 1;
    return Optional.of(
        "As things stand it will not be run: "
            + settings.getReadyTransactionsLimit()
            + " run in a tick of "
            + settings.tickMillis()
            + " ms, and so many come before it that it is given up at "
            + new ConsensusTime(ConsensusTime.nanosOf(end, settings.tickMillis())).toInstant()
            + ". Offer more, choose another time, or let it run late (late: run-once).");
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    if (schedule.due().isParked()) {
      return "The node failed over it, and runs it no more: its log says why.";
    }
    if (schedule.due().time() > tick(view.now())) {
      return "It is not due yet: it is due at "
          + begin(schedule)
          + "."
          + whyUnreached(view, schedule).map(why -> " " + why).orElse("");
    }
    var readyFrom = agenda(view).readyFrom();
    boolean runsLate =
        schedule.due().compareTo(readyFrom) < 0
            && onDue(schedule, readyFrom, view.now().millis()) == Verdict.FIRE;
    return runsLate
        ? "It is late, and runs when those that are in their time leave room for it."
        : whyNotServed(
            view,
            schedule,
            "It was outbid: "
                + settings.getReadyTransactionsLimit()
                + " run in each block, and others offer more, or as much and come before it.");
  }

  private Instant begin(Schedule schedule) {
    long nanos = ConsensusTime.nanosOf(schedule.due().time(), settings.tickMillis());
    return new ConsensusTime(nanos).toInstant();
  }

  private long tick(ConsensusTime time) {
    return tick(time.millis());
  }

  private long tick(long millis) {
    return millis / settings.tickMillis();
  }

  private static GasPriorityState state(FamilyState state) {
    return Family.own(GasPriorityState.class, state);
  }

  private static GasPriorityTerms terms(Proposal proposal) {
    return Family.own(GasPriorityTerms.class, proposal.terms());
  }
}

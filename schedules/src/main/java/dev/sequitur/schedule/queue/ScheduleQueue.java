package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.execution.Execution;
import dev.sequitur.schedule.execution.ExecutionState;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEvent.AccountChanged;
import dev.sequitur.schedule.queue.QueueEvent.AccountOpened;
import dev.sequitur.schedule.queue.QueueEvent.Admitted;
import dev.sequitur.schedule.queue.QueueEvent.Captured;
import dev.sequitur.schedule.queue.QueueEvent.ClockAdvanced;
import dev.sequitur.schedule.queue.QueueEvent.Concluded;
import dev.sequitur.schedule.queue.QueueEvent.Deferred;
import dev.sequitur.schedule.queue.QueueEvent.FamilyChanged;
import dev.sequitur.schedule.queue.QueueEvent.KeyBound;
import dev.sequitur.schedule.queue.QueueEvent.OutcomesArchived;
import dev.sequitur.schedule.queue.QueueEvent.Posted;
import dev.sequitur.schedule.queue.QueueEvent.Ran;
import dev.sequitur.schedule.queue.QueueEvent.Released;
import dev.sequitur.schedule.queue.QueueEvent.Removed;
import dev.sequitur.schedule.queue.QueueEvent.Rescheduled;
import dev.sequitur.schedule.queue.QueueEvent.RetryPlanned;
import dev.sequitur.schedule.queue.QueueEvent.ServiceChanged;
import dev.sequitur.schedule.queue.QueueEvent.SetAside;
import dev.sequitur.schedule.queue.QueueEvent.Settled;
import dev.sequitur.schedule.queue.QueueEvent.Shifted;
import dev.sequitur.schedule.queue.QueueEvent.Started;
import dev.sequitur.schedule.queue.QueueEvent.Submitted;
import dev.sequitur.schedule.queue.QueueEvent.Throttled;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.BodiesStored;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.OutcomesStored;
import dev.sequitur.schedule.queue.QueueInput.Recovered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One queue of scheduled transactions. The same inputs at the same times give the same state, byte
 * for byte; an occurrence has one outcome, and its money is settled with it.
 */
public final class ScheduleQueue {
  private final QueueSetup setup;
  private final BiConsumer<ScheduleId, RuntimeException> onFailure;

  public ScheduleQueue(QueueSetup setup) {
    this(setup, (schedule, failure) -> {});
  }

  /**
   * @param onFailure told of each schedule over which the rules fail in a block, so that somebody
   *     can mend them; changes nothing, and may be told again of what was decided again
   */
  public ScheduleQueue(QueueSetup setup, BiConsumer<ScheduleId, RuntimeException> onFailure) {
    this.setup = setup;
    this.onFailure = onFailure;
  }

  public QueueSetup setup() {
    return setup;
  }

  BiConsumer<ScheduleId, RuntimeException> onFailure() {
    return onFailure;
  }

  /**
   * @param wall what a time of the node's clock is judged by; asked for each input
   */
  public Machine<QueueInput, QueueState, QueueEvent, QueueEffect> machine(
      Function<Instant, WallTime> wall) {
    return new Machine<>(
        QueueState.initial(),
        (state, input, now) -> decide(state, input, wall.apply(now)),
        this::evolve,
        now -> Optional.of(new Recovered()),
        new CutBlock());
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<QueueState, QueueEvent, QueueEffect> decide(
      QueueState state, QueueInput input, WallTime wall) {
    var now = state.clock().next(wall, setup.maxAhead());
    var step = new QueueStep(this, state, now, !standsStill(state, wall).isZero());
    switch (input) {
      case Command command -> new Commands(step).on(command);
      case CutBlock() -> new BlockStep(step).run();
      case HandedOver handed -> onHandedOver(step, handed);
      case Answered(var key, var conclusion) -> new Executing(step).onAnswered(key, conclusion);
      case BodiesStored(var upTo) -> onBodiesStored(step, upTo);
      case OutcomesStored(var upTo) -> onOutcomesStored(step, upTo);
      case Recovered() -> onRecovered(step);
    }
    return step.finish();
  }

  /** Saying it again changes nothing. */
  private static void onOutcomesStored(QueueStep step, long upTo) {
    var history = step.state().history();
    if (history.oldest() <= Math.min(upTo, history.next() - 1)) {
      step.record(new QueueEvent.OutcomesArchived(upTo));
    }
  }

  /** Saying it again changes nothing. */
  private static void onBodiesStored(QueueStep step, long upTo) {
    for (var family : step.setup.families()) {
      if (family instanceof Family.Archiving archiving) {
        archiving
            .onStored(step.view(family).state(), upTo)
            .ifPresent(event -> step.record(new FamilyChanged(family.kind(), event)));
      }
    }
  }

  /** Repeats a durable change on recovery. */
  public QueueState evolve(QueueState state, QueueEvent event) {
    var entries = state.entries();
    var book = state.book();
    return switch (event) {
      case ClockAdvanced(var time) -> state.withClock(state.clock().advance(time));
      case Admitted admitted -> onAdmitted(state, admitted);
      case Started started -> state.withEntries(entries.start(started, state.clock().last()));
      case Submitted submitted -> state.withEntries(entries.submit(submitted));
      case Concluded(var key, var conclusion) ->
          state
              .with()
              .entries(entries.conclude(key, conclusion))
              .crossings(state.crossings().ended(key.schedule()))
              .build();
      case RetryPlanned(var failed, var at) -> state.withEntries(entries.retry(failed, at));
      case Settled settled -> {
        var execution = entries.execution(settled.key().schedule());
        yield onSettled(state, settled, execution.map(LastAttempt::of).orElse(LastAttempt.NONE));
      }
      case Ran ran -> onSettled(state, ran.settled(), LastAttempt.of(ran, state.clock().last()));
      case Rescheduled rescheduled -> state.withHistory(state.history().plus(rescheduled));
      case QueueEvent.Told(var notice, var whose) -> {
        var told = new History.Told(state.clock().last(), notice, whose);
        yield state.withHistory(state.history().plus(told, setup.historyLimit()));
      }
      case OutcomesArchived(var upTo) -> state.withHistory(state.history().without(upTo));
      case Deferred deferred -> onDeferred(state, deferred);
      case QueueEvent.Amended amended -> onAmended(state, amended);
      case QueueEvent.Intervened done -> state.withEntries(entries.intervene(done));
      case Removed(var count) -> state.removed(count);
      case ServiceChanged(var family, var service) -> state.with(family, service);
      case FamilyChanged(var kind, var change) -> {
        var family = setup.family(kind);
        yield state.with(kind, family.evolve(known(state, family), change));
      }
      case Throttled(var operation) -> onThrottled(state, operation);
      case QueueEvent.Divided(var place) -> state.withCrossings(state.crossings().at(place));
      case QueueEvent.Sent(var schedule, var crossing) ->
          state.withCrossings(state.crossings().sent(schedule, crossing));
      case QueueEvent.Taken taken -> state.withCrossings(state.crossings().taken(taken));
      case AccountOpened(var id, var account) -> state.withKeys(state.keys().open(id, account));
      case AccountChanged(var account, var changed) ->
          state.withKeys(state.keys().with(account, changed));
      case KeyBound(var identity, var key) -> state.withKeys(state.keys().bind(identity, key));
      case Posted posted ->
          booked(
              state.withBook(book.post(posted.from(), posted.to(), posted.amount())),
              Bookkeeping.of(posted));
      case SetAside aside ->
          booked(
              state.withBook(book.add(aside.hold(), aside.owner(), aside.amount())),
              Bookkeeping.of(aside));
      case Shifted(var from, var to, var amount) -> state.withBook(book.shift(from, to, amount));
      case Captured captured ->
          booked(
              state.withBook(book.capture(captured.hold(), captured.to(), captured.amount())),
              Bookkeeping.of(book, captured));
      case Released released ->
          booked(state.withBook(book.release(released.hold())), Bookkeeping.of(book, released));
    };
  }

  private QueueState booked(QueueState state, Optional<Posting> posting) {
    return posting
        .map(it -> new History.Booked(state.clock().last(), it))
        .map(it -> state.withHistory(state.history().plus(it, setup.historyLimit())))
        .orElse(state);
  }

  private QueueState onAdmitted(QueueState state, Admitted admitted) {
    var schedule = admitted.schedule();
    var family = setup.family(schedule.family());
    var next = state.admitted(admitted);
    if (family instanceof Family.Signed) {
      next = next.withKeys(next.keys().advance());
    }
    return family instanceof Family.Following following
        ? next.with(schedule.family(), following.onAdmitted(known(state, family), schedule))
        : next;
  }

  private QueueState onThrottled(QueueState state, String operation) {
    long limit = setup.throttles().getOrDefault(operation, 1L);
    return state.with(operation, state.throttle(operation, limit).use(state.clock().last()));
  }

  private QueueState onSettled(QueueState state, Settled settled, LastAttempt attempt) {
    var schedule = state.entries().require(settled.key());
    var family = setup.family(schedule.family());
    var view = view(state, family, state.clock().last());
    var paid = state.paid(schedule.hold(), settled);
    var charged = family.charged(view.state(), schedule, settled.outcome(), settled.charge());
    var cost =
        new Cost(
            attempt.price(),
            Math.min(attempt.gasUsed(), family.gasLimit(view, schedule)),
            charged,
            paid.released(),
            charged.isZero() ? Optional.empty() : family.parties(view.state(), schedule));
    var recorded =
        new History.Recorded(
            settled.key(),
            settled.occurrences(),
            settled.outcome(),
            view.now(),
            note(schedule, settled),
            cost.equals(Cost.NONE) ? Cost.NONE : cost,
            attempt.transaction(),
            Optional.empty(),
            schedule.proposal(),
            asked(family, schedule),
            attempt.attempts(),
            paid.book().available(schedule.proposal().owner()));
    var ended =
        new Family.Ended(settled.outcome(), view.now(), settled.next(), settled.occurrences());
    var next =
        state.settled(
            state.entries().settle(schedule, settled, attempt.started()),
            paid.book(),
            state.history().plus(recorded, setup.historyLimit()));
    return family instanceof Family.Following following
        ? next.with(family.kind(), following.onSettled(view.state(), schedule, ended))
        : next;
  }

  /** Of what was run by hand who did it, too. */
  private static String note(Schedule schedule, Settled settled) {
    return byHand(schedule)
        .map(done -> done.sentence() + (settled.note().isEmpty() ? "" : " " + settled.note()))
        .orElse(settled.note());
  }

  /** What was run by hand was wanted then. */
  private static Optional<ConsensusTime> asked(Family family, Schedule schedule) {
    return byHand(schedule).map(Intervention::at).or(() -> family.askedFor(schedule));
  }

  private static Optional<Intervention> byHand(Schedule schedule) {
    return schedule.isByHand()
        ? schedule.interventions().last(Intervention.Kind.RUN_NOW)
        : Optional.empty();
  }

  private QueueState onAmended(QueueState state, QueueEvent.Amended amended) {
    var before = state.entries().schedules().get(amended.schedule());
    var family = setup.family(amended.schedule().family());
    var next = state.withEntries(state.entries().amend(amended));
    var after = next.entries().schedules().get(amended.schedule());
    return family instanceof Family.Following following
        ? next.with(family.kind(), following.onAmended(known(state, family), before, after))
        : next;
  }

  private QueueState onDeferred(QueueState state, Deferred deferred) {
    var schedule = state.entries().schedules().get(deferred.schedule());
    var family = setup.family(schedule.family());
    var next = state.withEntries(state.entries().defer(deferred.schedule(), deferred.due()));
    return family instanceof Family.Following following
        ? next.with(
            family.kind(), following.onDeferred(known(state, family), schedule, deferred.due()))
        : next;
  }

  /**
   * Why a queue cannot go on under these settings, as one sentence for its operator; to be asked
   * when it has recovered, before it decides anything. It looks at every schedule.
   */
  public Optional<String> refusesSettings(QueueState state) {
    return state.entries().schedules().values().stream()
        .filter(schedule -> !state.entries().isEnded(schedule.id()))
        .flatMap(
            schedule ->
                setup.family(schedule.family()).refusesKey(schedule, state.clock().last()).stream())
        .findFirst();
  }

  /**
   * Why a queue cannot be what the settings make of it, as one sentence for its operator; asked as
   * {@link #refusesSettings} is.
   *
   * @param name of the whole queue
   * @param place which partition the settings make it; empty if they make it one
   */
  public Optional<String> refusesPlace(QueueState state, String name, Optional<Partition> place) {
    return Partitioning.refusesPlace(state, name, place);
  }

  /** Whether one that waits has expired, and awaits its end alone. */
  public boolean hasExpired(QueueState state, Schedule schedule, WallTime wall) {
    return setup.family(schedule.family()) instanceof Family.Expiring family
        && family.hasExpired(view(state, family.kind(), wall), schedule);
  }

  /**
   * How many of a family wait.
   *
   * @param atMost of those that have expired and await their end, so many are looked at
   */
  public int waiting(QueueState state, FamilyKind kind, WallTime wall, int atMost) {
    int all = state.entries().due().waiting(kind);
    if (!(setup.family(kind) instanceof Family.Expiring family)) {
      return all;
    }
    var view = view(state, kind, wall);
    var overdue = view.waitingIn(DueKey.from(0), family.agenda(view).readyFrom(), atMost);
    return all
        - Math.toIntExact(overdue.stream().filter(each -> family.hasExpired(view, each)).count());
  }

  /** The book, and whether what is held is just what the schedules owe (ACC-3). */
  public QueueAudit audit(QueueState state) {
    return QueueAudit.of(setup, state);
  }

  /** What a family's own queries read. */
  public QueueView view(QueueState state, FamilyKind family, WallTime wall) {
    return view(state, setup.family(family), state.clock().next(wall, setup.maxAhead()));
  }

  /** What happened to a schedule, and why it has not run (SCH-23). */
  public Explanation explain(QueueState state, ScheduleId id, WallTime wall) {
    return new Explanation(
        why(state, id, state.clock().next(wall, setup.maxAhead())) + whyStill(state, id, wall),
        state.entries().execution(id).flatMap(Execution::transaction),
        state.history().of(id));
  }

  /**
   * What has ended, of all schedules, as far as it is in memory.
   *
   * @param from from which number on
   * @param atMost how many
   * @param wanted which
   */
  public Outcomes outcomes(
      QueueState state, long from, int atMost, Predicate<History.Recorded> wanted) {
    return state.history().from(from, atMost, wanted);
  }

  /**
   * All that has happened, as far as it is in memory.
   *
   * @param from from which number on
   * @param atMost how many
   */
  public Happenings happenings(QueueState state, long from, int atMost) {
    return state.history().happenings(from, atMost);
  }

  /**
   * What an account has, and what has made it so, as far as that is in memory (ACC-10).
   *
   * @param from from which number on
   * @param atMost how many
   * @param wanted which
   */
  public Statement statement(
      QueueState state, AccountId account, long from, int atMost, Predicate<Happened> wanted) {
    return new Statement(
        account,
        state.book().available(account),
        state.book().held(account),
        state.history().next(),
        state.history().happenings(from, atMost, wanted));
  }

  /** How full a family is at a time, and what a place costs; empty if it is not served. */
  public Optional<Forecast> forecast(
      QueueState state, FamilyKind family, ConsensusTime at, WallTime wall) {
    return setup.serves(family)
        ? Optional.of(setup.family(family).forecast(view(state, family, wall), at))
        : Optional.empty();
  }

  /** What would come of a command that came now; nothing changes by it. */
  public Trial tryOut(QueueState state, Command command, WallTime wall) {
    var decision = decide(state, command, wall);
    var after = decision.state();
    var answer =
        decision.effects().stream()
            .flatMap(
                effect -> effect instanceof QueueEffect.Answer it ? Stream.of(it) : Stream.empty())
            .findFirst()
            .orElseThrow();
    var ids = answer.schedule().map(List::of).orElseGet(() -> made(answer));
    var made = ids.stream().findFirst().flatMap(after.entries()::schedule);
    var waiting = made.filter(schedule -> !after.entries().isEnded(schedule.id()));
    return new Trial(
        answer,
        ids,
        Trial.setAside(decision, command.signer()),
        Trial.fee(decision, command.signer()),
        after.book().available(Trial.paying(decision, command.signer())),
        firstTimes(after, ids),
        waiting.flatMap(
            schedule ->
                setup
                    .family(schedule.family())
                    .expires(view(after, schedule.family(), wall), schedule)),
        made.map(schedule -> why(after, schedule.id(), after.clock().last())),
        waiting.flatMap(
            schedule ->
                setup
                    .family(schedule.family())
                    .whyUnreached(view(after, schedule.family(), wall), schedule)),
        waiting.flatMap(
            schedule ->
                setup
                    .family(schedule.family())
                    .askedFor(schedule)
                    .flatMap(at -> forecast(after, schedule.family(), at, wall))));
  }

  private static List<ScheduleId> made(QueueEffect.Answer answer) {
    return answer.refusal().isPresent()
        ? List.of()
        : answer.result().map(FamilyResult::schedules).orElse(List.of());
  }

  /** Of all that a command would make, in their order. */
  private List<ConsensusTime> firstTimes(QueueState after, List<ScheduleId> made) {
    return made.stream()
        .flatMap(id -> times(after, id, Trial.TIMES).stream())
        .sorted()
        .limit(Trial.TIMES)
        .toList();
  }

  /**
   * When a schedule runs, the first times to come; none if it is not there, or waits for its owner
   * or for no time. Of a repetition any of its ids will do.
   */
  public List<ConsensusTime> times(QueueState state, ScheduleId id, int atMost) {
    return state
        .entries()
        .schedule(id)
        .filter(schedule -> !state.entries().isEnded(schedule.id()))
        .or(() -> goesOnAs(state, id).flatMap(state.entries()::schedule))
        .map(
            schedule -> {
              boolean runs = state.entries().isStarted(schedule.id());
              var times = times(state, schedule, runs ? atMost + 1 : atMost);
              return runs && !times.isEmpty() ? times.subList(1, times.size()) : times;
            })
        .orElse(List.of());
  }

  private List<ConsensusTime> times(QueueState state, Schedule schedule, int atMost) {
    var times = new ArrayList<ConsensusTime>();
    var family = setup.family(schedule.family());
    var coming = family.coming(view(state, family, state.clock().last()), schedule);
    while (times.size() < atMost && coming.hasNext()) {
      times.add(coming.next());
    }
    return times;
  }

  /**
   * What is to run, of all schedules, in the order of its times.
   *
   * @param from inclusive
   * @param until exclusive
   * @param atMost how many
   * @param list one that has all that are wanted, if there is one; see {@link ScheduleLists}
   * @param wanted which
   */
  public CalendarPage calendar(
      QueueState state,
      ConsensusTime from,
      ConsensusTime until,
      int atMost,
      Optional<Stream<ScheduleId>> list,
      Predicate<Schedule> wanted) {
    return new Calendar(setup, state, from, until, Calendar.LOOKED_AT, list, wanted).page(atMost);
  }

  /**
   * Finds schedules by where they stand.
   *
   * @param family only of this one
   * @param atMost none, if there are more
   */
  public Standing standing(
      QueueState state, Optional<FamilyKind> family, int atMost, WallTime wall) {
    return new Standing(setup, state, state.clock().next(wall, setup.maxAhead()), family, atMost);
  }

  /**
   * Schedules in the order in which they are due.
   *
   * @param limit how many
   * @param looks at how many that wait it is looked, wanted or not
   */
  public DueList.Page due(QueueState state, DueList.Which which, int limit, int looks) {
    return new DueList(this, state, which).page(limit, looks);
  }

  /**
   * What waits of a family and is not being run, in its due order; what is parked comes last.
   *
   * @param key from this one on, which need not be there any more
   * @param nanos else from this time on, if there is one
   */
  Iterable<Map.Entry<DueKey, ScheduleId>> waiting(
      QueueState state, FamilyKind kind, Optional<DueKey> key, Optional<Long> nanos) {
    var from =
        key.or(() -> nanos.map(time -> Standing.firstAt(setup.family(kind), time)))
            .orElse(DueKey.from(0));
    return state.entries().due().each(kind, from);
  }

  /** What a family answers at this time. */
  public <R> R ask(QueueState state, FamilyQuery<R> query, WallTime wall) {
    return query.answer(setup.family(query.family()), view(state, query.family(), wall));
  }

  /** What a family knows beyond its schedules. */
  public FamilyState family(QueueState state, FamilyKind family) {
    return known(state, setup.family(family));
  }

  private FamilyState known(QueueState state, Family family) {
    return view(state, family, state.clock().last()).state();
  }

  /**
   * When the next block has something to do, as far as it is known now.
   *
   * @param lastBlock when the last one was cut; zero if none was since the queue came into memory
   */
  public NextBlock nextBlock(QueueState state, ConsensusTime lastBlock) {
    return NextBlock.of(setup, state, lastBlock);
  }

  private QueueView view(QueueState state, Family family, ConsensusTime now) {
    return new QueueStep.View(setup, state, family, now);
  }

  /**
   * How long the queue's time stands still after the wall clock was set back; zero if it goes on.
   */
  public Duration standsStill(QueueState state, WallTime wall) {
    return state.clock().standsStill(wall, setup.maxAhead());
  }

  private String whyStill(QueueState state, ScheduleId id, WallTime wall) {
    var still = standsStill(state, wall);
    boolean waits =
        state.entries().schedule(id).isPresent() && !state.entries().removals().contains(id);
    return still.isZero() || !waits
        ? ""
        : " The node's clock was set back: the queue's stands still at "
            + state.clock().last().toInstant()
            + " for another "
            + still.toSeconds()
            + " s, until the node's has come to it.";
  }

  private String why(QueueState state, ScheduleId id, ConsensusTime now) {
    var schedule = state.entries().schedule(id);
    var execution = state.entries().execution(id);
    if (schedule.isEmpty() || state.entries().removals().contains(id)) {
      return goesOnAs(state, id)
          .map(as -> "It has run, and goes on as " + as + ".")
          .orElseGet(() -> Explanation.whyGone(state.history().lastOf(id)));
    } else if (execution.isPresent()) {
      return execution.get().state() == ExecutionState.DUE
          ? "An attempt failed; the next is at " + execution.get().startAt().toInstant() + "."
          : "It was started, and its outcome is awaited."
              + (schedule.get().isPaused() ? " " + whyPaused(schedule.get()) : "");
    } else if (schedule.get().isPaused()) {
      return whyPaused(schedule.get());
    }
    var family = setup.family(id.family());
    var view = view(state, family, now);
    return view.service() == Service.ACTIVE
        ? family.whyWaiting(view, schedule.get())
        : family.whyNotServed(view, schedule.get());
  }

  private static String whyPaused(Schedule schedule) {
    var pause = schedule.interventions().last(Intervention.Kind.PAUSE);
    return "It is paused, and nothing of it begins until its owner resumes it"
        + pause.map(done -> ". At " + done.at().toInstant() + ": " + done.sentence()).orElse(".");
  }

  /** As which a repetition waits or runs now, of which this is one of the ids. */
  public Optional<ScheduleId> goesOnAs(QueueState state, ScheduleId id) {
    return goesOnAs(setup, state, id);
  }

  static Optional<ScheduleId> goesOnAs(QueueSetup setup, QueueState state, ScheduleId id) {
    var known = state.families().get(id.family());
    if (known == null || !(setup.family(id.family()) instanceof Family.Repeating family)) {
      return Optional.empty();
    }
    var first = state.history().lastOf(id).flatMap(run -> family.first(run.proposal())).orElse(id);
    return family.present(known, first);
  }

  private static void onHandedOver(QueueStep step, HandedOver handed) {
    var execution = step.entries().execution(handed.key());
    if (execution.flatMap(of -> of.submitted(handed.transaction())).isPresent()) {
      step.record(new Submitted(handed.key(), handed.transaction()));
      var schedule = step.entries().require(handed.key());
      var owner = schedule.proposal().owner();
      step.publish(schedule, new Notice.Submitted(handed.key(), owner, handed.transaction()));
    }
  }

  /**
   * Started or submitted: whoever runs it may not have it, or may have forgotten whom to answer.
   */
  private static void onRecovered(QueueStep step) {
    for (var execution : step.entries().executions().values()) {
      if (execution.state() != ExecutionState.DUE) {
        step.effect(
            new HandOver(
                execution.key(),
                execution.request(),
                step.state().crossings().of(execution.key().schedule())));
      }
    }
  }

  /**
   * What is known of an occurrence's last attempt when it is settled.
   *
   * @param started whether there was one
   * @param price for each unit of gas
   * @param transaction as which the sequencer took it, if it did
   * @param attempts with those before it
   */
  private record LastAttempt(
      boolean started,
      long price,
      long gasUsed,
      Optional<TransactionId> transaction,
      List<Attempted> attempts) {
    /** Of what was never started. */
    static final LastAttempt NONE = new LastAttempt(false, 0, 0, Optional.empty(), List.of());

    /** Of what began and ended in one step. */
    static LastAttempt of(QueueEvent.Ran ran, ConsensusTime at) {
      return new LastAttempt(
          true,
          ran.price(),
          ran.conclusion().gasUsed(),
          Optional.empty(),
          List.of(new Attempted(at, ran.conclusion().note())));
    }

    static LastAttempt of(Execution execution) {
      long gasUsed = execution.conclusion().map(Conclusion::gasUsed).orElse(0L);
      return new LastAttempt(
          true, execution.price(), gasUsed, execution.transaction(), execution.attempts());
    }
  }
}

package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.QueueOverview.FamilyOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Answers questions from a state. */
record QueueReading(ScheduleQueue rules, QueueState state, WallTime now) {
  /** So that one call does not walk through a million schedules of others. */
  private static final int LOOKED_AT = 10_000;

  /** So many of one owner or label are not worth another way. */
  private static final int FEW = 1_000;

  QueueReply answer(QueueQuestion.OfState question) {
    return switch (question) {
      case QueueQuestion.Explain(var schedule) ->
          new QueueReply.Explained(rules.explain(state, schedule, now));
      case QueueQuestion.CountMoney() -> new QueueReply.Counted(rules.audit(state));
      case QueueQuestion.Overview() -> new QueueReply.Overviewed(overview());
      case QueueQuestion.Find(var schedule) -> new QueueReply.Found(find(schedule));
      case QueueQuestion.Page(var query) -> new QueueReply.Paged(page(query));
      case QueueQuestion.ByDue(var query) -> new QueueReply.Due(due(query));
      case QueueQuestion.Available(var account) ->
          new QueueReply.Balance(state.book().available(account));
      case QueueQuestion.FamilyKnows(var family) ->
          new QueueReply.Known(rules.family(state, family));
      case QueueQuestion.OfFamily(var query) -> new QueueReply.Said(rules.ask(state, query, now));
      case QueueQuestion.Outcomes(var query) ->
          new QueueReply.Happened(
              rules.outcomes(state, query.from(), query.limit(), query::matches));
      case QueueQuestion.Statement(var query) ->
          new QueueReply.Stated(
              rules.statement(
                  state,
                  query.account().orElseThrow(),
                  query.from(),
                  query.limit(),
                  query::matches));
      case QueueQuestion.Happened(var from, var limit) ->
          new QueueReply.Told(rules.happenings(state, from, limit));
      case QueueQuestion.Foresee(var family, var at) ->
          new QueueReply.Foreseen(rules.forecast(state, family, ConsensusTime.nearest(at), now));
      case QueueQuestion.Try(var command) ->
          new QueueReply.Tried(rules.tryOut(state, command, now));
      case QueueQuestion.Times(var schedule, var atMost) ->
          new QueueReply.Runs(rules.times(state, schedule, atMost));
      case QueueQuestion.Comes(var query) ->
          new QueueReply.Planned(
              rules.calendar(
                  state,
                  ConsensusTime.nearest(query.from()),
                  ConsensusTime.nearest(query.until()),
                  query.limit(),
                  state.entries().lists().list(query.owner(), query.label(), ScheduleId.FIRST),
                  query::matches));
    };
  }

  /** Of a repetition that has gone on, the run that waits now. */
  private KnownSchedule find(ScheduleId id) {
    return new KnownSchedule(
        state
            .entries()
            .schedule(id)
            .or(() -> rules.goesOnAs(state, id).flatMap(state.entries()::schedule))
            .map(this::view),
        state.history().lastOf(id));
  }

  private QueueOverview overview() {
    var families =
        rules.setup().families().stream()
            .map(
                family ->
                    new FamilyOverview(
                        family.kind(),
                        state.service(family.kind()),
                        rules.waiting(state, family.kind(), now, LOOKED_AT)))
            .toList();
    return new QueueOverview(
        state.clock().last(),
        state.admissions(),
        state.entries().schedules().size(),
        state.entries().executing(),
        families,
        rules.nextBlock(state, ConsensusTime.ZERO).firstDue(),
        List.of());
  }

  private ScheduleView view(Schedule schedule) {
    boolean ended =
        state.entries().isEnded(schedule.id()) || rules.hasExpired(state, schedule, now);
    return new ScheduleView(schedule, state.entries().execution(schedule.id()), ended);
  }

  private SchedulePage page(ScheduleQuery query) {
    var found = new ArrayList<ScheduleView>();
    int looks = looks(query);
    int seen = 0;
    ScheduleId last = null;
    for (var each = following(query); each.hasNext(); ) {
      var schedule = each.next();
      if (query.family().filter(of -> schedule.family().compareTo(of) > 0).isPresent()) {
        break;
      } else if (query.after().filter(schedule.id()::equals).isPresent()) {
        continue;
      }
      if (found.size() == query.limit() || seen == looks) {
        return new SchedulePage(found, Optional.of(last), seen);
      }
      seen++;
      last = schedule.id();
      var view = view(schedule);
      if (query.matches(view, rules.setup())) {
        found.add(view);
      }
    }
    return new SchedulePage(found, Optional.empty(), seen);
  }

  private DuePage due(DueQuery query) {
    var which = query.which();
    return DuePage.of(
        rules.due(
            state,
            query.listing(schedule -> which.matches(view(schedule), rules.setup())),
            which.limit(),
            looks(which)),
        this::view);
  }

  private static int looks(ScheduleQuery query) {
    return Math.min(LOOKED_AT, Math.max(1, query.looks().orElse(LOOKED_AT)));
  }

  /** Ascending by id, from where the query goes on: all, or a list that has them. */
  private Iterator<Schedule> following(ScheduleQuery query) {
    var schedules = state.entries().schedules();
    var from = beginning(query);
    return few(query, from)
        .map(List::stream)
        .or(() -> state.entries().lists().list(query.owner(), query.label(), from))
        .map(ids -> ids.map(schedules::get).iterator())
        .orElseGet(() -> mapped(schedules.from(from), Map.Entry::getValue));
  }

  /**
   * Where a state or a time is asked for, those that stand there, if they are few; and if the owner
   * or the label has fewer yet, these.
   */
  private Optional<List<ScheduleId>> few(ScheduleQuery query, ScheduleId from) {
    return query.namesPlace()
        ? state
            .entries()
            .lists()
            .list(query.owner(), query.label(), from)
            .map(ids -> ids.limit(FEW + 1L).toList())
            .filter(ids -> ids.size() <= FEW)
            .or(() -> standing(query).map(ids -> from(ids, from)))
        : Optional.empty();
  }

  private static List<ScheduleId> from(List<ScheduleId> sorted, ScheduleId first) {
    int place = Collections.binarySearch(sorted, first);
    return sorted.subList(place < 0 ? -place - 1 : place, sorted.size());
  }

  private Optional<List<ScheduleId>> standing(ScheduleQuery query) {
    var standing = rules.standing(state, query.family(), LOOKED_AT, now);
    return switch (query.state().orElse(ScheduleState.WAITING)) {
      case WAITING ->
          query.dueSince().isEmpty() && query.dueUntil().isEmpty()
              ? Optional.empty()
              : standing.due(
                  query.dueSince().map(ConsensusTime::nearest),
                  query.dueUntil().map(ConsensusTime::nearest));
      case PARKED -> standing.parked();
      case DUE, STARTED, SUBMITTED, SUCCEEDED, FAILED -> standing.executing();
      case SETTLED -> standing.ended();
    };
  }

  /** Those of one family stand together. */
  private static ScheduleId beginning(ScheduleQuery query) {
    var first = ScheduleId.never(query.family().orElse(FamilyKind.values()[0]));
    return query.after().filter(after -> after.compareTo(first) > 0).orElse(first);
  }

  private static <A, B> Iterator<B> mapped(Iterable<A> all, Function<A, B> to) {
    var from = all.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return from.hasNext();
      }

      @Override
      public B next() {
        return to.apply(from.next());
      }
    };
  }
}

package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.WallTime;
import dev.sequitur.protocol.schedule.family.Schedule;
import dev.sequitur.protocol.schedule.queue.QueueState;
import dev.sequitur.protocol.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.QueueOverview.FamilyOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleView;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** Answers questions from a state. */
record QueueReading(ScheduleQueue rules, QueueState state, WallTime now) {
  /** So that one call does not walk through a million schedules of others. */
  private static final int LOOKED_AT = 20_000;

  QueueReply answer(QueueQuestion question) {
    if (question instanceof QueueQuestion.Explain explain) {
      return new QueueReply.Explained(rules.explain(state, explain.schedule(), now));
    } else if (question instanceof QueueQuestion.CountMoney) {
      return new QueueReply.Counted(rules.audit(state));
    } else if (question instanceof QueueQuestion.Overview) {
      return new QueueReply.Overviewed(overview());
    } else if (question instanceof QueueQuestion.Find find) {
      var view = state.entries().schedule(find.schedule()).map(this::view);
      var lastOutcome = state.history().lastOf(find.schedule());
      return new QueueReply.Found(new KnownSchedule(view, lastOutcome));
    } else if (question instanceof QueueQuestion.Page page) {
      return new QueueReply.Paged(page(page.query()));
    } else if (question instanceof QueueQuestion.Available available) {
      return new QueueReply.Balance(state.book().available(available.account()));
    } else if (question instanceof QueueQuestion.FamilyKnows family) {
      return new QueueReply.Known(rules.family(state, family.family()));
    } else if (question instanceof QueueQuestion.OfFamily ofFamily) {
      return new QueueReply.Said(rules.ask(state, ofFamily.query(), now));
    } else if (question instanceof QueueQuestion.Outcomes outcomes) {
      return new QueueReply.Happened(rules.outcomes(state, outcomes.from(), outcomes.atMost()));
    } else if (question instanceof QueueQuestion.Foresee foresee) {
      var at = ConsensusTime.nearest(foresee.at());
      return new QueueReply.Foreseen(rules.forecast(state, foresee.family(), at, now));
    }
    // Remembered commands are no part of the state.
    throw new IllegalStateException("Unknown question: " + question);
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
        families);
  }

  private ScheduleView view(Schedule schedule) {
    boolean ended =
        state.entries().isEnded(schedule.id()) || rules.hasExpired(state, schedule, now);
    return new ScheduleView(schedule, state.entries().execution(schedule.id()), ended);
  }

  private SchedulePage page(ScheduleQuery query) {
    var found = new ArrayList<ScheduleView>();
    int seen = 0;
    ScheduleId last = null;
    for (var entry : following(query.after())) {
      if (found.size() == query.limit() || seen == LOOKED_AT) {
        return new SchedulePage(found, Optional.of(last));
      }
      seen++;
      last = entry.getKey();
      var view = view(entry.getValue());
      if (query.matches(view)) {
        found.add(view);
      }
    }
    return new SchedulePage(found, Optional.empty());
  }

  private Iterable<Map.Entry<ScheduleId, Schedule>> following(Optional<ScheduleId> after) {
    var schedules = state.entries().schedules();
    if (after.isEmpty()) {
      return schedules.entrySet();
    }
    var from = schedules.from(after.get()).iterator();
    if (schedules.containsKey(after.get())) {
      from.next();
    }
    return () -> from;
  }
}

package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.family.Agenda;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.CancelledTxnCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One block: removals, expiries, attempts that are to be repeated, then each family in its order
 * (SCH-5). A block that finds nothing to do stores nothing.
 */
final class BlockStep {
  /** Of attempts that are repeated in one block. */
  private static final int RETRIES_PER_BLOCK = 100;

  private final QueueStep step;
  private final OneByOne schedules;

  BlockStep(QueueStep step) {
    this.step = step;
    this.schedules = new OneByOne(step);
  }

  /**
   * What time alone has brought about is done before a command sees the queue (MSIG-15), for the
   * families that want it so; no more of it than one block would do.
   */
  void tidy() {
    for (var family : step.setup.families()) {
      if (family instanceof Family.Expiring
          && step.state().service(family.kind()) == Service.ACTIVE) {
        serve(family, expire(family));
      }
    }
  }

  void run() {
    remove();
    Map<FamilyKind, List<Schedule>> late = new EnumMap<>(FamilyKind.class);
    for (var family : step.setup.families()) {
      var service = step.state().service(family.kind());
      if (service == Service.ACTIVE) {
        late.put(family.kind(), expire(family));
      } else if (service == Service.SHUTTING_DOWN) {
        shutDown(family);
      }
    }
    retry();
    for (var family : step.setup.families()) {
      if (step.state().service(family.kind()) == Service.ACTIVE) {
        serve(family, late.getOrDefault(family.kind(), List.of()));
      }
    }
  }

  /** The prologue: what earlier blocks have run leaves the queue. */
  private void remove() {
    var removals = step.entries().removals();
    if (!removals.isEmpty()) {
      step.record(new QueueEvent.Removed(removals.size()));
    }
  }

  /** Ends what waited too long; gives back those that are to be run although they are late. */
  private List<Schedule> expire(Family family) {
    var agenda = family.agenda(step.view(family));
    var late = new ArrayList<Schedule>();
    for (var id : range(family, DueKey.from(0), agenda.readyFrom(), agenda.overdueLimit())) {
      if (isToWait(family, id, late)) {
        break;
      }
    }
    return late;
  }

  /**
   * Does with one what its family says.
   *
   * @param toRun what is to be run is added to it
   * @return whether it waits, as then all after it do
   */
  private boolean isToWait(Family family, ScheduleId id, List<Schedule> toRun) {
    var schedule = step.entries().schedules().get(id);
    var verdict =
        schedules.judge(
            id,
            () -> {
              var found = family.onDue(step.view(family), schedule);
              if (found == Verdict.PARK) {
                new Deferring(step).park(schedule, ParkedFor.OVERDUE);
              } else if (found == Verdict.EXPIRE || found == Verdict.MISS) {
                end(schedule, found);
              }
              return found;
            });
    if (verdict == Verdict.FIRE) {
      toRun.add(schedule);
    }
    return verdict == Verdict.WAIT;
  }

  private void serve(Family family, List<Schedule> late) {
    var agenda = family.agenda(step.view(family));
    var selected = select(family, late, agenda);
    start(family, selected);
    catchUp(family, selected, agenda);
    var firstLeft =
        step.entries().due().first(family.kind()).map(id -> step.entries().schedules().get(id));
    family
        .onBlockEnd(step.view(family), firstLeft)
        .ifPresent(event -> step.record(new QueueEvent.FamilyChanged(family.kind(), event)));
  }

  private void start(Family family, List<Schedule> selected) {
    var prices = family.price(step.view(family), selected);
    var executing = new Executing(step);
    for (int i = 0; i < selected.size(); i++) {
      var schedule = selected.get(i);
      long price = prices.get(i);
      schedules.stamped(schedule.id(), () -> executing.start(schedule, price));
    }
  }

  /**
   * What has run and whose next time is late as well runs again, one time of each in a round, while
   * the block has room: each round is as long as the one before or shorter.
   */
  private void catchUp(Family family, List<Schedule> ran, Agenda agenda) {
    int room = agenda.readyLimit() - ran.size();
    var round = ran;
    while (room > 0 && !round.isEmpty()) {
      round = lateAgain(family, round, agenda.readyFrom(), room);
      start(family, round);
      room -= round.size();
    }
  }

  private List<Schedule> lateAgain(
      Family family, List<Schedule> ran, DueKey readyFrom, int atMost) {
    var late =
        ran.stream()
            .map(Schedule::id)
            .filter(id -> !step.entries().isStarted(id))
            .flatMap(id -> step.entries().schedule(id).stream())
            .filter(schedule -> schedule.due().compareTo(readyFrom) < 0)
            .sorted(Comparator.comparing(Schedule::due))
            .limit(atMost)
            .toList();
    var toRun = new ArrayList<Schedule>();
    for (var schedule : late) {
      if (isToWait(family, schedule.id(), toRun)) {
        break;
      }
    }
    return toRun;
  }

  private List<Schedule> select(Family family, List<Schedule> late, Agenda agenda) {
    var selected = new ArrayList<Schedule>();
    if (!family.servesOverdueLast()) {
      add(selected, late, agenda.readyLimit());
    }
    // Those that turn out not to be ready are to be no reason to leave out ready ones.
    int looks = agenda.readyLimit() + agenda.overdueLimit();
    for (var id : range(family, agenda.readyFrom(), agenda.end(), looks)) {
      if (selected.size() == agenda.readyLimit()) {
        break;
      }
      if (isToWait(family, id, selected)) {
        break;
      }
    }
    if (family.servesOverdueLast()) {
      add(selected, late, agenda.readyLimit());
    }
    return selected;
  }

  /** As many as there is room for; the rest stays overdue. */
  private static void add(List<Schedule> selected, List<Schedule> late, int limit) {
    selected.addAll(late.subList(0, Math.min(late.size(), limit - selected.size())));
  }

  private void end(Schedule schedule, Verdict verdict) {
    var outcome = verdict == Verdict.EXPIRE ? Outcome.EXPIRED : Outcome.MISSED;
    new Settling(step).end(schedule, new OccurrenceEnding.NotRun(outcome), "Its time had passed.");
  }

  /** So many in each block; what was started is awaited, and is not tried again. */
  private void shutDown(Family family) {
    var kind = family.kind();
    var end = DueKey.from(Long.MAX_VALUE);
    int batch = step.setup.shutdownBatch();
    var settling = new Settling(step);
    var waiting = range(family, DueKey.from(0), end, batch);
    for (var id : waiting) {
      var schedule = step.entries().schedules().get(id);
      schedules.each(id, () -> settling.callOff(schedule, "Shut down.", CancelledTxnCode.SHUTDOWN));
    }
    var executing = new Executing(step);
    var retries = step.entries().retries();
    for (var id : retries.range(kind, DueKey.from(0), end, batch - waiting.size())) {
      schedules.stamped(id, () -> executing.shutDown(step.entries().executions().get(id)));
    }
    if (step.entries().nothingWaits(kind) && !step.entries().isExecuting(kind)) {
      new Serving(step).serve(kind, Service.SHUT_DOWN);
    }
  }

  /** While its family is paused, or being shut down, nothing is tried again. */
  private void retry() {
    var retries = step.entries().retries();
    var active = new ArrayList<FamilyKind>();
    for (var family : retries.families()) {
      if (step.state().service(family) == Service.ACTIVE) {
        active.add(family);
      }
    }
    var now = DueKey.from(step.now().nanos() + 1);
    var due = retries.earliest(active, now, RETRIES_PER_BLOCK);
    var executing = new Executing(step);
    due.forEach(
        id -> schedules.stamped(id, () -> executing.restart(step.entries().executions().get(id))));
  }

  private List<ScheduleId> range(Family family, DueKey from, DueKey end, int limit) {
    return step.entries().due().range(family.kind(), from, end, limit);
  }
}

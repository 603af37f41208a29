package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.CalendarPage.Planned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is to run from a time on, as things stand now: each time of each schedule, in their order.
 * It goes through the due order only as far as it tells, and takes the later times of what runs
 * again as they come. A short list that has all that are wanted it takes as a whole, in the place
 * of the due order. Confined to one answer.
 */
final class Calendar {
  /** So that one question does not walk through a million schedules of others. */
  static final int LOOKED_AT = 10_000;

  private final QueueSetup setup;
  private final QueueState state;
  private final ConsensusTime from;
  private final ConsensusTime until;
  private final Optional<List<ScheduleId>> list;
  private final Predicate<Schedule> wanted;
  private final PriorityQueue<Coming> coming =
      new PriorityQueue<>(
          Comparator.comparing(Coming::at)
              .thenComparing(each -> each.schedule.family())
              .thenComparing(each -> each.schedule.due()));
  private final List<Waiting> waiting = new ArrayList<>();
  private int left;

  /** How many times before the beginning may still be passed over. */
  private int passed;

  private boolean partial;

  /**
   * @param from inclusive
   * @param until exclusive
   * @param looks at how many schedules and times it is looked, wanted or not
   * @param list has all that are wanted, if there is one; counts if half of the looks are enough
   */
  Calendar(
      QueueSetup setup,
      QueueState state,
      ConsensusTime from,
      ConsensusTime until,
      int looks,
      Optional<Stream<ScheduleId>> list,
      Predicate<Schedule> wanted) {
    this.setup = setup;
    this.state = state;
    this.from = from;
    this.until = until;
    this.list =
        list.map(ids -> ids.limit(looks / 2 + 1L).toList()).filter(ids -> ids.size() <= looks / 2);
    this.wanted = wanted;
    this.left = looks;
    this.passed = looks;
  }

  /** A page ends between two times, unless one of them has more than it takes. */
  CalendarPage page(int atMost) {
    begin();
    var found = new ArrayList<Planned>();
    while (true) {
      pull();
      var next = next();
      if (next.isEmpty()) {
        return new CalendarPage(found, next, partial);
      } else if (found.size() == atMost || left <= 0) {
        return ended(found, next.get());
      }
      var first = coming.remove();
      left--;
      found.add(new Planned(first.at, first.schedule));
      first.goOn();
    }
  }

  private CalendarPage ended(List<Planned> found, ConsensusTime next) {
    var whole = found.stream().filter(each -> each.at().isBefore(next)).toList();
    return next.compareTo(from) <= 0 || (whole.isEmpty() && !found.isEmpty())
        ? new CalendarPage(found, Optional.of(next.nextNano()), true)
        : new CalendarPage(whole, Optional.of(next), partial);
  }

  /** The earliest time before the end that was not told yet. */
  private Optional<ConsensusTime> next() {
    return Stream.concat(
            earliest().map(each -> each.at).stream(),
            Stream.ofNullable(coming.peek()).map(Coming::at))
        .min(Comparator.naturalOrder());
  }

  private Optional<Waiting> earliest() {
    return waiting.stream().filter(Waiting::isBeforeEnd).min(Comparator.comparing(each -> each.at));
  }

  private void begin() {
    if (list.isPresent()) {
      left -= list.get().size();
      list.get().stream()
          .filter(id -> setup.serves(id.family()) && !state.entries().isEnded(id))
          .forEach(id -> take(setup.family(id.family()), id));
      return;
    }
    for (var family : setup.families()) {
      var first = Standing.firstAt(family, from.nanos());
      var before = state.entries().due().each(family.kind(), DueKey.from(0)).iterator();
      int most = left / 2 / setup.families().size();
      while (before.hasNext()) {
        var entry = before.next();
        if (entry.getKey().compareTo(first) >= 0) {
          break;
        } else if (most-- == 0) {
          partial = true;
          break;
        }
        left--;
        take(family, entry.getValue());
      }
      waiting.add(new Waiting(family, state.entries().due().each(family.kind(), first).iterator()));
    }
    for (var executing : state.entries().executions().keySet()) {
      if (left <= 0) {
        partial = true;
        break;
      }
      left--;
      take(setup.family(executing.family()), executing);
    }
  }

  /** All that stands in the due order up to what comes next. */
  private void pull() {
    var first = earliest();
    while (first.isPresent()
        && left > 0
        && (coming.isEmpty() || first.get().at.compareTo(coming.peek().at) <= 0)) {
      left--;
      take(first.get().family, first.get().next());
      first = earliest();
    }
  }

  private void take(Family family, ScheduleId id) {
    var schedule = state.entries().schedules().get(id);
    if (schedule.due().isParked() || !wanted.test(schedule)) {
      return;
    }
    var view = new QueueStep.View(setup, state, family, state.clock().last());
    var times = family.coming(view, schedule);
    if (state.entries().isStarted(id) && times.hasNext()) {
      // The present one runs already.
      times.next();
    }
    var first = new Coming(schedule, times);
    first.goOn();
  }

  /** A schedule that has a time to come. */
  private final class Coming {
    private final Schedule schedule;
    private final Iterator<ConsensusTime> times;
    private ConsensusTime at;

    Coming(Schedule schedule, Iterator<ConsensusTime> times) {
      this.schedule = schedule;
      this.times = times;
    }

    ConsensusTime at() {
      return at;
    }

    /** To its next time, if it has one before the end. */
    void goOn() {
      while (times.hasNext() && passed > 0) {
        at = times.next();
        if (at.compareTo(from) >= 0) {
          if (at.compareTo(until) < 0) {
            coming.add(this);
          }
          return;
        }
        passed--;
      }
      partial |= times.hasNext();
    }
  }

  /** What is left of the due order of a family. */
  private final class Waiting {
    private final Family family;
    private final Iterator<Map.Entry<DueKey, ScheduleId>> rest;
    private ScheduleId id;
    private ConsensusTime at;

    Waiting(Family family, Iterator<Map.Entry<DueKey, ScheduleId>> rest) {
      this.family = family;
      this.rest = rest;
      goOn();
    }

    private void goOn() {
      id = null;
      if (rest.hasNext()) {
        var entry = rest.next();
        if (!entry.getKey().isParked()) {
          id = entry.getValue();
          at = new ConsensusTime(family.dueNanos(entry.getKey()));
        }
      }
    }

    boolean isBeforeEnd() {
      return id != null && at.compareTo(until) < 0;
    }

    ScheduleId next() {
      var next = id;
      goOn();
      return next;
    }
  }
}

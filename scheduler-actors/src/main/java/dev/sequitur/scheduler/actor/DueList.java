package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DuePage.Placed;
import dev.sequitur.scheduler.DuePlace;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * A page of schedules in the order in which they are due: what waits as the due order has it, from
 * where the page before ended; what runs, which has left that order, by the time that it has come
 * for; and what is parked at the end. If those of an owner or a label are few, these are sorted
 * instead. Confined to one answer.
 */
final class DueList {
  private static final Set<ScheduleState> WAITING =
      EnumSet.of(ScheduleState.WAITING, ScheduleState.PARKED);
  private static final Set<ScheduleState> RUNNING =
      EnumSet.complementOf(
          EnumSet.of(ScheduleState.WAITING, ScheduleState.PARKED, ScheduleState.SETTLED));

  private final ScheduleQueue rules;
  private final QueueSetup setup;
  private final QueueState state;
  private final Function<Schedule, ScheduleView> views;
  private final DueQuery query;
  private final int looks;
  private int looked;

  /**
   * @param looks at how many that wait it looks, wanted or not
   * @param views of a schedule
   */
  DueList(
      ScheduleQueue rules,
      QueueState state,
      int looks,
      DueQuery query,
      Function<Schedule, ScheduleView> views) {
    this.rules = rules;
    this.setup = rules.setup();
    this.state = state;
    this.looks = looks;
    this.query = query;
    this.views = views;
  }

  DuePage page() {
    var ordered = few().map(List::iterator).orElseGet(this::all);
    var found = new ArrayList<Placed>();
    DuePlace last = null;
    for (int left = looks; ordered.hasNext(); left--) {
      if (found.size() == query.which().limit() || left == 0) {
        return new DuePage(found, Optional.of(last), looked);
      }
      var next = ordered.next();
      looked++;
      last = next.place;
      var view = views.apply(next.schedule());
      if (query.which().matches(view, setup)) {
        found.add(new Placed(last, view));
      }
    }
    return new DuePage(found, Optional.empty(), looked);
  }

  /** One in the order. */
  private final class Due {
    private final DuePlace place;

    Due(DuePlace place) {
      this.place = place;
    }

    DuePlace place() {
      return place;
    }

    Schedule schedule() {
      return state.entries().schedules().get(place.id());
    }
  }

  private Due due(ScheduleId id) {
    return new Due(DuePlace.of(state.entries().schedules().get(id), setup));
  }

  private boolean isToCome(Due due) {
    return query.after().map(after -> due.place.compareTo(after) > 0).orElse(true);
  }

  /** Those of an owner or a label that can be looked at as a whole. */
  private Optional<List<Due>> few() {
    return state
        .entries()
        .lists()
        .list(query.which().owner(), query.which().label(), ScheduleId.FIRST)
        .map(ids -> ids.limit(looks + 1L).toList())
        .filter(ids -> ids.size() <= looks)
        .map(
            ids ->
                ids.stream()
                    .filter(id -> !state.entries().isEnded(id))
                    .map(this::due)
                    .filter(this::isToCome)
                    .sorted(Comparator.comparing(Due::place))
                    .toList());
  }

  private Iterator<Due> all() {
    var parts = new ArrayList<Iterator<Due>>();
    setup.families().stream()
        .map(Family::kind)
        .filter(kind -> query.which().family().map(kind::equals).orElse(true))
        .map(this::waiting)
        .forEach(parts::add);
    if (!of(WAITING)) {
      parts.add(running());
    }
    return new Merged(parts);
  }

  /** Of one family, from where the page begins; what stands at one time stands by family. */
  private Iterator<Due> waiting(FamilyKind kind) {
    var after = query.after().filter(place -> place.family() == kind).map(DuePlace::key);
    var from = query.after().map(place -> from(place, kind)).or(this::beginning);
    // Nothing comes behind the last of all times.
    boolean isOver = after.isEmpty() && from.filter(nanos -> nanos < 0).isPresent();
    return isOver || of(RUNNING)
        ? Collections.emptyIterator()
        : StreamSupport.stream(rules.waiting(state, kind, after, from).spliterator(), false)
            .map(entry -> new Due(DuePlace.of(entry.getValue(), entry.getKey(), setup)))
            .dropWhile(due -> !isToCome(due))
            .takeWhile(this::isBeforeEnd)
            .filter(due -> state.entries().execution(due.place.id()).isEmpty())
            .iterator();
  }

  private static long from(DuePlace place, FamilyKind kind) {
    return place.family().compareTo(kind) > 0 ? place.nanos() + 1 : place.nanos();
  }

  private Optional<Long> beginning() {
    return of(EnumSet.of(ScheduleState.PARKED))
        ? Optional.of(Long.MAX_VALUE)
        : query.which().dueSince().map(since -> ConsensusTime.nearest(since).nanos());
  }

  private boolean of(Set<ScheduleState> some) {
    return query.which().state().filter(some::contains).isPresent();
  }

  /** What is parked is due at no time. */
  private boolean isBeforeEnd(Due due) {
    return query
        .which()
        .dueUntil()
        .map(end -> due.place.nanos() < ConsensusTime.nearest(end).nanos())
        .orElse(true);
  }

  /** No more of them than a page takes, and one that shows that it is not the last. */
  private Iterator<Due> running() {
    var first = new TreeMap<DuePlace, Due>();
    int most = query.which().limit() + 1;
    for (var id : state.entries().executions().keySet()) {
      looked++;
      var due = due(id);
      if (isToCome(due) && query.which().matches(views.apply(due.schedule()), setup)) {
        first.put(due.place, due);
        if (first.size() > most) {
          first.pollLastEntry();
        }
      }
    }
    return first.values().iterator();
  }

  /** All of some orders as one. */
  private static final class Merged implements Iterator<Due> {
    private final PriorityQueue<Part> parts =
        new PriorityQueue<>(Comparator.comparing(part -> part.next.place));

    private static final class Part {
      private final Iterator<Due> rest;
      private Due next;

      Part(Iterator<Due> rest) {
        this.rest = rest;
        this.next = rest.next();
      }
    }

    Merged(List<Iterator<Due>> orders) {
      orders.stream().filter(Iterator::hasNext).map(Part::new).forEach(parts::add);
    }

    @Override
    public boolean hasNext() {
      return !parts.isEmpty();
    }

    @Override
    public Due next() {
      var first = parts.remove();
      var due = first.next;
      if (first.rest.hasNext()) {
        first.next = first.rest.next();
        parts.add(first);
      }
      return due;
    }
  }
}

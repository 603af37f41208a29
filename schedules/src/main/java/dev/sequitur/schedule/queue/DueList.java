package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * Schedules in the order in which they are due: what waits as the due order has it, from where the
 * page before ended; what runs, which has left that order, by the time that it has come for; and
 * what is parked at the end. If those of an owner or a label are few, these are sorted instead.
 * Confined to one answer.
 */
public final class DueList {
  private final ScheduleQueue rules;
  private final QueueState state;
  private final Which which;
  private int looked;

  /**
   * What is looked for; whatever is told of it beside, {@link #wanted} alone decides.
   *
   * @param family only of this one
   * @param owner only of this one
   * @param label only those that have it
   * @param since only those that are due then or later
   * @param until only those that are due before
   * @param where which of what waits and runs may be among them
   * @param wanted which
   * @param after where the page before ended
   */
  public record Which(
      Optional<FamilyKind> family,
      Optional<AccountId> owner,
      Optional<String> label,
      Optional<ConsensusTime> since,
      Optional<ConsensusTime> until,
      Where where,
      Predicate<Schedule> wanted,
      Optional<DuePlace> after) {}

  /** Where schedules may be that are wanted. */
  public enum Where {
    /** Anywhere. */
    ALL,
    /** In the due order. */
    WAITING,
    /** At its end. */
    PARKED,
    /** Between Due and Settled. */
    RUNNING
  }

  /** A schedule and where it stands. */
  public record Placed(DuePlace place, Schedule schedule) {}

  /**
   * A page of them.
   *
   * @param next what to ask for after; empty on the last page. A page may be short, or empty, and
   *     still not be the last, since it is looked at only so many
   * @param looked at how many schedules it was looked for these, wanted or not
   */
  public record Page(List<Placed> schedules, Optional<DuePlace> next, int looked) {
    public Page {
      schedules = List.copyOf(schedules);
    }
  }

  DueList(ScheduleQueue rules, QueueState state, Which which) {
    this.rules = rules;
    this.state = state;
    this.which = which;
  }

  /**
   * @param limit how many it has at most
   * @param looks at how many that wait it looks, wanted or not
   */
  Page page(int limit, int looks) {
    var ordered = few(looks).map(List::iterator).orElseGet(() -> all(limit));
    var found = new ArrayList<Placed>();
    DuePlace last = null;
    for (int left = looks; ordered.hasNext(); left--) {
      if (found.size() == limit || left == 0) {
        return new Page(found, Optional.of(last), looked);
      }
      last = ordered.next();
      looked++;
      var schedule = schedule(last);
      if (which.wanted.test(schedule)) {
        found.add(new Placed(last, schedule));
      }
    }
    return new Page(found, Optional.empty(), looked);
  }

  private Schedule schedule(DuePlace place) {
    return state.entries().schedules().get(place.id());
  }

  private DuePlace place(ScheduleId id) {
    return DuePlace.of(state.entries().schedules().get(id), rules.setup());
  }

  private boolean isToCome(DuePlace place) {
    return which.after.map(after -> place.compareTo(after) > 0).orElse(true);
  }

  /** Those of an owner or a label that can be looked at as a whole. */
  private Optional<List<DuePlace>> few(int looks) {
    return state
        .entries()
        .lists()
        .list(which.owner, which.label, ScheduleId.FIRST)
        .map(ids -> ids.limit(looks + 1L).toList())
        .filter(ids -> ids.size() <= looks)
        .map(
            ids ->
                ids.stream()
                    .filter(id -> !state.entries().isEnded(id))
                    .map(this::place)
                    .filter(this::isToCome)
                    .sorted()
                    .toList());
  }

  private Iterator<DuePlace> all(int limit) {
    var parts = new ArrayList<Iterator<DuePlace>>();
    if (which.where != Where.RUNNING) {
      rules.setup().families().stream()
          .map(Family::kind)
          .filter(kind -> which.family.map(kind::equals).orElse(true))
          .map(this::waiting)
          .forEach(parts::add);
    }
    if (which.where == Where.ALL || which.where == Where.RUNNING) {
      parts.add(running(limit));
    }
    return new SortedParts<>(parts, Comparator.naturalOrder());
  }

  /** Of one family, from where the page begins; what stands at one time stands by family. */
  private Iterator<DuePlace> waiting(FamilyKind kind) {
    var key = which.after.filter(place -> place.family() == kind).map(DuePlace::key);
    var from = which.after.map(place -> from(place, kind)).or(this::beginning);
    // Nothing comes behind the last of all times.
    boolean isOver = key.isEmpty() && from.filter(nanos -> nanos < 0).isPresent();
    return isOver
        ? Collections.emptyIterator()
        : StreamSupport.stream(rules.waiting(state, kind, key, from).spliterator(), false)
            .map(entry -> DuePlace.of(entry.getValue(), entry.getKey(), rules.setup()))
            .dropWhile(place -> !isToCome(place))
            .takeWhile(this::isBeforeEnd)
            .filter(place -> state.entries().execution(place.id()).isEmpty())
            .iterator();
  }

  private static long from(DuePlace place, FamilyKind kind) {
    return place.family().compareTo(kind) > 0 ? place.nanos() + 1 : place.nanos();
  }

  private Optional<Long> beginning() {
    return which.where == Where.PARKED
        ? Optional.of(Long.MAX_VALUE)
        : which.since.map(ConsensusTime::nanos);
  }

  /** What is parked is due at no time. */
  private boolean isBeforeEnd(DuePlace place) {
    return which.until.map(end -> place.nanos() < end.nanos()).orElse(true);
  }

  /** No more of them than a page takes, and one that shows that it is not the last. */
  private Iterator<DuePlace> running(int limit) {
    var first = new TreeMap<DuePlace, DuePlace>();
    for (var id : state.entries().executions().keySet()) {
      looked++;
      var place = place(id);
      if (isToCome(place) && which.wanted.test(schedule(place))) {
        first.put(place, place);
        if (first.size() > limit + 1) {
          first.pollLastEntry();
        }
      }
    }
    return first.values().iterator();
  }
}

package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.paged.PagedMapBuilder;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.pcollections.TreePMap;

/**
 * The schedules by what lists of them are asked by: their owner and their labels. It follows from
 * the schedules.
 *
 * @param owned by a hash of the owner, so that all comparisons are short; each with its id
 * @param labelled by label, each id with itself; it takes nothing of those that have none
 */
public record ScheduleLists(
    PagedMap<Owned, ScheduleId> owned,
    TreePMap<String, PagedMap<ScheduleId, ScheduleId>> labelled) {
  public static final ScheduleLists EMPTY = new ScheduleLists(PagedMap.empty(), TreePMap.empty());

  /** A list of a label that is no longer is gone through rather than its owner's. */
  private static final int SHORT = 10_000;

  /** Where a schedule stands among those of its owner; some other owner may have the same hash. */
  public record Owned(int owner, ScheduleId id) implements Comparable<Owned> {
    private static Owned of(AccountId owner, ScheduleId id) {
      return new Owned(owner.value().hashCode(), id);
    }

    private static Owned of(Schedule schedule) {
      return of(schedule.proposal().owner(), schedule.id());
    }

    @Override
    public int compareTo(Owned other) {
      int order = Integer.compare(owner, other.owner);
      return order == 0 ? id.compareTo(other.id) : order;
    }
  }

  /**
   * @param schedules ascending by id
   */
  static ScheduleLists of(Collection<Schedule> schedules) {
    var keys = new ArrayList<Owned>(schedules.size());
    var labels = EMPTY.labelled;
    for (var schedule : schedules) {
      keys.add(Owned.of(schedule));
      labels = with(labels, schedule);
    }
    // Sorting keeps the order of ids.
    keys.sort(Comparator.comparingInt(Owned::owner));
    var owned = new PagedMapBuilder<Owned, ScheduleId>();
    keys.forEach(key -> owned.add(key, key.id));
    return new ScheduleLists(owned.finish(), labels);
  }

  ScheduleLists plus(Schedule schedule) {
    return new ScheduleLists(
        owned.plus(Owned.of(schedule), schedule.id()), with(labelled, schedule));
  }

  ScheduleLists minus(Collection<Schedule> gone) {
    var keys = new TreeSet<Owned>();
    var labels = labelled;
    for (var schedule : gone) {
      keys.add(Owned.of(schedule));
      labels = without(labels, schedule);
    }
    return new ScheduleLists(owned.minusAll(keys), labels);
  }

  private static TreePMap<String, PagedMap<ScheduleId, ScheduleId>> with(
      TreePMap<String, PagedMap<ScheduleId, ScheduleId>> labelled, Schedule schedule) {
    var next = labelled;
    for (var label : labels(schedule)) {
      var of = next.getOrDefault(label, PagedMap.empty());
      next = next.plus(label, of.plus(schedule.id(), schedule.id()));
    }
    return next;
  }

  private static TreePMap<String, PagedMap<ScheduleId, ScheduleId>> without(
      TreePMap<String, PagedMap<ScheduleId, ScheduleId>> labelled, Schedule schedule) {
    var next = labelled;
    for (var label : labels(schedule)) {
      var rest = next.getOrDefault(label, PagedMap.empty()).minus(schedule.id());
      next = rest.isEmpty() ? next.minus(label) : next.plus(label, rest);
    }
    return next;
  }

  /**
   * Ascending, all that are of an owner and have a label, and no more others beside them than the
   * rest of the list has; empty if neither is asked for.
   *
   * @param from the first id that is of interest
   */
  public Optional<Stream<ScheduleId>> list(
      Optional<AccountId> owner, Optional<String> label, ScheduleId from) {
    var withLabel = label.map(name -> labelled.getOrDefault(name, PagedMap.empty()));
    return withLabel
        .filter(list -> owner.isEmpty() || list.size() <= SHORT)
        .map(list -> ids(list.from(from)))
        .or(() -> owner.map(of -> owned(Owned.of(of, from))));
  }

  private Stream<ScheduleId> owned(Owned from) {
    return StreamSupport.stream(owned.from(from).spliterator(), false)
        .takeWhile(entry -> entry.getKey().owner == from.owner)
        .map(Map.Entry::getValue);
  }

  private static Stream<ScheduleId> ids(Iterable<Map.Entry<ScheduleId, ScheduleId>> list) {
    return StreamSupport.stream(list.spliterator(), false).map(Map.Entry::getKey);
  }

  private static List<String> labels(Schedule schedule) {
    return schedule.proposal().description().labels();
  }
}

package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * Every execution that can be asked for: those without an outcome, and so many of those that have
 * one. An index of a requestor's list is given once, whatever has been forgotten since.
 *
 * @param entries by incarnation
 * @param newest the newest incarnation of each id
 * @param shelves of each requestor
 * @param finished those with an outcome, in the order in which they got it: incarnations
 */
public record PlanRegister(
    TreePMap<Long, Entry> entries,
    TreePMap<ScheduleId, Long> newest,
    TreePMap<AccountId, Shelf> shelves,
    TreePMap<Long, Long> finished) {
  static final PlanRegister EMPTY =
      new PlanRegister(TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

  /**
   * One incarnation of an execution.
   *
   * @param index in its requestor's list
   */
  public record Entry(
      ScheduleId id, long incarnation, Proposal proposal, long index, Optional<Outcome> outcome) {}

  /**
   * A requestor's list.
   *
   * @param count how many it ever had
   * @param incarnations by index, as far as they are known
   */
  public record Shelf(long count, TreePMap<Long, Long> incarnations) {
    static final Shelf EMPTY = new Shelf(0, TreePMap.empty());
  }

  Optional<Entry> newest(ScheduleId id) {
    return Optional.ofNullable(newest.get(id)).map(entries::get);
  }

  long count(AccountId requestor) {
    return shelf(requestor).count();
  }

  /**
   * Those that are still known, by index.
   *
   * @param from inclusive
   * @param to exclusive
   */
  List<Entry> page(AccountId requestor, long from, long to) {
    return shelf(requestor).incarnations().subMap(from, to).values().stream()
        .map(entries::get)
        .toList();
  }

  PlanRegister plus(Schedule schedule) {
    var requestor = schedule.proposal().owner();
    var shelf = shelf(requestor);
    long incarnation = schedule.incarnation();
    var entry =
        new Entry(schedule.id(), incarnation, schedule.proposal(), shelf.count(), Optional.empty());
    var longer =
        new Shelf(shelf.count() + 1, shelf.incarnations().plus(shelf.count(), incarnation));
    return new PlanRegister(
        entries.plus(incarnation, entry),
        newest.plus(schedule.id(), incarnation),
        shelves.plus(requestor, longer),
        finished);
  }

  /**
   * @param keep how many with an outcome are known at most
   */
  PlanRegister finish(Entry open, Outcome outcome, int keep) {
    long incarnation = open.incarnation();
    var ended =
        new Entry(open.id(), incarnation, open.proposal(), open.index(), Optional.of(outcome));
    long order = finished.isEmpty() ? 0 : finished.lastKey() + 1;
    var next =
        new PlanRegister(
            entries.plus(incarnation, ended), newest, shelves, finished.plus(order, incarnation));
    return next.finished.size() > keep ? next.withoutOldest() : next;
  }

  private PlanRegister withoutOldest() {
    var entry = entries.get(finished.firstEntry().getValue());
    var requestor = entry.proposal().owner();
    var shelf = shelf(requestor);
    boolean isNewest = newest.get(entry.id()) == entry.incarnation();
    return new PlanRegister(
        entries.minus(entry.incarnation()),
        isNewest ? newest.minus(entry.id()) : newest,
        shelves.plus(
            requestor, new Shelf(shelf.count(), shelf.incarnations().minus(entry.index()))),
        finished.minus(finished.firstKey()));
  }

  private Shelf shelf(AccountId requestor) {
    return shelves.getOrDefault(requestor, Shelf.EMPTY);
  }
}

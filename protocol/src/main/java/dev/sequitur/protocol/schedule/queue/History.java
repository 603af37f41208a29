package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.paged.PagedMapBuilder;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Cost;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.Outcome;
import dev.sequitur.protocol.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The newest outcomes, so many of them (DECISIONS F8).
 *
 * @param records by schedule, then by age
 * @param byAge each record by its number, oldest first
 * @param next the number of the next record
 */
public record History(PagedMap<Place, Recorded> records, ByAge byAge, long next) {
  static final History EMPTY = new History(PagedMap.empty(), ByAge.EMPTY, 0);

  /**
   * One occurrence and its one outcome.
   *
   * @param key of its last attempt
   * @param note why, without private data; may be empty
   * @param privateTransaction as which the sequencer ran it, if it took it
   * @param rescheduledAs what it scheduled from inside its execution
   */
  public record Recorded(
      OccurrenceKey key,
      Outcome outcome,
      ConsensusTime at,
      String note,
      Cost cost,
      Optional<TransactionId> privateTransaction,
      Optional<ScheduleId> rescheduledAs) {
    private Recorded followedBy(QueueEvent.Rescheduled next) {
      return new Recorded(key, outcome, at, next.why(), cost, privateTransaction, next.as());
    }
  }

  /** Of a record: its schedule, and the record's number. */
  public record Place(ScheduleId schedule, long number) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int order = schedule.compareTo(other.schedule);
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  /** Follows from the records; see {@link QueueState#reindexed}. */
  public record ByAge(PagedMap<Long, Recorded> records) {
    /** Also of one that is still to be made from its records. */
    public static final ByAge EMPTY = new ByAge(PagedMap.empty());
  }

  /** The newest outcome of a schedule. */
  public Optional<Recorded> lastOf(ScheduleId id) {
    return records
        .upTo(new Place(id, Long.MAX_VALUE))
        .filter(entry -> entry.getKey().schedule().equals(id))
        .map(Map.Entry::getValue);
  }

  /** Oldest first. */
  public List<Recorded> of(ScheduleId id) {
    var found = new ArrayList<Recorded>();
    for (var entry : records.from(new Place(id, 0))) {
      if (!entry.getKey().schedule().equals(id)) {
        break;
      }
      found.add(entry.getValue());
    }
    return found;
  }

  /**
   * Of all schedules, in the order in which they came about.
   *
   * @param number the first that is wanted
   * @param atMost how many
   */
  Outcomes from(long number, int atMost) {
    var found = new ArrayList<Outcomes.Numbered>();
    for (var entry : byAge.records.from(number)) {
      if (found.size() == atMost) {
        break;
      }
      found.add(new Outcomes.Numbered(entry.getKey(), entry.getValue()));
    }
    long oldest = byAge.records.first().map(Map.Entry::getKey).orElse(next);
    long last = found.isEmpty() ? next - 1 : found.get(found.size() - 1).number();
    return new Outcomes(found, number < oldest, last + 1);
  }

  History plus(Recorded recorded, int limit) {
    var place = new Place(recorded.key().schedule(), next);
    var aged = new ByAge(byAge.records.plus(next, recorded));
    var added = new History(records.plus(place, recorded), aged, next + 1);
    return aged.records.size() > limit ? added.withoutOldest() : added;
  }

  /**
   * @throws NullPointerException if there is none
   */
  Recorded newest() {
    return Objects.requireNonNull(byAge.records.get(next - 1));
  }

  /**
   * @throws IllegalStateException if the newest outcome is not of the schedule that did it
   */
  History plus(QueueEvent.Rescheduled rescheduled) {
    long number = next - 1;
    var by = newest();
    if (!by.key().schedule().equals(rescheduled.by())) {
      throw new IllegalStateException("Not the newest outcome: " + rescheduled + ", " + by);
    }
    var followed = by.followedBy(rescheduled);
    return new History(
        records.plus(new Place(rescheduled.by(), number), followed),
        new ByAge(byAge.records.plus(number, followed)),
        next);
  }

  private History withoutOldest() {
    var oldest = byAge.records.first().orElseThrow();
    var left = new ByAge(byAge.records.minus(oldest.getKey()));
    var place = new Place(oldest.getValue().key().schedule(), oldest.getKey());
    return new History(records.minus(place), left, next);
  }

  History reindexed() {
    var places = new ArrayList<>(records.keySet());
    places.sort(Comparator.comparingLong(Place::number));
    var sorted = new PagedMapBuilder<Long, Recorded>();
    places.forEach(place -> sorted.add(place.number(), records.get(place)));
    return new History(records, new ByAge(sorted.finish()), next);
  }
}

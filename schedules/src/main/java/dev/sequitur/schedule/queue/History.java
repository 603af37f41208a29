package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The newest outcomes: those that their store does not have yet, and never more than are kept
 * (SCH-22). Two are equal if their records are: the index only finds them, and is compared with
 * nothing.
 *
 * @param records each by its number, oldest first, without a gap
 * @param index follows from the records; see {@link QueueState#reindexed}
 * @param next the number of the next record
 */
public record History(PagedMap<Long, Recorded> records, OutcomeIndex index, long next) {
  /** Of one schedule, in one answer. Older ones are found by their numbers. */
  public static final int MOST_OF_ONE = 1_000;

  /** For one answer, wanted or not. */
  private static final int MOST_LOOKED_AT = 20_000;

  static final History EMPTY = new History(PagedMap.empty(), OutcomeIndex.EMPTY, 0);

  /**
   * One occurrence and its one outcome; or several that were missed together, and theirs.
   *
   * @param key of its last attempt; of several, that of the first
   * @param occurrences how many
   * @param note why, without private data; may be empty
   * @param transaction as which the sequencer ran it, if it took it
   * @param rescheduledAs what it scheduled from inside its execution
   * @param proposal what was to run, for whom and on which terms, when the schedule is gone
   * @param asked for when it was wanted; empty if for no time
   * @param attempts oldest first; none if it never started
   */
  public record Recorded(
      OccurrenceKey key,
      long occurrences,
      Outcome outcome,
      ConsensusTime at,
      String note,
      Cost cost,
      Optional<TransactionId> transaction,
      Optional<ScheduleId> rescheduledAs,
      Proposal proposal,
      Optional<ConsensusTime> asked,
      List<Attempted> attempts) {
    public Recorded {
      attempts = List.copyOf(attempts);
    }

    /** By which it is told who may see it, when the schedule is gone. */
    public Subject about() {
      return Subject.of(proposal);
    }

    private Recorded followedBy(QueueEvent.Rescheduled next) {
      return new Recorded(
          key,
          occurrences,
          outcome,
          at,
          next.why(),
          cost,
          transaction,
          next.as(),
          proposal,
          asked,
          attempts);
    }
  }

  /** The newest outcome of a schedule. */
  public Optional<Recorded> lastOf(ScheduleId id) {
    return newestOf(id).findFirst();
  }

  /** The newest of one schedule, up to {@link #MOST_OF_ONE}, oldest first. */
  public List<Recorded> of(ScheduleId id) {
    var found = newestOf(id).limit(MOST_OF_ONE).collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(found);
    return List.copyOf(found);
  }

  private Stream<Recorded> newestOf(ScheduleId id) {
    return index
        .find(id)
        .takeWhile(number -> number >= oldest())
        .mapToObj(records::get)
        .filter(recorded -> recorded.key().schedule().equals(id));
  }

  /**
   * Of all schedules, in the order in which they came about.
   *
   * @param number from which on
   * @param atMost how many
   * @param wanted which
   */
  Outcomes from(long number, int atMost, Predicate<Recorded> wanted) {
    var found = new ArrayList<Outcomes.Numbered>();
    long end = next;
    int looked = 0;
    for (var entry : records.from(number)) {
      if (found.size() == atMost || looked++ == MOST_LOOKED_AT) {
        end = entry.getKey();
        break;
      } else if (wanted.test(entry.getValue())) {
        found.add(new Outcomes.Numbered(entry.getKey(), entry.getValue()));
      }
    }
    return new Outcomes(found, number < oldest(), end);
  }

  /** Without those up to this number, which are in their store. */
  History without(long upTo) {
    var kept = records;
    for (long number = oldest(); number <= upTo && number < next; number++) {
      kept = kept.minus(number);
    }
    return new History(kept, kept.isEmpty() ? OutcomeIndex.EMPTY : index, next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof History history
        && next == history.next
        && records.equals(history.records);
  }

  @Override
  public int hashCode() {
    return Objects.hash(records, next);
  }

  /** The number of the oldest that is here; that of the next if none is. */
  public long oldest() {
    return next - records.size();
  }

  History plus(Recorded recorded, int limit) {
    long oldest = oldest();
    // More than the limit if that was lowered since.
    boolean full = records.size() >= limit;
    var kept = full ? records.minus(oldest) : records;
    return new History(
        kept.plus(next, recorded),
        index.plus(recorded.key().schedule(), next, full ? oldest + 1 : oldest),
        next + 1);
  }

  /**
   * @throws NullPointerException if there is none
   */
  Recorded newest() {
    return Objects.requireNonNull(records.get(next - 1));
  }

  /**
   * @throws IllegalStateException if the newest outcome is not of the schedule that did it
   */
  History plus(QueueEvent.Rescheduled rescheduled) {
    var by = newest();
    if (!by.key().schedule().equals(rescheduled.by())) {
      throw new IllegalStateException("Not the newest outcome: " + rescheduled + ", " + by);
    }
    return new History(records.plus(next - 1, by.followedBy(rescheduled)), index, next);
  }

  History reindexed() {
    var made = OutcomeIndex.EMPTY;
    for (var entry : records.entrySet()) {
      made = made.plus(entry.getValue().key().schedule(), entry.getKey(), oldest());
    }
    return new History(records, made, next);
  }
}

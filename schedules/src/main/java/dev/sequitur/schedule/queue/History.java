package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.family.Posting;
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
 * What has happened last: outcomes, and what was told beside them, all that their store does not
 * have yet, and never more than are kept (SCH-22). Two are equal if what they have is: the index
 * only finds outcomes, and is compared with nothing.
 *
 * @param records outcomes, each by its number, oldest first
 * @param told what else has a number; each number from the oldest on is in one of the two
 * @param index follows from the records; see {@link QueueState#reindexed}
 * @param next the number of what happens next
 */
public record History(
    PagedMap<Long, Recorded> records, PagedMap<Long, Beside> told, OutcomeIndex index, long next) {
  /** Of one schedule, in one answer. Older ones are found by their numbers. */
  public static final int MOST_OF_ONE = 1_000;

  /** For one answer, wanted or not. */
  private static final int MOST_LOOKED_AT = 20_000;

  static final History EMPTY =
      new History(PagedMap.empty(), PagedMap.empty(), OutcomeIndex.EMPTY, 0);

  /** What has a number in a queue, and keeps it: whoever was away goes on from there (SCH-22). */
  public sealed interface Happened {
    ConsensusTime at();

    /** Of which family it is; empty if of none. */
    Optional<FamilyKind> family();

    /** By which it is told who may see it; empty if all who have the queue may. */
    Optional<Subject> whose();

    /**
     * What it did to whose money, each thing once in all that has happened (ACC-10); but what
     * {@link AccountId#FEES} gets is told of nobody.
     */
    List<Posting> postings();

    /** By whose names it is found. */
    default List<AccountId> accounts() {
      return postings().stream().map(Posting::account).distinct().toList();
    }
  }

  /** What is no outcome. */
  public sealed interface Beside extends Happened {}

  /** What a queue told its listeners that no outcome says. */
  public record Told(ConsensusTime at, QueueEffect.Notice notice, Optional<Subject> whose)
      implements Beside {
    @Override
    public Optional<FamilyKind> family() {
      return notice.wholeFamily().or(() -> whose.map(Subject::family));
    }

    @Override
    public List<Posting> postings() {
      return notice instanceof QueueEffect.Notice.OfFamily(var said) ? said.postings() : List.of();
    }
  }

  /** What moved money and nothing else keeps. It is told in statements alone. */
  public record Booked(ConsensusTime at, Posting posting) implements Beside {
    @Override
    public Optional<FamilyKind> family() {
      return Optional.empty();
    }

    @Override
    public Optional<Subject> whose() {
      return Optional.empty();
    }

    @Override
    public List<Posting> postings() {
      return List.of(posting);
    }
  }

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
   * @param balance what its owner could spend when it was settled
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
      List<Attempted> attempts,
      Amount balance)
      implements Happened {
    public Recorded {
      attempts = List.copyOf(attempts);
    }

    @Override
    public Optional<FamilyKind> family() {
      return Optional.of(key.schedule().family());
    }

    @Override
    public Optional<Subject> whose() {
      return Optional.of(about());
    }

    /** Its owner, those whose money a run moves, and who is paid for it. */
    @Override
    public List<AccountId> accounts() {
      return Stream.concat(
              proposal.accounts().stream(),
              cost.parties().stream().flatMap(paid -> Stream.of(paid.from(), paid.to())))
          .distinct()
          .toList();
    }

    @Override
    public List<Posting> postings() {
      return proposal.terms().isTold() ? List.of() : Outcomes.postings(this);
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
          attempts,
          balance);
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

  /**
   * All that has happened, as far as it is in memory.
   *
   * @param number from which on
   * @param atMost how many
   */
  Happenings happenings(long number, int atMost) {
    long from = Math.max(number, oldest());
    long end = Math.max(from, Math.min(next, from + atMost));
    var found = new ArrayList<Happenings.Numbered>();
    for (long each = from; each < end; each++) {
      found.add(new Happenings.Numbered(each, at(each)));
    }
    return new Happenings(found, number < oldest(), Math.min(end, next));
  }

  /**
   * What is wanted of all that has happened, as far as it is in memory.
   *
   * @param number from which on
   * @param atMost how many
   * @param wanted which
   */
  Happenings happenings(long number, int atMost, Predicate<Happened> wanted) {
    var found = new ArrayList<Happenings.Numbered>();
    long first = Math.max(number, oldest());
    long each = first;
    while (each < next && found.size() < atMost && each - first < MOST_LOOKED_AT) {
      var happened = at(each);
      if (wanted.test(happened)) {
        found.add(new Happenings.Numbered(each, happened));
      }
      each++;
    }
    return new Happenings(found, number < oldest(), each);
  }

  /**
   * @param number from the oldest to the newest
   */
  public Happened at(long number) {
    Happened outcome = records.get(number);
    return outcome == null ? Objects.requireNonNull(told.get(number)) : outcome;
  }

  /** Without those up to this number, which are in their store. */
  History without(long upTo) {
    var kept = records;
    var others = told;
    for (long number = oldest(); number <= upTo && number < next; number++) {
      kept = kept.minus(number);
      others = others.minus(number);
    }
    return new History(kept, others, kept.isEmpty() ? OutcomeIndex.EMPTY : index, next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof History history
        && next == history.next
        && records.equals(history.records)
        && told.equals(history.told);
  }

  @Override
  public int hashCode() {
    return Objects.hash(records, told, next);
  }

  /** The number of the oldest that is here; that of the next if none is. */
  public long oldest() {
    return next - records.size() - told.size();
  }

  History plus(Recorded recorded, int limit) {
    var room = withRoom(limit);
    return new History(
        room.records.plus(next, recorded),
        room.told,
        index.plus(recorded.key().schedule(), next, room.oldest()),
        next + 1);
  }

  History plus(Beside one, int limit) {
    var room = withRoom(limit);
    return new History(room.records, room.told.plus(next, one), index, next + 1);
  }

  /** Without the oldest, if there are as many as are kept. */
  private History withRoom(int limit) {
    long oldest = oldest();
    // More than the limit if that was lowered since.
    return next - oldest >= limit
        ? new History(records.minus(oldest), told.minus(oldest), index, next)
        : this;
  }

  /**
   * @throws NullPointerException if there is none
   */
  Recorded newest() {
    return Objects.requireNonNull(records.get(newestOutcome()));
  }

  private long newestOutcome() {
    long number = next - 1;
    while (told.containsKey(number)) {
      number--;
    }
    return number;
  }

  /**
   * @throws IllegalStateException if the newest outcome is not of the schedule that did it
   */
  History plus(QueueEvent.Rescheduled rescheduled) {
    long number = newestOutcome();
    var by = newest();
    if (!by.key().schedule().equals(rescheduled.by())) {
      throw new IllegalStateException("Not the newest outcome: " + rescheduled + ", " + by);
    }
    return new History(records.plus(number, by.followedBy(rescheduled)), told, index, next);
  }

  History reindexed() {
    var made = OutcomeIndex.EMPTY;
    for (var entry : records.entrySet()) {
      made = made.plus(entry.getValue().key().schedule(), entry.getKey(), oldest());
    }
    return new History(records, told, made, next);
  }
}

package dev.sequitur.scheduler;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.queue.History.Beside;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.schedule.queue.History.Recorded;
import java.time.Instant;
import java.util.Optional;

/**
 * Which outcomes of a queue are wanted.
 *
 * @param from the number from which on; 0 for the oldest that is known
 * @param limit how many, 1 to {@value #MOST}
 * @param family only of this one
 * @param owner only of this one
 * @param account only those that may have moved this one's money
 * @param outcome only those that ended so
 * @param since only those that ended then or later
 * @param until only those that ended before
 * @param label only those of schedules that had it
 */
public record OutcomeQuery(
    long from,
    int limit,
    Optional<FamilyKind> family,
    Optional<AccountId> owner,
    Optional<AccountId> account,
    Optional<Outcome> outcome,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<String> label) {
  /** The largest page. */
  public static final int MOST = 1_000;

  public OutcomeQuery {
    if (from < 0) {
      throw new IllegalArgumentException("Outcomes are numbered from 0: " + from);
    } else if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("Ask for 1 to " + MOST + " outcomes, not " + limit + ".");
    }
  }

  /** All from a number on. */
  public static OutcomeQuery from(long number, int limit) {
    return new OutcomeQuery(
        number,
        limit,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Whether one is wanted; what {@link #from} and the limit say aside. What the queue told beside
   * outcomes has no outcome.
   */
  public boolean matches(Happened happened) {
    var at = happened.at().toInstant();
    return since.map(first -> !at.isBefore(first)).orElse(true)
        && until.map(at::isBefore).orElse(true)
        && family.map(it -> happened.family().equals(Optional.of(it))).orElse(true)
        && matches(happened.whose())
        && account.map(it -> happened.accounts().contains(it)).orElse(true)
        && switch (happened) {
          case Recorded recorded -> outcome.map(recorded.outcome()::equals).orElse(true);
          case Beside ignored -> outcome.isEmpty();
        };
  }

  /** What is of no schedule is of no owner and no label. */
  private boolean matches(Optional<Subject> whose) {
    return owner.map(it -> whose.map(Subject::owner).equals(Optional.of(it))).orElse(true)
        && label.map(it -> whose.filter(of -> of.labels().contains(it)).isPresent()).orElse(true);
  }
}

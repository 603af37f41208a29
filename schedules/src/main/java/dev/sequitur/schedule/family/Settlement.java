package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What follows an outcome.
 *
 * @param charge captured from the hold; at the last occurrence the rest is released
 * @param payee who gets the charge
 * @param acts carried out before the outcome and the charge are recorded, in the same step
 * @param next when the same schedule is due again
 * @param occurrences how many end with this outcome, from the present one on: more than one if they
 *     were missed together
 * @param rescheduled what is to be scheduled from inside the execution, by the owner
 */
public record Settlement(
    Amount charge,
    AccountId payee,
    List<Act> acts,
    Optional<DueKey> next,
    Optional<Proposal> rescheduled,
    long occurrences) {
  public Settlement {
    acts = List.copyOf(acts);
  }

  /** For nothing, with so much of what is held for the schedule going back to its owner now. */
  public Settlement refunding(Schedule schedule, Amount refund) {
    var back =
        refund.isZero()
            ? Stream.<Act>empty()
            : Stream.of(new Act.Capture(schedule.hold(), schedule.proposal().owner(), refund));
    var all = Stream.concat(back, acts.stream()).toList();
    return new Settlement(Amount.ZERO, payee, all, next, rescheduled, occurrences);
  }

  /** Of one occurrence. */
  public Settlement(
      Amount charge,
      AccountId payee,
      List<Act> acts,
      Optional<DueKey> next,
      Optional<Proposal> rescheduled) {
    this(charge, payee, acts, next, rescheduled, 1);
  }

  /** Paid for running, and nothing else. */
  public Settlement(Amount charge, Optional<DueKey> next, Optional<Proposal> rescheduled) {
    this(charge, AccountId.FEES, List.of(), next, rescheduled);
  }

  public static Settlement last(Amount charge) {
    return new Settlement(charge, Optional.empty(), Optional.empty());
  }
}

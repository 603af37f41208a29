package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.family.Posting.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue's outcomes in the order in which they came about. They are numbered from 0, and a number
 * stays an outcome's own; what lies between has the others ({@link Happenings}): whoever was away
 * goes on from the number where it was.
 *
 * @param outcomes ascending by number
 * @param forgotten whether there were some from the number asked for on that are not known any more
 * @param next what to ask for next: the number after the last that was looked at
 */
public record Outcomes(List<Numbered> outcomes, boolean forgotten, long next) {
  public Outcomes {
    outcomes = List.copyOf(outcomes);
  }

  /** One of them. */
  public record Numbered(long number, History.Recorded recorded) {}

  /** What one of them did to whose money. */
  static List<Posting> postings(History.Recorded recorded) {
    var postings = new ArrayList<Posting>();
    if (recorded.outcome() == Outcome.RUN) {
      postings.addAll(Posting.of(recorded.proposal().moves(), ""));
    }
    var owner = recorded.proposal().owner();
    var cost = recorded.cost();
    if (!cost.charged().isZero()) {
      var payer = cost.parties().map(Cost.Parties::from).orElse(owner);
      postings.add(Posting.of(payer, Kind.CHARGED, cost.charged()));
      cost.parties()
          .map(Cost.Parties::to)
          .filter(to -> !to.holder().equals(AccountId.FEES))
          .map(to -> Posting.of(to, Kind.RECEIVED, cost.charged(), payer))
          .ifPresent(postings::add);
    }
    if (!cost.refunded().isZero()) {
      postings.add(Posting.of(owner, Kind.GIVEN_BACK, cost.refunded()));
    }
    return postings;
  }
}

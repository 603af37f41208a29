package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an outcome did to an account.
 *
 * @param with whom it paid or was paid by, if that is one
 * @param cause the outcome
 */
public record StatementLine(
    Kind kind, Amount amount, Optional<AccountId> with, Outcomes.Numbered cause) {
  /** Why the account has more or less. */
  public enum Kind {
    /** The run paid it. */
    RECEIVED,
    /** It paid what was to be run. */
    PAID,
    /** It paid for the run, out of what was set aside for the schedule. */
    CHARGED,
    /** What was left of that went back. */
    GIVEN_BACK
  }

  /** Of one account, in the order in which they came about within the outcome. */
  public static List<StatementLine> of(AccountId account, Outcomes.Numbered cause) {
    var recorded = cause.recorded();
    var lines = new ArrayList<StatementLine>();
    if (recorded.outcome() == Outcome.RUN) {
      var moves = recorded.proposal().moves();
      long moved = moves.getOrDefault(account, 0L);
      var others = moves.keySet().stream().filter(other -> !other.equals(account)).toList();
      var with = others.size() == 1 ? Optional.of(others.getFirst()) : Optional.<AccountId>empty();
      if (moved != 0) {
        var kind = moved > 0 ? Kind.RECEIVED : Kind.PAID;
        lines.add(new StatementLine(kind, new Amount(Math.abs(moved)), with, cause));
      }
    }
    if (recorded.proposal().owner().equals(account)) {
      add(Kind.CHARGED, recorded.cost().charged(), cause, lines);
      add(Kind.GIVEN_BACK, recorded.cost().refunded(), cause, lines);
    }
    return lines;
  }

  private static void add(
      Kind kind, Amount amount, Outcomes.Numbered cause, List<StatementLine> to) {
    if (!amount.isZero()) {
      to.add(new StatementLine(kind, amount, Optional.empty(), cause));
    }
  }
}

package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.family.Posting;
import java.util.List;

/**
 * A line of an account's statement (ACC-10).
 *
 * @param cause what did it, which keeps it
 */
public record StatementLine(Posting posting, Happenings.Numbered cause) {
  /** Of one account, in the order in which they came about. */
  public static List<StatementLine> of(AccountId account, Happenings.Numbered cause) {
    return cause.happened().postings().stream()
        .filter(posting -> posting.account().equals(account))
        .map(posting -> new StatementLine(posting, cause))
        .toList();
  }
}

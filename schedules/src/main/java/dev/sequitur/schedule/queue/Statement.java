package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import java.util.List;
import java.util.Optional;

/**
 * What an account has, and a page of what has made it so (ACC-10).
 *
 * @param account whose it is
 * @param available what it can spend
 * @param held what is set aside of what it has
 * @param end the number of what happens next in its queue
 * @param page what has moved its money, of what is kept
 */
public record Statement(
    AccountId account, Amount available, Amount held, long end, Happenings page) {
  /** Oldest first. */
  public List<StatementLine> lines() {
    return page.happenings().stream()
        .flatMap(each -> StatementLine.of(account, each).stream())
        .toList();
  }

  /**
   * What it had before the first line, what was set aside included: what is not told, for whatever
   * reason, has led to that. Empty if more follows than this page tells, or if it was named in what
   * was paid before it was an account.
   */
  public Optional<Amount> broughtForward() {
    long since = lines().stream().mapToLong(line -> line.posting().change()).sum();
    long before = available.units() + held.units() - since;
    return page.next() == end && before >= 0 ? Optional.of(new Amount(before)) : Optional.empty();
  }

  /** The same with another page. */
  public Statement with(Happenings other) {
    return new Statement(account, available, held, end, other);
  }
}

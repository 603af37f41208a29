package dev.sequitur.schedule.book;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of each account's money is set aside. It follows from the holds, and spares whoever asks
 * for one account a walk over all of them.
 *
 * @param units only of those of whose money some is
 */
public record HeldByOwner(PagedMap<AccountId, Long> units) {
  public static final HeldByOwner EMPTY = new HeldByOwner(PagedMap.empty());

  static HeldByOwner of(PagedMap<HoldId, Hold> holds) {
    var all = EMPTY;
    for (var owner : sums(holds).entrySet()) {
      all = all.plus(owner.getKey(), owner.getValue());
    }
    return all;
  }

  /** One entry each, and not one copy of a page for each of a million holds. */
  private static Map<AccountId, Long> sums(PagedMap<HoldId, Hold> holds) {
    var sums = new TreeMap<AccountId, Long>();
    for (var hold : holds.values()) {
      sums.merge(hold.owner(), hold.units(), Long::sum);
    }
    sums.values().removeIf(held -> held == 0);
    return sums;
  }

  /** Whether it follows from these holds; makes no other one for that. */
  boolean isOf(PagedMap<HoldId, Hold> holds) {
    var sums = sums(holds);
    return sums.size() == units.size()
        && sums.entrySet().stream()
            .allMatch(owner -> owner.getValue().equals(units.get(owner.getKey())));
  }

  Amount of(AccountId owner) {
    return new Amount(units.getOrDefault(owner, 0L));
  }

  /**
   * @param more less, if it is negative
   */
  HeldByOwner plus(AccountId owner, long more) {
    if (more == 0) {
      return this;
    }
    long now = Math.addExact(units.getOrDefault(owner, 0L), more);
    return new HeldByOwner(now == 0 ? units.minus(owner) : units.plus(owner, now));
  }
}

package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What something did to one account: it has more or less since, or a part of what it has is set
 * aside (ACC-10).
 *
 * @param with who has the other side, if that is one person
 * @param what it was for, as people read it, where kind and schedule do not say it; else empty
 */
public record Posting(
    AccountId account, Kind kind, Amount amount, Optional<AccountId> with, String what) {
  /** Why an account has more or less. */
  public enum Kind {
    /** It was booked in from outside. */
    FUNDED(1),
    /** It was booked out. */
    WITHDRAWN(-1),
    /** Somebody paid it. */
    RECEIVED(1),
    /** It paid somebody. */
    PAID(-1),
    /** It paid for a run or for an operation. */
    CHARGED(-1),
    /** It cannot spend this any more, and still has it. */
    SET_ASIDE(0),
    /** What was set aside can be spent again. */
    GIVEN_BACK(0);

    private final int sign;

    Kind(int sign) {
      this.sign = sign;
    }
  }

  /** Of what the kind says all. */
  public static Posting of(AccountId account, Kind kind, Amount amount) {
    return new Posting(account, kind, amount, Optional.empty(), "");
  }

  /**
   * @param with who has the other side
   */
  public static Posting of(AccountId account, Kind kind, Amount amount, AccountId with) {
    return new Posting(account, kind, amount, Optional.of(with), "");
  }

  /**
   * Of what moved money from some to others.
   *
   * @param moved what each has got, or has given if it is negative
   */
  public static List<Posting> of(Map<AccountId, Long> moved, String what) {
    return moved.entrySet().stream()
        .filter(each -> each.getValue() != 0)
        .map(each -> moved(moved, each.getKey(), each.getValue(), what))
        .toList();
  }

  private static Posting moved(
      Map<AccountId, Long> moved, AccountId account, long units, String what) {
    var others = moved.keySet().stream().filter(other -> !other.equals(account)).toList();
    return new Posting(
        account,
        units > 0 ? Kind.RECEIVED : Kind.PAID,
        new Amount(Math.abs(units)),
        others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty(),
        what);
  }

  /** By how much the account has more since, what is set aside included. */
  public long change() {
    return kind.sign * amount.units();
  }
}

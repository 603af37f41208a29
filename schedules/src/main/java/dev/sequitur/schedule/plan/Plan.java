package dev.sequitur.schedule.plan;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.TokenId;
import java.util.Optional;

/**
 * What the service provider sells executions by. A plan never changes; one that is removed is no
 * longer sold, and what was bought of it is honoured.
 *
 * @param price of one execution, in the plan's money
 * @param window seconds; an execution runs this long before its time at the earliest, and this long
 *     after at the latest
 * @param gasLimit units of gas that what is executed may use
 * @param token in which it is paid; without one, in the queue's own money
 */
public record Plan(
    long price, long window, long gasLimit, Optional<TokenId> token, boolean active) {
  public Plan {
    if (price < 0 || window < 0 || gasLimit < 0) {
      throw new IllegalArgumentException(
          "Price, window and gas limit are not negative: name values from 0 to"
              + " 9223372036854775807.");
    }
  }

  /** One that is sold. */
  public static Plan of(long price, long window, long gasLimit, Optional<TokenId> token) {
    return new Plan(price, window, gasLimit, token, true);
  }

  /** What so many executions cost; empty if that is above 2^63 - 1, or they are too few. */
  Optional<Amount> total(long quantity) {
    try {
      return quantity < 0 ? Optional.empty() : Optional.of(Amount.product(quantity, price));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Somebody's account in the plan's money. */
  AccountId moneyOf(AccountId holder) {
    return token.map(holder::in).orElse(holder);
  }

  Plan removed() {
    return new Plan(price, window, gasLimit, token, false);
  }

  /** Whether it is too early to execute what is scheduled for {@code timestamp}. */
  boolean isTooSoon(long timestamp, long nowSeconds) {
    return nowSeconds < timestamp && timestamp - nowSeconds > window;
  }

  /** Whether the window of what is scheduled for {@code timestamp} has passed. */
  boolean isOver(long timestamp, long nowSeconds) {
    return nowSeconds > timestamp && nowSeconds - timestamp > window;
  }
}

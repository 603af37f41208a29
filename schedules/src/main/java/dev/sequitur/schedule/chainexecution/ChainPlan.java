package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.abi.EvmAddress;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;

/**
 * A plan as the contract has it, and what its window means there (PRV-2). Times are seconds since
 * 1970, of blocks. A number beyond {@link #MOST} stands as that.
 *
 * @param price of an execution, in the plan's money: shown, not booked
 * @param token in which it is paid; the zero address for the chain's own money
 * @param window seconds before and after the requested time
 * @param gasLimit that the call may use
 * @param active whether it is still sold; what was bought of it is executed all the same
 */
public record ChainPlan(
    BigInteger price, EvmAddress token, long window, long gasLimit, boolean active) {
  /** No block is ever so late, and no gas limit so high. */
  public static final long MOST = 1L << 62;

  private static final Instant LAST_WRITTEN = Instant.parse("9999-12-31T23:59:59Z");

  public ChainPlan {
    if (window < 0 || window > MOST || gasLimit < 0 || gasLimit > MOST) {
      throw new IllegalArgumentException("No plan: window " + window + ", gas " + gasLimit);
    }
  }

  /** A number of the contract, as it stands here. */
  public static long number(BigInteger any) {
    return any.bitLength() > Long.SIZE - 2 ? MOST : any.longValueExact();
  }

  ChainPlan removed() {
    return new ChainPlan(price, token, window, gasLimit, false);
  }

  /**
   * Why no block at all can execute it (PRV-3).
   *
   * @param requested for when
   */
  Optional<String> never(long requested) {
    if (requested == MOST) {
      return Optional.of("It can never run: it is requested for a time that no block will have.");
    } else if (window > requested) {
      return Optional.of(
          "It can never run: its plan's window is longer than the time since 1970, over which the"
              + " contract fails.");
    }
    return window == 0
        ? Optional.of(
            "It can never run: its plan's window is 0, and the contract wants a block that is later"
                + " than the window's begin.")
        : Optional.empty();
  }

  /** Whether a block of this time comes before the window: its begin is not part of it. */
  public boolean isTooSoon(long requested, long block) {
    return block <= requested - window;
  }

  /** Whether a block of this time comes after the window: its end is part of it. */
  public boolean isOver(long requested, long block) {
    return block > last(requested);
  }

  /** The first block time in the window. */
  long first(long requested) {
    return requested - window + 1;
  }

  /** The last block time in the window. */
  long last(long requested) {
    return Math.min(MOST, requested + window);
  }

  /** A time for people. */
  public static String time(long seconds) {
    return seconds > LAST_WRITTEN.getEpochSecond()
        ? "the end of time"
        : Instant.ofEpochSecond(seconds).toString();
  }
}

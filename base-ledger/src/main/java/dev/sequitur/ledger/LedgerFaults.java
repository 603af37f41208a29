package dev.sequitur.ledger;

import dev.sequitur.protocol.copying.Copyable;
import java.time.Duration;

/**
 * What is wrong with one node's view of the ledger.
 *
 * @param lagBlocks newest blocks that the view does not show
 * @param lagTime blocks younger than this by their timestamps are not shown
 * @param submitDelay before a submission goes on its way
 * @param submitFailureRate share of submissions whose future fails, 0 to 1; half of them have
 *     reached the pool all the same, as when an answer is lost
 * @param unreachable whether every call fails
 */
@Copyable
public record LedgerFaults(
    int lagBlocks,
    Duration lagTime,
    Duration submitDelay,
    double submitFailureRate,
    boolean unreachable)
    implements LedgerFaultsBuilder.With {

  /** All is well. */
  public static final LedgerFaults NONE =
      new LedgerFaults(0, Duration.ZERO, Duration.ZERO, 0, false);

  public LedgerFaults {
    if (lagBlocks < 0 || lagTime.isNegative() || submitDelay.isNegative()) {
      throw new IllegalArgumentException("A view of the ledger can't run ahead.");
    }
    if (!(submitFailureRate >= 0 && submitFailureRate <= 1)) {
      throw new IllegalArgumentException(
          "The share of failing submissions is between 0 and 1, not " + submitFailureRate + ".");
    }
  }
}

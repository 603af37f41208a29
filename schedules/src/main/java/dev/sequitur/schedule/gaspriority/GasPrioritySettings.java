package dev.sequitur.schedule.gaspriority;

/**
 * What an operator may set of the gas-priority family (GAS-2).
 *
 * @param tickMillis granularity of scheduled times
 * @param getReadyTransactionsLimit how many run in one block
 * @param expiryTicks more ticks late than this, and it expires; ticks without a block do not count
 * @param expireLimit how many expire in one block
 * @param minGasUnitPrice nobody may offer or pay less
 * @param maxSize bytes of content
 */
public record GasPrioritySettings(
    int tickMillis,
    int getReadyTransactionsLimit,
    int expiryTicks,
    int expireLimit,
    long minGasUnitPrice,
    int maxSize) {
  public static final GasPrioritySettings DEFAULT =
      new GasPrioritySettings(100, 100, 100, 200, 1, 10_240);

  public GasPrioritySettings {
    if (tickMillis < 1
        || getReadyTransactionsLimit < 1
        || expiryTicks < 1
        || expireLimit < 1
        || minGasUnitPrice < 0
        || maxSize < 0) {
      throw new IllegalArgumentException(
          "The gas-priority settings must be positive; the least price and size may be 0.");
    }
  }
}

package dev.sequitur.schedule.chainexecution;

/**
 * How much gas a transaction gets that executes something, so that the call is never starved
 * (PRV-6). The contract gives the call what the plan promises, or 63/64 of what is left if that is
 * less; the call then fails and uses up what was bought. Nobody is asked for an estimate: a call
 * that fails inside does not revert the transaction, so an estimate would be too low.
 *
 * @param overhead beyond the call and what grows with its data: the transaction itself, the
 *     contract's own work, the payment of the provider
 */
public record ExecutionGas(long overhead) {
  /** Measured: about 60,000, and 50,000 for the payment in a token. */
  public static final ExecutionGas DEFAULT = new ExecutionGas(200_000);

  /** For a word of data: read from the contract's storage once, and copied some times. */
  private static final long EACH_WORD = 2_600;

  private static final int WORD = 32;

  public ExecutionGas {
    if (overhead < 0) {
      throw new IllegalArgumentException("Gas is not negative: " + overhead);
    }
  }

  /**
   * @param promised by the plan
   * @param data bytes that are handed to the call
   */
  public long limit(long promised, int data) {
    long words = Math.ceilDiv((long) data, WORD);
    long call = promised + Math.ceilDiv(promised, 63);
    return call + overhead + words * EACH_WORD;
  }
}

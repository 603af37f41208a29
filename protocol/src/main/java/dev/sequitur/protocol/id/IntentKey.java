package dev.sequitur.protocol.id;

/**
 * Which intent of a contract is meant. The id alone does not say: every member that has seen it may
 * use it for an intent of its own, which then has another commitment.
 */
public record IntentKey(TransactionId transaction, SenderCommitment commitment) {
  /** What a chain has one slot for: the first of the series that shares its commitment. */
  public IntentKey series() {
    return new IntentKey(transaction.series(), commitment);
  }

  @Override
  public int hashCode() {
    return 31 * commitment.value().hashCode() + transaction.place();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IntentKey key
        && commitment.equals(key.commitment)
        && transaction.equals(key.transaction);
  }

  /** The id, for people. */
  @Override
  public String toString() {
    return transaction.toString();
  }
}

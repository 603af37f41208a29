package dev.sequitur.protocol.id;

/**
 * Which intent of a contract is meant. The id alone does not say: every member that has seen it may
 * use it for an intent of its own, which then has another commitment.
 */
public record IntentKey(TransactionId transaction, SenderCommitment commitment) {
  @Override
  public int hashCode() {
    return commitment.value().hashCode();
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

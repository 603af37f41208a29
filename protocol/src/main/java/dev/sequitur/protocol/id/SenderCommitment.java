package dev.sequitur.protocol.id;

/**
 * Binds an intent to its sender on the base ledger without naming the sender: a hash that whoever
 * knows the intent can compute, and that nobody can make for an intent of somebody else.
 */
public record SenderCommitment(Hash value) implements Comparable<SenderCommitment> {

  /**
   * The one way to compute it: SHA-256 over contract, series of the id, sender and salt, each with
   * its length. So intents of one series and one salt have one commitment, and share a slot on a
   * chain; their ids tell them apart.
   *
   * @param salt of the intent or its series, told to the group only: the other three can be guessed
   *     from what stands on the ledger
   */
  public static SenderCommitment of(
      ContractAddress contract, TransactionId transaction, Identity from, Hash salt) {
    return new SenderCommitment(
        new CanonicalDigest()
            .add(contract.value())
            .add(transaction.series().toString())
            .add(from.toString())
            .add(salt)
            .finish());
  }

  @Override
  public int compareTo(SenderCommitment other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}

package dev.sequitur.protocol.id;

/** The hash of one base-ledger transaction. */
public record TransactionHash(Hash value) {
  @Override
  public String toString() {
    return value.toString();
  }
}

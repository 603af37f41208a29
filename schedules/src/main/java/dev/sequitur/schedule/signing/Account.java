package dev.sequitur.schedule.signing;

/**
 * An account of Hedera; its balance is in the book.
 *
 * @param receiverSigRequired whether its key must sign what it is to receive
 */
public record Account(AccountKey key, boolean receiverSigRequired, String memo) {
  public Account withKey(AccountKey next) {
    return new Account(next, receiverSigRequired, memo);
  }
}

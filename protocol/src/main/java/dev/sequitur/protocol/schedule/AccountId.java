package dev.sequitur.protocol.schedule;

/**
 * An account of one queue. Names with a leading {@code @} are the book's own and cannot be signed
 * for.
 */
public record AccountId(String value) implements Comparable<AccountId> {
  /** The other side of every deposit and withdrawal: the only account below zero. */
  public static final AccountId OUTSIDE = new AccountId("@outside");

  /** The other side of every hold. */
  public static final AccountId HELD = new AccountId("@held");

  /** Who is paid for running schedules. */
  public static final AccountId FEES = new AccountId("@fees");

  private static final int MOST_CHARACTERS = 200;

  public AccountId {
    if (value.isEmpty() || value.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("An account's name has 1 to 200 characters.");
    }
  }

  /** Whether it belongs to the book and not to a person. */
  public boolean isReserved() {
    return value.charAt(0) == '@';
  }

  @Override
  public int compareTo(AccountId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}

package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Utf8;
import java.util.Optional;

/**
 * An account of one queue. Names with a leading {@code @} are the book's own. What somebody has in
 * a token stands on an account of its own (ACC-8), named by the holder, {@code #} and the token.
 * Neither can be signed for.
 */
public record AccountId(String value) implements Comparable<AccountId> {
  /** The other side of every deposit and withdrawal: the only account below zero. */
  public static final AccountId OUTSIDE = new AccountId("@outside");

  /** The other side of every hold. */
  public static final AccountId HELD = new AccountId("@held");

  /** Who is paid for running schedules. */
  public static final AccountId FEES = new AccountId("@fees");

  /** As whom the queue itself does something to a schedule. */
  public static final AccountId QUEUE = new AccountId("@queue");

  private static final int MOST_CHARACTERS = 200;
  private static final char TOKEN_MARK = '#';

  public AccountId {
    if (value.isEmpty() || value.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("An account's name has 1 to 200 characters.");
    }
    if (!Utf8.isWhole(value)) {
      throw new IllegalArgumentException("An account's name holds half a surrogate pair.");
    }
    int mark = value.indexOf(TOKEN_MARK);
    if (mark == 0 || (mark > 0 && !TokenId.isName(value.substring(mark + 1)))) {
      throw new IllegalArgumentException(
          "What somebody has in a token is named by the holder, '#' and the token.");
    }
  }

  /** Whether nobody can sign for it: the book's own, and those in a token. */
  public boolean isReserved() {
    return value.charAt(0) == '@' || value.indexOf(TOKEN_MARK) >= 0;
  }

  /** Whether what stands on it is somebody's to spend: a person's, or {@link #FEES}. */
  public boolean isSpendable() {
    return !isReserved() || equals(FEES);
  }

  /** Whether its holder's name leaves room for the token's. */
  public boolean canHold(TokenId token) {
    return holder().value.length() + 1 + token.value().length() <= MOST_CHARACTERS;
  }

  /**
   * Where its holder has what it has in {@code token}.
   *
   * @throws IllegalArgumentException if it cannot hold the token
   */
  public AccountId in(TokenId token) {
    return new AccountId(holder().value + TOKEN_MARK + token);
  }

  /** Its holder's account in the money of {@code other}. */
  public AccountId inMoneyOf(AccountId other) {
    return other.token().map(this::in).orElse(this);
  }

  /** Whose it is: itself, if it is in the queue's own money. */
  public AccountId holder() {
    int mark = value.indexOf(TOKEN_MARK);
    return mark < 0 ? this : new AccountId(value.substring(0, mark));
  }

  /** What it counts; empty for the queue's own money. */
  public Optional<TokenId> token() {
    int mark = value.indexOf(TOKEN_MARK);
    return mark < 0 ? Optional.empty() : Optional.of(new TokenId(value.substring(mark + 1)));
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

package dev.sequitur.domain;

import dev.sequitur.domain.Coin.Held;
import dev.sequitur.protocol.port.Domain.States;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the coins that pay for a transaction, at most {@value #MAX_COINS}. The oldest come first:
 * so small ones are merged in passing, and change, the youngest, is touched last, which keeps the
 * transactions of one owner independent of each other. Only if the oldest do not reach, the largest
 * are taken, as few as suffice.
 */
final class CoinSelection {
  static final int MAX_COINS = 16;

  /** Why an amount within the balance cannot be spent. */
  static final String TOO_MANY_COINS =
      "The sender's balance lies in too many coins: one transaction takes at most "
          + MAX_COINS
          + ", so transfer smaller amounts to yourself first, which merges coins.";

  /** For what costs nothing. */
  static final CoinSelection NONE = new CoinSelection();

  private final List<Held> chosen = new ArrayList<>();
  private BigInteger sum = BigInteger.ZERO;

  private CoinSelection() {}

  /**
   * Of the sender's coins.
   *
   * @param cost positive
   * @throws RuleViolation one that may pass, if the coins do not reach
   */
  static CoinSelection choose(CoinKind kind, Given given, States states, BigInteger cost) {
    var group = given.group();
    var owner = given.from();
    var oldest = new CoinSelection();
    var rest = kind.of(owner, states).iterator();
    while (rest.hasNext() && oldest.chosen.size() < MAX_COINS) {
      kind.spendable(group, owner, rest.next()).ifPresent(oldest::add);
      if (oldest.reaches(cost)) {
        return oldest;
      }
    }
    var all = new ArrayList<>(oldest.chosen);
    rest.forEachRemaining(state -> kind.spendable(group, owner, state).ifPresent(all::add));
    return largest(all, cost);
  }

  private static CoinSelection largest(List<Held> all, BigInteger cost) {
    var balance = all.stream().map(CoinSelection::value).reduce(BigInteger.ZERO, BigInteger::add);
    if (balance.compareTo(cost) < 0) {
      throw RuleViolation.lacking("The amount must be at most the sender's balance.");
    }
    all.sort(Comparator.comparing(CoinSelection::value).reversed());
    var largest = new CoinSelection();
    for (var held : all.subList(0, Math.min(MAX_COINS, all.size()))) {
      largest.add(held);
      if (largest.reaches(cost)) {
        return largest;
      }
    }
    throw RuleViolation.now(TOO_MANY_COINS);
  }

  private static BigInteger value(Held held) {
    return held.coin().amount().value();
  }

  private void add(Held held) {
    chosen.add(held);
    sum = sum.add(value(held));
  }

  private boolean reaches(BigInteger cost) {
    return sum.compareTo(cost) >= 0;
  }

  List<PrivateState> states() {
    return chosen.stream().map(Held::state).toList();
  }

  BigInteger sum() {
    return sum;
  }
}

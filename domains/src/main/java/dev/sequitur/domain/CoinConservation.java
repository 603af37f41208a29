package dev.sequitur.domain;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** No coin comes from nothing: what domains of coins check alike. */
final class CoinConservation {
  private CoinConservation() {}

  /**
   * What coins are worth together.
   *
   * @throws RuleViolation if one of them is not the owner's
   */
  private static BigInteger spent(CoinKind kind, Identity owner, List<PrivateState> inputs) {
    RuleViolation.unless(
        inputs.size() <= CoinSelection.MAX_COINS,
        "A transaction spends at most " + CoinSelection.MAX_COINS + " coins.");
    var spent = BigInteger.ZERO;
    for (var state : inputs) {
      var coin = Coin.of(kind, state);
      RuleViolation.unless(coin.owner().equals(owner), "A coin that is spent is not the sender's.");
      spent = spent.add(coin.amount().value());
    }
    return spent;
  }

  /**
   * The coins to be made of an owner's own, which pay for an intent.
   *
   * @throws RuleViolation if it is not paid for by these
   */
  static List<Payment> paid(
      CoinKind kind,
      Identity owner,
      List<Payment> payments,
      BigInteger cost,
      List<PrivateState> inputs) {
    RuleViolation.unless(
        cost.signum() > 0 || inputs.isEmpty(), "What is spent does not match the intent.");
    return withChange(payments, cost, owner, spent(kind, owner, inputs));
  }

  /**
   * The coins to be made of what is spent: the payments, and last the owner's change.
   *
   * @param cost what the payments and what is burnt take from it
   */
  static List<Payment> withChange(
      List<Payment> payments, BigInteger cost, Identity owner, BigInteger spent) {
    var change = spent.subtract(cost);
    RuleViolation.unless(change.signum() >= 0, "What is spent does not match the intent.");
    if (change.signum() == 0) {
      return payments;
    }
    RuleViolation.unless(TokenAmount.isValid(change), "The change is too large for one coin.");
    var made = new ArrayList<>(payments);
    made.add(new Payment(owner, new TokenAmount(change)));
    return made;
  }

  /** Refuses coins that are not just these, in their order, made for the intent. */
  static void check(
      CoinKind kind, Hash intent, List<Payment> expected, List<PrivateState> outputs) {
    RuleViolation.unless(
        outputs.size() == expected.size(), "The coins that are made do not match the intent.");
    for (int i = 0; i < outputs.size(); i++) {
      var coin = Coin.of(kind, outputs.get(i));
      RuleViolation.unless(
          coin.owner().equals(expected.get(i).to())
              && outputs.get(i).lookup().equals(kind.name().apply(coin.owner()))
              && coin.amount().equals(expected.get(i).amount())
              && coin.intent().equals(intent),
          "The coins that are made do not match the intent.");
    }
  }

  /** Makes these coins, in their order. */
  static void make(CoinKind kind, List<Payment> payments, NewStates outputs) {
    for (var payment : payments) {
      outputs.salted(kind.schema(), kind.name().apply(payment.to()), Coin.data(kind, payment));
    }
  }
}

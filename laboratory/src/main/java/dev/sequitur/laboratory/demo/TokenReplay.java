package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Owners' balances after mints, transfers and burns. */
final class TokenReplay implements Replay {
  private static final String AMOUNT = "amount";

  private final String group;
  private final Map<String, BigInteger> balances = new HashMap<>();
  private BigInteger minted = BigInteger.ZERO;
  private BigInteger burned = BigInteger.ZERO;

  TokenReplay(String group) {
    this.group = group;
  }

  @Override
  public void apply(PrivateTransaction transaction) {
    var inputs = Replay.json(transaction.inputs());
    var from = transaction.from().toString();
    switch (transaction.function()) {
      case "mint" -> {
        minted = minted.add(amount(inputs));
        add(inputs.path("to").asText(), amount(inputs));
      }
      case "burn" -> {
        burned = burned.add(amount(inputs));
        add(from, amount(inputs).negate());
      }
      case "transfer" -> {
        if (inputs.has("outputs")) {
          inputs.path("outputs").forEach(payment -> pay(from, payment));
        } else {
          pay(from, inputs);
        }
      }
      default ->
          throw new DemoFailure("The double-check knows no function " + transaction.function());
    }
  }

  private void pay(String from, JsonNode payment) {
    add(from, amount(payment).negate());
    add(payment.path("to").asText(), amount(payment));
  }

  private void add(String owner, BigInteger amount) {
    balances.merge(owner, amount, BigInteger::add);
  }

  private static BigInteger amount(JsonNode payment) {
    return new BigInteger(payment.path(AMOUNT).asText());
  }

  @Override
  public Finding compare(List<PrivateState> standing) {
    var held = new HashMap<String, BigInteger>();
    for (var coin : standing) {
      var data = Replay.json(coin.data());
      held.merge(data.path("owner").asText(), amount(data), BigInteger::add);
    }
    balances.values().removeIf(balance -> balance.signum() == 0);
    var sum = held.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
    var expected = minted.subtract(burned);
    return Finding.of(
        sum.equals(expected) && held.equals(balances),
        "%s: coins of %,d for %,d minted and %,d burned%s",
        group,
        sum,
        minted,
        burned,
        held.equals(balances)
            ? ", each owner's balance as their transfers make it"
            : ", but the owners' balances are not what their transfers make them");
  }
}

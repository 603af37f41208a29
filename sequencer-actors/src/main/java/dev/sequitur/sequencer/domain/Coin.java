package dev.sequitur.sequencer.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import java.util.Optional;

/**
 * A state of the token domain: schema {@code coin}, lookup the owner, data {@code {"amount": "12",
 * "intent": "0x…", "owner": "name@node", "salt": "0x…"}}.
 *
 * @param intent of the transaction that made it
 */
record Coin(Identity owner, Amount amount, Hash intent) {
  static final String SCHEMA = "coin";

  private static final String OWNER = "owner";
  private static final String AMOUNT = "amount";
  private static final List<String> FIELDS = List.of(AMOUNT, "intent", OWNER, "salt");

  /** A coin with its state. */
  record Held(PrivateState state, Coin coin) {}

  /** The data of a coin, but for salt and intent. */
  static ObjectNode data(Payment payment) {
    return CanonicalJson.object()
        .put(OWNER, payment.to().toString())
        .put(AMOUNT, payment.amount().toString());
  }

  /**
   * @throws RuleViolation if the state is no coin in canonical form
   */
  static Coin of(PrivateState state) {
    var fields = StateContent.open(state, SCHEMA, FIELDS);
    var owner = fields.identity(OWNER);
    var amount = fields.amount(AMOUNT);
    RuleViolation.unless(
        fields.required(AMOUNT).isTextual()
            && owner.toString().equals(state.lookup())
            && amount.toString().equals(fields.text(AMOUNT)),
        "A coin is not written as coins are.");
    fields.hash("salt");
    return new Coin(owner, amount, fields.hash("intent"));
  }

  /** Empty if an endorser would refuse it as input of {@code owner}. */
  static Optional<Held> spendable(PrivacyGroup group, Identity owner, PrivateState state) {
    if (!StateContent.isUsable(group, state)) {
      return Optional.empty();
    }
    try {
      var coin = of(state);
      return coin.owner().equals(owner) ? Optional.of(new Held(state, coin)) : Optional.empty();
    } catch (RuleViolation e) {
      return Optional.empty();
    }
  }
}

package dev.sequitur.sequencer.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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
  private static final String INTENT = "intent";
  private static final String SALT = "salt";
  private static final List<String> FIELDS = List.of(AMOUNT, INTENT, OWNER, SALT);

  /** The data between its quotation marks; what is empty is the coin's own. */
  private static final List<String> SPELLING =
      List.of(
          "{", AMOUNT, ":", "", ",", INTENT, ":", "", ",", OWNER, ":", "", ",", SALT, ":", "", "}");

  private static final int AMOUNT_PART = 3;
  private static final int INTENT_PART = 7;
  private static final int OWNER_PART = 11;
  private static final int SALT_PART = 15;

  /** As those see it who look for coins. */
  static final Domain.StateSchema DESCRIBED =
      new Domain.StateSchema(
          SCHEMA, List.of(new Domain.Label(OWNER, false), new Domain.Label(AMOUNT, true)));

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
    return plain(state).orElseGet(() -> byFields(state));
  }

  /**
   * The same without a tree of JSON in between: a coin has one spelling, and each node reads each
   * coin when it is made and again when it is spent.
   *
   * @return empty if it is not spelt so
   */
  private static Optional<Coin> plain(PrivateState state) {
    var text = new String(state.data().toByteArray(), StandardCharsets.ISO_8859_1);
    var parts = text.split("\"", -1);
    if (!state.schema().equals(SCHEMA)
        || !isSpelling(parts)
        || !parts[OWNER_PART].equals(state.lookup())
        || !JsonFields.isWholeNumber(parts[AMOUNT_PART])
        || !JsonFields.isHash(parts[INTENT_PART])
        || !JsonFields.isHash(parts[SALT_PART])) {
      return Optional.empty();
    }
    var amount = new BigInteger(parts[AMOUNT_PART]);
    try {
      return Amount.isValid(amount)
          ? Optional.of(
              new Coin(
                  Identity.parse(parts[OWNER_PART]),
                  new Amount(amount),
                  Hash.hex(parts[INTENT_PART])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it is no identity
    }
  }

  private static boolean isSpelling(String[] parts) {
    if (parts.length != SPELLING.size()) {
      return false;
    }
    for (int i = 0; i < parts.length; i++) {
      var must = SPELLING.get(i);
      if (!must.isEmpty() && !must.equals(parts[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * @throws RuleViolation with a sentence that says what is wrong with it
   */
  static Coin byFields(PrivateState state) {
    var fields = StateContent.open(state, SCHEMA, FIELDS);
    var owner = fields.identity(OWNER);
    var amount = fields.amount(AMOUNT);
    RuleViolation.unless(
        fields.required(AMOUNT).isTextual()
            && owner.toString().equals(state.lookup())
            && amount.toString().equals(fields.text(AMOUNT)),
        "A coin is not written as coins are.");
    fields.hash(SALT);
    return new Coin(owner, amount, fields.hash(INTENT));
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

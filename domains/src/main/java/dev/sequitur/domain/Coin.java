package dev.sequitur.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A coin as a state: schema and owner's name as its {@linkplain CoinKind kind} has them, lookup the
 * owner's name, data {@code {"amount": "12", "intent": "0x…", "owner": "name@node", "salt":
 * "0x…"}}.
 *
 * @param intent of the transaction that made it
 */
record Coin(Identity owner, TokenAmount amount, Hash intent) {
  static final String OWNER = "owner";
  static final String AMOUNT = "amount";

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

  /** A coin with its state. */
  record Held(PrivateState state, Coin coin) {}

  /** The data of a coin, but for salt and intent. */
  static ObjectNode data(CoinKind kind, Payment payment) {
    return CanonicalJson.object()
        .put(OWNER, kind.name().apply(payment.to()))
        .put(AMOUNT, payment.amount().toString());
  }

  /**
   * @throws RuleViolation if the state is no coin of this kind in canonical form
   */
  static Coin of(CoinKind kind, PrivateState state) {
    return plain(kind, state).orElseGet(() -> byFields(kind, state));
  }

  /**
   * The same without a tree of JSON in between: a coin has one spelling, and each node reads each
   * coin when it is made and again when it is spent.
   *
   * @return empty if it is not spelt so
   */
  private static Optional<Coin> plain(CoinKind kind, PrivateState state) {
    var text = new String(state.data().toByteArray(), StandardCharsets.ISO_8859_1);
    var parts = text.split("\"", -1);
    if (!state.schema().equals(kind.schema())
        || !isSpelling(parts)
        || !parts[OWNER_PART].equals(state.lookup())
        || !JsonFields.isWholeNumber(parts[AMOUNT_PART])
        || !JsonFields.isHash(parts[INTENT_PART])
        || !JsonFields.isHash(parts[SALT_PART])) {
      return Optional.empty();
    }
    var amount = new BigInteger(parts[AMOUNT_PART]);
    try {
      return TokenAmount.isValid(amount)
          ? Optional.of(
              new Coin(
                  kind.owner().apply(parts[OWNER_PART]),
                  new TokenAmount(amount),
                  Hash.hex(parts[INTENT_PART])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it is no owner
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
  static Coin byFields(CoinKind kind, PrivateState state) {
    var fields = StateContent.open(state, kind.schema(), FIELDS);
    var owner = fields.identity(OWNER, kind.owner());
    var amount = fields.amount(AMOUNT);
    RuleViolation.unless(
        fields.required(AMOUNT).isTextual()
            && fields.text(OWNER).equals(state.lookup())
            && kind.names().apply(owner).contains(state.lookup())
            && amount.toString().equals(fields.text(AMOUNT)),
        "A coin is not written as coins are.");
    fields.hash(SALT);
    return new Coin(owner, amount, fields.hash(INTENT));
  }
}

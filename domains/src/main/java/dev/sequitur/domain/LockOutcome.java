package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a lock when it is spent, as its owner has prepared it.
 *
 * @param mints the payments come from nothing and not out of the lock
 * @param cost what payments, or burning, take out of the lock; the owner gets the rest
 * @param data the application's own bytes, told when the lock ends
 */
record LockOutcome(boolean mints, List<Payment> payments, BigInteger cost, String data) {
  private static final String COST = "cost";
  private static final String DATA = "data";
  private static final String MINTS = "mints";
  private static final String PAYMENTS = "outputs";
  private static final String TO = "to";
  private static final String AMOUNT = "amount";
  private static final String WHAT = "The contents of a lock";

  LockOutcome {
    payments = List.copyOf(payments);
  }

  static LockOutcome transfer(List<Payment> payments, String data) {
    return new LockOutcome(false, payments, Payment.sum(payments), data);
  }

  static LockOutcome mint(List<Payment> payments, String data) {
    return new LockOutcome(true, payments, BigInteger.ZERO, data);
  }

  static LockOutcome burn(BigInteger amount, String data) {
    return new LockOutcome(false, List.of(), amount, data);
  }

  boolean burns() {
    return payments.isEmpty();
  }

  ObjectNode json(Accounts accounts) {
    var json = CanonicalJson.object().put(COST, cost.toString()).put(DATA, data).put(MINTS, mints);
    Payment.write(payments, accounts::address, json.putArray(PAYMENTS));
    return json;
  }

  /**
   * @throws RuleViolation if it is none
   */
  static LockOutcome of(Accounts accounts, JsonNode json) {
    var fields = new JsonFields(json, WHAT, List.of(COST, DATA, MINTS, PAYMENTS));
    var payments = new ArrayList<Payment>();
    for (var output : fields.required(PAYMENTS)) {
      var payment = new JsonFields(output, WHAT, List.of(TO, AMOUNT));
      payments.add(new Payment(payment.identity(TO, accounts::everMember), payment.amount(AMOUNT)));
    }
    return new LockOutcome(
        fields.flag(MINTS, false), payments, fields.wholeNumber(COST), fields.text(DATA));
  }
}

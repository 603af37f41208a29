package dev.sequitur.domain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

/** An amount and who gets it. */
record Payment(Identity to, TokenAmount amount) {
  private static final String TO = "to";
  private static final String AMOUNT = "amount";

  static BigInteger sum(List<Payment> payments) {
    return payments.stream()
        .map(payment -> payment.amount().value())
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * @param name how whoever gets one is named
   */
  static void write(List<Payment> payments, Function<Identity, String> name, ArrayNode outputs) {
    for (var payment : payments) {
      outputs
          .addObject()
          .put(TO, name.apply(payment.to()))
          .put(AMOUNT, payment.amount().toString());
    }
  }
}

package dev.sequitur.domain;

import java.math.BigInteger;
import java.util.List;

/** What a transaction of the token domain asks for. */
sealed interface TokenIntent {
  /** The function's name. */
  String function();

  /** What others get, in order. */
  List<Payment> payments();

  /** What the sender's own coins must cover. */
  BigInteger cost();

  /** Makes a coin out of nothing. */
  record Mint(Payment payment) implements TokenIntent {
    @Override
    public String function() {
      return TokenDomain.MINT;
    }

    @Override
    public List<Payment> payments() {
      return List.of(payment);
    }

    @Override
    public BigInteger cost() {
      return BigInteger.ZERO;
    }
  }

  /** Hands coins to one or several owners. */
  record Transfer(List<Payment> payments) implements TokenIntent {
    public Transfer {
      payments = List.copyOf(payments);
    }

    @Override
    public String function() {
      return TokenDomain.TRANSFER;
    }

    @Override
    public BigInteger cost() {
      return Payment.sum(payments);
    }
  }

  /** Takes an amount out of the world. */
  record Burn(TokenAmount amount) implements TokenIntent {
    @Override
    public String function() {
      return TokenDomain.BURN;
    }

    @Override
    public List<Payment> payments() {
      return List.of();
    }

    @Override
    public BigInteger cost() {
      return amount.value();
    }
  }
}

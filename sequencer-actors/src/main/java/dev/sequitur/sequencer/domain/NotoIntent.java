package dev.sequitur.sequencer.domain;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** What a transaction of {@code noto} asks for. */
sealed interface NotoIntent {
  /** The application's own bytes: 0x if there are none. */
  String data();

  /** What the sender's own coins must cover. */
  default BigInteger cost() {
    return BigInteger.ZERO;
  }

  /** The lock that it changes or ends. */
  default Optional<Hash> lock() {
    return Optional.empty();
  }

  /** Makes a coin out of nothing. */
  record Mint(Payment payment, String data) implements NotoIntent {}

  /** Hands a coin to another owner. */
  record Transfer(Payment payment, String data) implements NotoIntent {
    @Override
    public BigInteger cost() {
      return payment.amount().value();
    }
  }

  /** Takes an amount out of the world. */
  record Burn(BigInteger cost, String data) implements NotoIntent {}

  /**
   * Puts coins into a new lock.
   *
   * @param cost what goes into it; perhaps nothing
   * @param outcome what becomes of it, if that is said at once
   */
  record Create(BigInteger cost, Optional<LockOutcome> outcome, String data)
      implements NotoIntent {}

  /** Says what becomes of a lock. */
  record Prepare(Hash id, LockOutcome outcome, String data) implements NotoIntent {
    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }
  }

  /** Names the only one who may end a lock from now on. */
  record Delegate(Hash id, Identity to, String data) implements NotoIntent {
    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }
  }

  /** Ends a lock as its owner likes. */
  record Unlock(Hash id, List<Payment> payments, String data) implements NotoIntent {
    public Unlock {
      payments = List.copyOf(payments);
    }

    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }
  }

  /**
   * Ends a lock as it was prepared, or gives it back to its owner.
   *
   * @param spends whether as it was prepared
   */
  record Settle(Hash id, boolean spends, String data) implements NotoIntent {
    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }
  }
}

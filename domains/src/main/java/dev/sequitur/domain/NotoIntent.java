package dev.sequitur.domain;

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

  /** Whether coins come out of nothing, at once or as a lock ends. */
  default boolean mints() {
    return false;
  }

  /** Whether coins leave the world, at once or as a lock ends. */
  default boolean burns() {
    return false;
  }

  /** Whether it makes a lock. */
  default boolean locks() {
    return false;
  }

  /** Whether it ends the lock, so that what lies in it is spent too. */
  default boolean unlocks() {
    return false;
  }

  /**
   * Whether somebody may get coins by it. What ends a lock may pay anybody: the states say whom.
   */
  default boolean mayPay(Identity owner) {
    return unlocks();
  }

  /** Makes a coin out of nothing. */
  record Mint(Payment payment, String data) implements NotoIntent {
    @Override
    public boolean mints() {
      return true;
    }

    @Override
    public boolean mayPay(Identity owner) {
      return payment.to().equals(owner);
    }
  }

  /** Hands a coin to another owner. */
  record Transfer(Payment payment, String data) implements NotoIntent {
    @Override
    public BigInteger cost() {
      return payment.amount().value();
    }

    @Override
    public boolean mayPay(Identity owner) {
      return payment.to().equals(owner);
    }
  }

  /** Takes an amount out of the world. */
  record Burn(BigInteger cost, String data) implements NotoIntent {
    @Override
    public boolean burns() {
      return true;
    }
  }

  /**
   * Puts coins into a new lock.
   *
   * @param cost what goes into it; perhaps nothing
   * @param outcome what becomes of it, if that is said at once
   */
  record Create(BigInteger cost, Optional<LockOutcome> outcome, String data) implements NotoIntent {
    @Override
    public boolean locks() {
      return true;
    }

    @Override
    public boolean mints() {
      return outcome.filter(LockOutcome::mints).isPresent();
    }

    @Override
    public boolean burns() {
      return outcome.filter(LockOutcome::burns).isPresent();
    }
  }

  /** Says what becomes of a lock. */
  record Prepare(Hash id, LockOutcome outcome, String data) implements NotoIntent {
    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }

    @Override
    public boolean mints() {
      return outcome.mints();
    }

    @Override
    public boolean burns() {
      return outcome.burns();
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
    public boolean unlocks() {
      return true;
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
    public boolean unlocks() {
      return true;
    }

    @Override
    public Optional<Hash> lock() {
      return Optional.of(id);
    }
  }
}

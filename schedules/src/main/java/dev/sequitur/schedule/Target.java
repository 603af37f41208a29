package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.math.BigInteger;
import java.util.Optional;

/** What a schedule runs (SCH-17). */
public sealed interface Target {
  /**
   * Runs inside the queue and has its outcome in the same step (SCH-16), but for a transfer to
   * another partition of it (SCH-29).
   */
  sealed interface InQueue extends Target permits Transfer, Notify, Repeat, ByFamily {}

  /** From the schedule's owner to {@code to}, within the queue. */
  record Transfer(AccountId to, Amount amount) implements InQueue {
    public Transfer {
      if (to.isReserved()) {
        throw new IllegalArgumentException("Name an account to pay, not " + to + ".");
      }
    }
  }

  /** Tells the queue's listeners {@code message}, private to them. */
  record Notify(Bytes message) implements InQueue {}

  /** Done by the schedule's own family as it is started; the terms say what. */
  record ByFamily() implements InQueue {}

  /**
   * Runs {@code action} and, if that succeeds, schedules itself anew from inside the execution.
   *
   * @param everyMillis after the time that this one was scheduled for
   * @param more how often it is still to be scheduled anew
   */
  record Repeat(InQueue action, long everyMillis, int more) implements InQueue {
    public Repeat {
      boolean plain =
          switch (action) {
            case Transfer ignored -> true;
            case Notify ignored -> true;
            case Repeat ignored -> false;
            case ByFamily() -> false;
          };
      if (!plain || everyMillis < 1 || more < 0) {
        throw new IllegalArgumentException(
            "A repetition has one plain action, an interval of at least 1 ms, and a count.");
      }
    }
  }

  /** What is handed over, and whose outcome comes later. */
  sealed interface Call extends Target, HandedOver permits PrivateCall, PublicCall {
    /** Whose key it needs. */
    Identity from();
  }

  /**
   * A private transaction of the sequencer.
   *
   * @param inputs UTF-8 JSON, private to its group
   */
  record PrivateCall(
      ContractAddress contract, String domain, String function, Identity from, Bytes inputs)
      implements Call {
    @Override
    public ContractAddress line() {
      return contract;
    }
  }

  /**
   * A call on the base ledger, or what makes a contract there (PUB-1).
   *
   * @param to empty to make a contract
   * @param data as it goes to the ledger
   * @param gas it may use so much; 0 for what its family gives, or to ask the ledger when it runs
   * @param source what its caller wrote
   */
  record PublicCall(
      Identity from,
      Optional<ContractAddress> to,
      Bytes data,
      BigInteger value,
      long gas,
      PublicTransaction.Source source)
      implements Call {
    /** What a base-ledger transaction uses before it does anything. */
    public static final long LEAST_GAS = 21_000;

    private static final ContractAddress NEW = new ContractAddress("0x" + "0".repeat(40));

    /** The same, which may use so much. */
    public PublicCall withGas(long limit) {
      return new PublicCall(from, to, data, value, limit, source);
    }

    @Override
    public ContractAddress line() {
      return to.orElse(NEW);
    }

    private int bytes() {
      return data.size()
          + source.inputs().map(Bytes::size).orElse(0)
          + source.abi().map(Bytes::size).orElse(0);
    }
  }

  /** What it pays within the queue. */
  default Optional<Transfer> payment() {
    return switch (this) {
      case Transfer transfer -> Optional.of(transfer);
      case Repeat repeat -> repeat.action().payment();
      case Notify ignored -> Optional.empty();
      case PrivateCall ignored -> Optional.empty();
      case PublicCall ignored -> Optional.empty();
      case ByFamily() -> Optional.empty();
    };
  }

  /** How many bytes of content it carries, which a family may limit. */
  default int size() {
    return switch (this) {
      case Notify notify -> notify.message().size();
      case Repeat repeat -> repeat.action().size();
      case PrivateCall call -> call.inputs().size();
      case PublicCall call -> call.bytes();
      case Transfer ignored -> 0;
      case ByFamily() -> 0;
    };
  }
}

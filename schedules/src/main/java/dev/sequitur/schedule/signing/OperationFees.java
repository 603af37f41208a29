package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.Amount;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * What each operation costs (MSIG-14).
 *
 * @param create of a schedule
 * @param sign of an operation that adds signatures
 * @param delete of a schedule
 * @param perSignature of each signature that is appended
 * @param cryptoTransfer of its execution
 * @param cryptoCreate of a new account, scheduled or not
 * @param cryptoUpdate of an account, scheduled or not
 * @param privateTransaction of handing it over
 * @param query of a question that Hedera takes money for, where questions are paid for
 */
public record OperationFees(
    Amount create,
    Amount sign,
    Amount delete,
    Amount perSignature,
    Amount cryptoTransfer,
    Amount cryptoCreate,
    Amount cryptoUpdate,
    Amount privateTransaction,
    Amount query) {
  public static final OperationFees DEFAULT =
      new OperationFees(
          new Amount(10),
          new Amount(1),
          new Amount(1),
          new Amount(1),
          new Amount(1),
          new Amount(10),
          new Amount(1),
          new Amount(10),
          new Amount(1));

  /** Of one execution. */
  public Amount of(Action action) {
    return switch (action) {
      case Action.CryptoTransfer ignored -> cryptoTransfer;
      case Action.CryptoCreate ignored -> cryptoCreate;
      case Action.CryptoUpdate ignored -> cryptoUpdate;
      case Action.PrivateTransaction ignored -> privateTransaction;
      case Action.Unschedulable not -> throw not.neverScheduled();
    };
  }

  /** Of creating a schedule and executing it once. */
  public Amount least() {
    var execution =
        Stream.of(cryptoTransfer, cryptoCreate, cryptoUpdate, privateTransaction)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return create.plus(execution);
  }

  /** Of appending so many signatures, beside the operation's own. */
  public Amount ofSignatures(int number) {
    return Amount.product(number, perSignature.units());
  }
}

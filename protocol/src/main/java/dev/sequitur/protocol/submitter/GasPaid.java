package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.math.BigInteger;
import java.util.List;

/**
 * What base-ledger transactions have cost, in the ledger's smallest unit (FND-5).
 *
 * @param total of all of them
 * @param reverted of it, for what was refused: of a transaction that carries several, by their
 *     number; of a public one, for what failed as a whole
 */
public record GasPaid(BigInteger total, BigInteger reverted) {
  public static final GasPaid NONE = new GasPaid(BigInteger.ZERO, BigInteger.ZERO);

  static GasPaid by(LedgerReceipt receipt) {
    var results =
        receipt.called().<List<LedgerReceipt.Result>>map(List::of).orElseGet(receipt::results);
    long refused = results.stream().filter(GasPaid::isRefused).count();
    var paid = receipt.paid();
    var each = paid.divide(BigInteger.valueOf(Math.max(1, results.size())));
    return new GasPaid(
        paid, refused == results.size() ? paid : each.multiply(BigInteger.valueOf(refused)));
  }

  private static boolean isRefused(LedgerReceipt.Result result) {
    return switch (result) {
      case LedgerReceipt.Reverted ignored -> true;
      case LedgerReceipt.Called called -> !called.success();
      case LedgerReceipt.Fulfilled ignored -> false;
      case LedgerReceipt.ChangeRefused ignored -> true;
      case LedgerReceipt.CommitteeChanged ignored -> false;
      case LedgerReceipt.Deployed ignored -> false;
      case LedgerReceipt.NonceUsed ignored -> false;
    };
  }

  GasPaid plus(GasPaid other) {
    return new GasPaid(total.add(other.total), reverted.add(other.reverted));
  }
}

package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.util.List;

/**
 * What base-ledger transactions have cost, in the ledger's smallest unit (FND-5).
 *
 * @param total of all of them
 * @param reverted of it, for what was refused: of a transaction that carries several, by their
 *     number; of a public one, for what failed as a whole
 */
public record GasPaid(long total, long reverted) {
  public static final GasPaid NONE = new GasPaid(0, 0);

  static GasPaid by(LedgerReceipt receipt) {
    var results =
        receipt.called().<List<LedgerReceipt.Result>>map(List::of).orElseGet(receipt::results);
    long refused = results.stream().filter(GasPaid::isRefused).count();
    long each = receipt.paid() / Math.max(1, results.size());
    return new GasPaid(receipt.paid(), refused == results.size() ? receipt.paid() : refused * each);
  }

  private static boolean isRefused(LedgerReceipt.Result result) {
    return switch (result) {
      case LedgerReceipt.Reverted ignored -> true;
      case LedgerReceipt.Called called -> !called.success();
      case LedgerReceipt.Fulfilled ignored -> false;
      case LedgerReceipt.Deployed ignored -> false;
      case LedgerReceipt.NonceUsed ignored -> false;
    };
  }

  GasPaid plus(GasPaid other) {
    return new GasPaid(sum(total, other.total), sum(reverted, other.reverted));
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}

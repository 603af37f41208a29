package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.KeyRing;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What holds for the rows of a transfer, scheduled or at once. */
final class Transfers {
  private Transfers() {}

  /** What is wrong with the rows themselves, whoever has what. */
  static Optional<ResponseCode> refusal(MultiSignatureSettings settings, List<AccountAmount> rows) {
    if (rows.size() > settings.limits().maxTransfers()) {
      return Optional.of(ResponseCode.TRANSFER_LIST_SIZE_LIMIT_EXCEEDED);
    }
    long given = 0;
    long taken = 0;
    var accounts = new HashSet<>();
    for (var row : rows) {
      if (!accounts.add(row.account())) {
        return Optional.of(ResponseCode.ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS);
      }
      try {
        given = Math.addExact(given, Math.max(0, Math.negateExact(row.units())));
        taken = Math.addExact(taken, Math.max(0, row.units()));
      } catch (ArithmeticException e) {
        return Optional.of(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
      }
    }
    boolean balanced = given == taken && rows.stream().allMatch(row -> row.units() != 0);
    return balanced && !rows.isEmpty()
        ? Optional.empty()
        : Optional.of(ResponseCode.INVALID_ACCOUNT_AMOUNTS);
  }

  static boolean nameOneThatIsDeleted(KeyRing ring, List<AccountAmount> rows) {
    return rows.stream().map(AccountAmount::account).anyMatch(ring::isDeleted);
  }

  /**
   * Whether somebody has too little of what it gives.
   *
   * @param payer who pays the fee beside it
   */
  static Optional<ResponseCode> refusedGivers(
      Book book, AccountId payer, Amount fee, List<AccountAmount> rows) {
    for (var row : rows) {
      var account = row.account().account();
      long paid = account.equals(payer) ? fee.units() : 0;
      if (book.available(account).units() - paid < -row.units()) {
        return Optional.of(ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
      }
    }
    return Optional.empty();
  }

  /** Each payment settles one giver or one taker: as many as rows, less one. */
  static List<Act> payments(List<AccountAmount> rows) {
    return payments(rows, EntityId::account);
  }

  /**
   * @param in whose book entry an account's row is
   */
  static List<Act> payments(List<AccountAmount> rows, Function<EntityId, AccountId> in) {
    var payments = new ArrayList<Act>();
    var takers = rows.stream().filter(row -> row.units() > 0).toList();
    int taker = 0;
    long open = takers.get(0).units();
    for (var giver : rows) {
      long left = giver.units() < 0 ? -giver.units() : 0;
      while (left > 0) {
        long amount = Math.min(left, open);
        payments.add(
            new Act.Pay(
                in.apply(giver.account()),
                in.apply(takers.get(taker).account()),
                new Amount(amount)));
        left -= amount;
        open -= amount;
        if (open == 0 && ++taker < takers.size()) {
          open = takers.get(taker).units();
        }
      }
    }
    return payments;
  }
}

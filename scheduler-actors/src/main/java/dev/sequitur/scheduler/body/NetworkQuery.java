package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;

/** A question of Hedera's clients, decoded. */
public sealed interface NetworkQuery {
  /** What an account has. */
  record Balance(EntityId account) implements NetworkQuery {}

  record AccountInfo(EntityId account) implements NetworkQuery {}

  record ScheduleInfo(EntityId schedule) implements NetworkQuery {}

  record Receipt(AccountTransactionId transaction) implements NetworkQuery {}

  record Record(AccountTransactionId transaction) implements NetworkQuery {}

  /** Which messages and which program answer. */
  record Version() implements NetworkQuery {}

  /** The kinds of questions, with their fields of Query and of Response. */
  enum Kind {
    BALANCE(7, 7, "CryptoGetAccountBalanceQuery"),
    ACCOUNT_INFO(9, 9, "CryptoGetInfoQuery"),
    RECEIPT(14, 14, "TransactionGetReceiptQuery"),
    RECORD(15, 15, "TransactionGetRecordQuery"),
    VERSION(51, 151, "NetworkGetVersionInfoQuery"),
    SCHEDULE_INFO(53, 153, "ScheduleGetInfoQuery");

    final int asked;
    final int answered;
    final String message;

    Kind(int asked, int answered, String message) {
      this.asked = asked;
      this.answered = answered;
      this.message = message;
    }
  }

  /**
   * A question with what its header says.
   *
   * @param costOnly whether only what it would cost is asked for
   */
  record Asked(boolean costOnly, NetworkQuery query) {}
}

package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;

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
    BALANCE(7, 7, false, "CryptoGetAccountBalanceQuery"),
    ACCOUNT_INFO(9, 9, true, "CryptoGetInfoQuery"),
    RECEIPT(14, 14, false, "TransactionGetReceiptQuery"),
    RECORD(15, 15, true, "TransactionGetRecordQuery"),
    VERSION(51, 151, true, "NetworkGetVersionInfoQuery"),
    SCHEDULE_INFO(53, 153, true, "ScheduleGetInfoQuery");

    final int asked;
    final int answered;
    final boolean paid;
    final String message;

    Kind(int asked, int answered, boolean paid, String message) {
      this.asked = asked;
      this.answered = answered;
      this.paid = paid;
      this.message = message;
    }

    /** Whether Hedera takes money for it. */
    public boolean isPaid() {
      return paid;
    }
  }

  /**
   * A question with what its header says.
   *
   * @param costOnly whether only what it would cost is asked for
   * @param payment the bytes of a Transaction
   * @param content of what is asked: another question has another one
   */
  record Asked(boolean costOnly, NetworkQuery query, Optional<Bytes> payment, Hash content) {}
}

package dev.sequitur.schedule.signing;

import java.util.Optional;

/**
 * What became of a transaction.
 *
 * @param account made by it
 * @param schedule made by it, or found identical; only of a ScheduleCreate
 * @param scheduledTransaction the id under which what it scheduled or signed is or will be recorded
 */
public record TransactionReceipt(
    ResponseCode status,
    Optional<EntityId> account,
    Optional<EntityId> schedule,
    Optional<AccountTransactionId> scheduledTransaction) {
  public static TransactionReceipt of(ResponseCode status) {
    return new TransactionReceipt(status, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static TransactionReceipt opened(EntityId account) {
    return new TransactionReceipt(
        ResponseCode.SUCCESS, Optional.of(account), Optional.empty(), Optional.empty());
  }
}

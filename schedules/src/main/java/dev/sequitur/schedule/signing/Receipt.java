package dev.sequitur.schedule.signing;

import java.util.Optional;

/**
 * What became of a transaction.
 *
 * @param account made by it
 * @param schedule made by it, or found identical; only of a ScheduleCreate
 * @param scheduledTransaction the id under which what it scheduled or signed is or will be recorded
 */
public record Receipt(
    ResponseCode status,
    Optional<EntityId> account,
    Optional<EntityId> schedule,
    Optional<TransactionId> scheduledTransaction) {
  public static Receipt of(ResponseCode status) {
    return new Receipt(status, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static Receipt opened(EntityId account) {
    return new Receipt(
        ResponseCode.SUCCESS, Optional.of(account), Optional.empty(), Optional.empty());
  }
}

package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How an intent ended.
 *
 * @param onLedger where it was confirmed; empty if it ended as reverted before it got there
 * @param failureMessage present just if it ended as reverted; holds no private data
 */
public record Receipt(
    TransactionId transaction,
    ContractAddress contract,
    String domain,
    boolean success,
    Optional<OnLedger> onLedger,
    Optional<String> failureMessage,
    Instant indexed) {

  /** The place on the base ledger. */
  public record OnLedger(
      TransactionHash hash,
      BlockHeight block,
      int index,
      List<StateId> spent,
      List<StateId> read,
      List<StateId> confirmed) {}

  public static Receipt reverted(
      TransactionId transaction,
      ContractAddress contract,
      String domain,
      String reason,
      Instant now) {
    return new Receipt(
        transaction, contract, domain, false, Optional.empty(), Optional.of(reason), now);
  }
}

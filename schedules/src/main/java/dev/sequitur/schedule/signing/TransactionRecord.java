package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.ConsensusTime;
import java.util.List;
import java.util.Optional;

/**
 * What is exported of a transaction.
 *
 * @param transactionHash SHA-384 of what was submitted; SHA-256 of the body of what was triggered
 * @param content as in {@link Submission}; of what was triggered, SHA-256 of the body
 * @param consensusTimestamp no two records of a queue have the same
 * @param fee charged
 * @param payer who paid it
 * @param transfers of money by the transaction, without its fee
 * @param scheduleRef the schedule that triggered it
 * @param privateTransaction as which the sequencer ran it: of the record that reports the outcome
 * @param group whose private transaction is in the schedule that it is about
 * @param asked what was submitted; empty of what was triggered
 */
public record TransactionRecord(
    TransactionReceipt receipt,
    Bytes transactionHash,
    Hash content,
    ConsensusTime consensusTimestamp,
    AccountTransactionId transactionId,
    String memo,
    long fee,
    EntityId payer,
    List<AccountAmount> transfers,
    Optional<EntityId> scheduleRef,
    Optional<dev.sequitur.protocol.id.TransactionId> privateTransaction,
    Optional<ContractAddress> group,
    Optional<Asked> asked) {
  public TransactionRecord {
    transfers = List.copyOf(transfers);
  }

  /**
   * What its receipt does not tell of a submitted transaction.
   *
   * @param operation as Hedera calls it, also if it was refused
   * @param about the account or schedule that it names; empty of what makes one
   * @param node the node account that its signed body names
   */
  public record Asked(
      String operation,
      Optional<EntityId> about,
      long maxFee,
      long validSeconds,
      NodeAccount node) {}
}

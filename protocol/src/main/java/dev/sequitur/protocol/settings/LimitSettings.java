package dev.sequitur.protocol.settings;

import dev.sequitur.protocol.copying.Copyable;
import java.time.Duration;

/**
 * @param coordinated transactions that a coordinator holds for one contract; beyond, it is
 *     overloaded (DLG-7)
 * @param delegated transactions of one contract that a sender has delegated at once; the others
 *     wait
 * @param delegationBatch transactions in one delegation command
 * @param assembleBatch transactions in one assemble request (ASM-1)
 * @param attestationBatch transactions that a party is asked to endorse at once (EDR-1), and that a
 *     sender is asked leave for at once (DSP-3)
 * @param attestationBatchBytes about how long such a request may become; one transaction goes
 *     whatever its length
 * @param attestationBatches such batches of one contract that are out at once; what is assembled
 *     meanwhile goes together once one of them is done
 * @param lockRetentionBlocks blocks for which the locks of a confirmed transaction are kept, for
 *     nodes that index later
 * @param externalLock how long a prepared transaction of external submit mode keeps its locks; at
 *     its sender it ends as reverted then (EXT-3)
 * @param overloadedFor the wait that an overloaded coordinator asks for
 * @param unconfirmedPerNode contents that a state store takes of one other node before what they
 *     are of is confirmed; beyond, it acknowledges no more
 * @param confirmedRemembered intents of a contract that a sender remembers as confirmed (SWO-2)
 * @param ledgerBatch what one base-ledger transaction carries (SUB-8)
 * @param intentSeries transactions of one sender and contract that share a slot on a chain, and are
 *     seen there to have one sender (CNF-4)
 * @param messagesKept messages that a node keeps of each other node in a group (MSG-8)
 */
@Copyable
public record LimitSettings(
    int coordinated,
    int delegated,
    int delegationBatch,
    int assembleBatch,
    int attestationBatch,
    int attestationBatchBytes,
    int attestationBatches,
    int lockRetentionBlocks,
    Duration externalLock,
    Duration overloadedFor,
    int unconfirmedPerNode,
    int confirmedRemembered,
    LedgerBatch ledgerBatch,
    int intentSeries,
    int messagesKept)
    implements LimitSettingsBuilder.With {
  public static final LimitSettings DEFAULT =
      new LimitSettings(
          20_000,
          4_000,
          500,
          64,
          64,
          1_048_576,
          4,
          5,
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          100_000,
          50_000,
          LedgerBatch.DEFAULT,
          16,
          10_000);

  /**
   * The bounds of one base-ledger transaction; a transition that exceeds them alone goes alone.
   *
   * @param transitions at most
   * @param bytes of call data, estimated
   * @param gas estimated by an EVM's prices
   */
  public record LedgerBatch(int transitions, int bytes, long gas) {
    public static final LedgerBatch DEFAULT = new LedgerBatch(64, 120_000, 10_000_000);
  }
}

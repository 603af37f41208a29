package dev.sequitur.protocol.settings;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What an operator may set; the defaults suit blocks of about a second.
 *
 * @param unmadeBlocks after how many blocks contents are deleted that no block has made a state of
 *     (ROM-8), at least {@link #LEAST_UNMADE_BLOCKS}; empty: never
 */
@Copyable
public record SequencerSettings(
    HeartbeatSettings heartbeats,
    DeliverySettings delivery,
    RetrySettings retries,
    LimitSettings limits,
    ErasureSettings erasures,
    Optional<Long> unmadeBlocks)
    implements SequencerSettingsBuilder.With {
  /** So long they are held in memory, and as long again. */
  public static final long LEAST_UNMADE_BLOCKS = 20_000;

  public static final SequencerSettings DEFAULT =
      new SequencerSettings(
          HeartbeatSettings.DEFAULT,
          DeliverySettings.DEFAULT,
          RetrySettings.DEFAULT,
          LimitSettings.DEFAULT);

  public SequencerSettings {
    if (unmadeBlocks.filter(blocks -> blocks < LEAST_UNMADE_BLOCKS).isPresent()) {
      throw new IllegalArgumentException(
          "What no block has made is kept for %d blocks at least.".formatted(LEAST_UNMADE_BLOCKS));
    }
  }

  /** Of a node that erases nothing at the request of others, and keeps what no block has made. */
  public SequencerSettings(
      HeartbeatSettings heartbeats,
      DeliverySettings delivery,
      RetrySettings retries,
      LimitSettings limits) {
    this(heartbeats, delivery, retries, limits, ErasureSettings.NOBODYS, Optional.empty());
  }

  /**
   * At whose request contents are erased (ROM-7).
   *
   * @param everybody whether at that of each member
   * @param of else at that of these nodes
   */
  public record ErasureSettings(boolean everybody, Set<NodeName> of) {
    public static final ErasureSettings NOBODYS = new ErasureSettings(false, Set.of());

    public ErasureSettings {
      of = Set.copyOf(of);
    }

    public boolean honours(NodeName member) {
      return everybody || of.contains(member);
    }
  }

  /**
   * @param coordinatorInterval between two heartbeats of a coordinator
   * @param coordinatorFailureThreshold without a heartbeat for this long, a sender asks the
   *     coordinator again by delegating; also how long a sign of life counts as evidence (AVL-2)
   * @param submitterInterval between two heartbeats of a submitter
   * @param submitterFailureThreshold without a heartbeat naming it for this long, a dispatched
   *     transaction is delegated again (SUB-6)
   * @param maxHoldOff how long dispatched transactions of an earlier range may hold back a contract
   *     (SWO-3)
   * @param presumedUnavailable how long a node is not asked again, if it gives no sign of life,
   *     after a handshake timed out; at most, one that answers and cannot act (AVL-7)
   * @param startupAgain the least time between two startup notifications for one contract
   */
  public record HeartbeatSettings(
      Duration coordinatorInterval,
      Duration coordinatorFailureThreshold,
      Duration submitterInterval,
      Duration submitterFailureThreshold,
      Duration maxHoldOff,
      Duration presumedUnavailable,
      Duration startupAgain) {
    public static final HeartbeatSettings DEFAULT =
        new HeartbeatSettings(
            Duration.ofMillis(500),
            Duration.ofMillis(2_500),
            Duration.ofMillis(500),
            Duration.ofSeconds(8),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5));

    public HeartbeatSettings {
      if (coordinatorFailureThreshold.compareTo(coordinatorInterval.multipliedBy(2)) < 0
          || submitterFailureThreshold.compareTo(submitterInterval.multipliedBy(2)) < 0) {
        throw new IllegalArgumentException(
            "A failure threshold is at least two heartbeat intervals, so that one lost heartbeat"
                + " changes nothing.");
      }
    }
  }

  /**
   * @param resend between resends of a command or request
   * @param resendNotification between resends of a reliable notification
   * @param notificationSends after so many sends a coordinator that coordinates nothing gives up a
   *     notification
   * @param delegationTimeout without an answer for this long, a coordinator is unavailable
   * @param assembleTimeout without an answer for this long, a sender's transactions are abandoned
   * @param endorsementTimeout without an answer for this long, a batch holds up no others any more;
   *     its endorser is asked on (EDR-8)
   * @param confirmationTimeout without an answer for this long, a dispatch is given up
   */
  public record DeliverySettings(
      Backoff resend,
      Backoff resendNotification,
      int notificationSends,
      Duration delegationTimeout,
      Duration assembleTimeout,
      Duration endorsementTimeout,
      Duration confirmationTimeout) {
    public static final DeliverySettings DEFAULT =
        new DeliverySettings(
            new Backoff(Duration.ofMillis(800), Duration.ofSeconds(5)),
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10)),
            20,
            Duration.ofMillis(2_500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10));
  }

  /**
   * @param redelegation wait before the same coordinator is asked again after a rejection
   * @param attempt wait before a failed transaction is tried again, or one that conflicts with
   *     another time and again; and before the receipt of what another depends on is looked up
   *     again
   * @param maxAttempts failed tries after which the sender ends a transaction as reverted, unless
   *     its caller asks for fewer; that endorsers have refused it counts as {@code maxRefusals} of
   *     them
   * @param parkedFor after this a parked transaction resumes by itself (SND-5)
   * @param refusal wait before a refused assembly is made anew: of the coordinator, and longer, of
   *     the sender once it is told
   * @param maxRefusals refusals by endorsers after which the sender is told (EDR-5)
   */
  public record RetrySettings(
      Backoff redelegation,
      Backoff attempt,
      int maxAttempts,
      Duration parkedFor,
      Backoff refusal,
      int maxRefusals) {
    public static final RetrySettings DEFAULT =
        new RetrySettings(
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)),
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10)),
            20,
            Duration.ofMinutes(5),
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(60)),
            3);
  }

  /**
   * @param coordinated transactions that a coordinator holds for one contract; beyond, it is
   *     overloaded (DLG-7)
   * @param delegated transactions of one contract that a sender has delegated at once; the others
   *     wait
   * @param delegationBatch transactions in one delegation command
   * @param assembleBatch transactions in one assemble request (ASM-1)
   * @param attestationBatch transactions that a party is asked to endorse at once (EDR-1), and that
   *     a sender is asked leave for at once (DSP-3)
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
   * @param confirmedRemembered ended transactions that the senders of a JVM remember, all together
   *     (SWO-2)
   * @param ledgerBatch what one base-ledger transaction carries (SUB-8)
   * @param intentSeries transactions of one sender and contract that share a slot on a chain, and
   *     are seen there to have one sender (CNF-4)
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
      implements SequencerSettingsLimitSettingsBuilder.With {
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
}

package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.Profile;
import java.util.Map;

/**
 * What an operator may set of the multi-signature family (docs/rules/multi-signature.md).
 *
 * @param bodiesExecuteOnce whether the same body runs once in a queue; the text allows it again,
 *     with signatures that are public by then (MSIG-3)
 */
@Copyable
public record MultiSignatureSettings(
    Profile profile,
    Expiry expiry,
    Throttles throttles,
    Limits limits,
    boolean bodiesExecuteOnce,
    OperationFees fees)
    implements MultiSignatureSettingsBuilder.With {
  public static final MultiSignatureSettings MVP =
      new MultiSignatureSettings(
          Profile.MVP,
          Expiry.DEFAULT,
          Throttles.DEFAULT,
          Limits.DEFAULT,
          true,
          OperationFees.DEFAULT);

  /** There signatures cover a transaction's id too, so that they cannot be used again. */
  public static final MultiSignatureSettings CURRENT =
      new MultiSignatureSettings(
          Profile.CURRENT,
          Expiry.DEFAULT,
          Throttles.DEFAULT,
          Limits.DEFAULT,
          false,
          OperationFees.DEFAULT);

  /**
   * When schedules go.
   *
   * @param txExpiryTimeSecs after creation, if no other time is named: the text's {@code
   *     ledger.schedule.txExpiryTimeSecs}
   * @param maxFutureSecs how far away a time may be that is named
   * @param maxPerSecond how many may expire in one second, in {@code current}; what has run counts,
   *     since it can be asked for until then
   * @param perStep how many of those overdue one step deals with
   */
  public record Expiry(long txExpiryTimeSecs, long maxFutureSecs, int maxPerSecond, int perStep) {
    public static final Expiry DEFAULT = new Expiry(1_800, 5_356_800, 1_000, 1_000);

    public Expiry {
      if (txExpiryTimeSecs < 1 || maxFutureSecs < 1 || maxPerSecond < 1 || perStep < 1) {
        throw new IllegalArgumentException("The expiry settings must be positive.");
      }
    }
  }

  /**
   * Operations a second.
   *
   * @param create times the expiry is how many schedules may wait
   * @param getInfo of each JVM: it changes nothing, so no queue decides it
   */
  public record Throttles(long create, long sign, long delete, long getInfo) {
    public static final Throttles DEFAULT = new Throttles(1_000, 10_000, 1_000, 10_000);
  }

  /**
   * @param maxTransactionBytes of a transaction, with its signatures and what it schedules
   * @param maxTransfers rows of a transfer
   * @param maxSignatures of one operation
   * @param maxTwins schedules of one body that wait at the same time
   * @param maxValidSecs how long a transaction may be valid; so long records are kept too
   * @param maxRecords kept; beyond, operations are refused
   * @param maxUnarchived executed bodies that the store need not have yet
   */
  @Copyable
  public record Limits(
      int maxTransactionBytes,
      int maxTransfers,
      int maxSignatures,
      int maxTwins,
      long maxValidSecs,
      int maxRecords,
      int maxUnarchived)
      implements MultiSignatureSettingsLimitsBuilder.With {
    public static final Limits DEFAULT = new Limits(6_144, 10, 64, 64, 180, 200_000, 100_000);

    public Limits {
      if (maxTransactionBytes < 1
          || maxTransfers < 2
          || maxSignatures < 1
          || maxTwins < 1
          || maxValidSecs < 1
          || maxRecords < 2
          || maxUnarchived < 1) {
        throw new IllegalArgumentException("The multi-signature limits must be positive.");
      }
    }
  }

  /** For {@code QueueSetup}: by the operations' names. */
  public Map<String, Long> throttled() {
    return Map.of(
        "ScheduleCreate", throttles.create,
        "ScheduleSign", throttles.sign,
        "ScheduleDelete", throttles.delete);
  }

  /** The text's maxPendingTxns. */
  long maxPending() {
    return Math.multiplyExact(throttles.create, expiry.txExpiryTimeSecs);
  }
}

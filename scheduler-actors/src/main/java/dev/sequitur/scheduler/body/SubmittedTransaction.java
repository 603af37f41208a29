package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import java.util.List;
import java.util.Optional;

/**
 * A decoded transaction whose signatures are not verified yet.
 *
 * @param node the queue that it is for, or says it is for
 * @param named the one that its signed body names
 * @param bodyBytes what the outer signatures cover
 * @param hash SHA-384 of the signed transaction
 * @param content as in {@link dev.sequitur.schedule.signing.Submission}
 * @param signatures of the outer transaction
 */
public record SubmittedTransaction(
    NodeAccount node,
    NodeAccount named,
    Bytes bodyBytes,
    Bytes hash,
    Hash content,
    List<SignaturePair> signatures,
    Header header,
    Operation operation) {
  public SubmittedTransaction {
    signatures = List.copyOf(signatures);
  }

  /**
   * The same for a queue by its own node account, where it named another one under which the queue
   * is known outside.
   */
  public SubmittedTransaction to(NodeAccount queue) {
    return new SubmittedTransaction(
        queue, named, bodyBytes, hash, content, signatures, header, operation);
  }

  /**
   * The same as what is paid for a question, if it is a transfer.
   *
   * @param question which one: no other is answered for it
   * @param node the account that is asked
   */
  public Optional<SubmittedTransaction> paying(Hash question, EntityId node) {
    return operation instanceof Operation.CryptoTransfer(var transfer)
        ? Optional.of(
            new SubmittedTransaction(
                this.node,
                named,
                bodyBytes,
                hash,
                question,
                signatures,
                header,
                new Operation.QueryPayment(transfer, node)))
        : Optional.empty();
  }

  /**
   * @param maxFee what the payer is ready to pay
   */
  public record Header(AccountTransactionId id, long validSeconds, long maxFee, String memo) {}

  /** What it asks for. */
  public sealed interface Operation {
    /** As Hedera calls it. */
    default String name() {
      return switch (this) {
        case ScheduleCreate ignored -> "ScheduleCreate";
        case ScheduleSign ignored -> "ScheduleSign";
        case ScheduleDelete ignored -> "ScheduleDelete";
        case CryptoCreate ignored -> "CryptoCreate";
        case CryptoUpdate ignored -> "CryptoUpdate";
        case CryptoDelete ignored -> "CryptoDelete";
        case CryptoTransfer ignored -> "CryptoTransfer";
        case QueryPayment ignored -> "QueryPayment";
      };
    }

    /** The schedule that has to be there for it. */
    default Optional<ScheduleId> about() {
      return switch (this) {
        case ScheduleSign sign -> Optional.of(sign.schedule().schedule());
        case ScheduleDelete delete -> Optional.of(delete.schedule().schedule());
        case ScheduleCreate ignored -> Optional.empty();
        case CryptoCreate ignored -> Optional.empty();
        case CryptoUpdate ignored -> Optional.empty();
        case CryptoDelete ignored -> Optional.empty();
        case CryptoTransfer ignored -> Optional.empty();
        case QueryPayment ignored -> Optional.empty();
      };
    }

    /**
     * @param sigMap over the scheduled body; empty in {@code current}
     */
    record ScheduleCreate(Creation creation, List<SignaturePair> sigMap) implements Operation {
      public ScheduleCreate {
        sigMap = List.copyOf(sigMap);
      }
    }

    /**
     * @param sigMap over the scheduled body; empty in {@code current}
     */
    record ScheduleSign(EntityId schedule, List<SignaturePair> sigMap) implements Operation {
      public ScheduleSign {
        sigMap = List.copyOf(sigMap);
      }
    }

    record ScheduleDelete(EntityId schedule) implements Operation {}

    record CryptoCreate(Action.CryptoCreate account) implements Operation {}

    record CryptoUpdate(EntityId account, AccountChange change) implements Operation {
      /** Another key alone. */
      public CryptoUpdate(EntityId account, AccountKey key) {
        this(account, AccountChange.ofKey(key));
      }
    }

    /**
     * @param to who gets its money
     */
    record CryptoDelete(EntityId account, EntityId to) implements Operation {}

    record CryptoTransfer(Action.CryptoTransfer transfer) implements Operation {}

    /** A transfer that came with a question; never read as such. */
    record QueryPayment(Action.CryptoTransfer transfer, EntityId node) implements Operation {}
  }
}

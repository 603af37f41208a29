package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be asked of the multi-signature family. */
public sealed interface MultiSignatureOperation extends FamilyOperation {
  @Override
  default FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  default String name() {
    return switch (this) {
      case ScheduleCreate ignored -> "ScheduleCreate";
      case ScheduleSign ignored -> "ScheduleSign";
      case ScheduleDelete ignored -> "ScheduleDelete";
      case CryptoCreate ignored -> "CryptoCreate";
      case CryptoUpdate ignored -> "CryptoUpdate";
      case CryptoDelete ignored -> "CryptoDelete";
      case OpenAccount ignored -> "OpenAccount";
      case BindKey ignored -> "BindKey";
      case CryptoTransfer ignored -> "CryptoTransfer";
      case RecordRefusal ignored -> "RecordRefusal";
      case QueryPayment ignored -> "QueryPayment";
      case OpenReserved ignored -> "OpenReserved";
    };
  }

  @Override
  default Stream<Target> targets() {
    return this instanceof ScheduleCreate create
            && create.creation().transaction().action() instanceof Action.PrivateTransaction action
        ? Stream.of(action.call())
        : Stream.empty();
  }

  @Override
  default Optional<ScheduleId> about() {
    return switch (this) {
      case ScheduleSign sign -> Optional.of(sign.schedule().schedule());
      case ScheduleDelete delete -> Optional.of(delete.schedule().schedule());
      case ScheduleCreate ignored -> Optional.empty();
      case CryptoCreate ignored -> Optional.empty();
      case CryptoUpdate ignored -> Optional.empty();
      case CryptoDelete ignored -> Optional.empty();
      case CryptoTransfer ignored -> Optional.empty();
      case RecordRefusal ignored -> Optional.empty();
      case QueryPayment ignored -> Optional.empty();
      case Administered ignored -> Optional.empty();
    };
  }

  @Override
  default MultiSignatureOperation aboutNone() {
    var none = EntityId.of(ScheduleId.never(FamilyKind.MULTI_SIGNATURE));
    return switch (this) {
      case ScheduleSign sign -> new ScheduleSign(sign.by(), none, sign.sigMap());
      case ScheduleDelete delete -> new ScheduleDelete(delete.by(), none);
      case ScheduleCreate create -> create;
      case CryptoCreate create -> create;
      case CryptoUpdate update -> update;
      case CryptoDelete delete -> delete;
      case CryptoTransfer transfer -> transfer;
      case RecordRefusal refusal -> refusal;
      case QueryPayment payment -> payment;
      case Administered administered -> administered;
    };
  }

  /** One that its payer pays for and signs. */
  sealed interface Submitted extends MultiSignatureOperation {
    Submission by();

    /** What its record says that was asked. */
    default TransactionRecord.Asked asked() {
      var named =
          switch (this) {
            case ScheduleSign sign -> Optional.of(sign.schedule());
            case ScheduleDelete delete -> Optional.of(delete.schedule());
            case CryptoUpdate update -> Optional.of(update.account());
            case CryptoDelete delete -> Optional.of(delete.account());
            case ScheduleCreate ignored -> Optional.<EntityId>empty();
            case CryptoCreate ignored -> Optional.<EntityId>empty();
            case CryptoTransfer ignored -> Optional.<EntityId>empty();
            case QueryPayment ignored -> Optional.<EntityId>empty();
            case RecordRefusal ignored -> Optional.<EntityId>empty();
          };
      var operation =
          switch (this) {
            case RecordRefusal refusal -> refusal.asks();
            // It came as one.
            case QueryPayment ignored -> "CryptoTransfer";
            case ScheduleSign ignored -> name();
            case ScheduleDelete ignored -> name();
            case CryptoUpdate ignored -> name();
            case CryptoDelete ignored -> name();
            case ScheduleCreate ignored -> name();
            case CryptoCreate ignored -> name();
            case CryptoTransfer ignored -> name();
          };
      return new TransactionRecord.Asked(
          operation, named, by().maxFee(), by().validSeconds(), by().node());
    }
  }

  /** The administrator's. */
  sealed interface Administered extends MultiSignatureOperation {}

  /**
   * @param sigMap over the body; in {@code current} those of the outer transaction count instead
   * @param lookup whether the body was executed before, as far as the store knows
   */
  record ScheduleCreate(
      Submission by, Creation creation, VerifiedSignatures sigMap, BodyLookup lookup)
      implements Submitted {}

  /**
   * @param sigMap over the body; in {@code current} those of the outer transaction count instead
   */
  record ScheduleSign(Submission by, EntityId schedule, VerifiedSignatures sigMap)
      implements Submitted {}

  /** Signed by the admin key. */
  record ScheduleDelete(Submission by, EntityId schedule) implements Submitted {}

  /** A new account at once. */
  record CryptoCreate(Submission by, Action.CryptoCreate account) implements Submitted {}

  /** Something else for an account, signed by its key, and by the new one if it is to have one. */
  record CryptoUpdate(Submission by, EntityId account, AccountChange change) implements Submitted {
    /** Another key alone. */
    public CryptoUpdate(Submission by, EntityId account, AccountKey key) {
      this(by, account, AccountChange.ofKey(key));
    }
  }

  /**
   * An account goes, signed by its key, and all its money to another one, signed by that one's key
   * if it must sign what it receives.
   */
  record CryptoDelete(Submission by, EntityId account, EntityId to) implements Submitted {}

  /**
   * Money at once, signed by all who give it and by those whose key must sign what they receive.
   */
  record CryptoTransfer(Submission by, Action.CryptoTransfer transfer) implements Submitted {}

  /**
   * Keeps the receipt of a transaction that was refused, where callers ask for one: its id is used
   * up by it. It costs what a signature costs.
   *
   * @param receipt why it was refused
   * @param asks what was refused, as Hedera calls it
   */
  record RecordRefusal(Submission by, TransactionReceipt receipt, String asks)
      implements Submitted {}

  /**
   * What a client pays for one question: a transfer of which a node account gets at least the
   * price. The question that it is for is the {@link Submission#content()} of it.
   *
   * @param node the one that is asked; if it is no account of the queue, what it gets goes where
   *     fees go
   */
  record QueryPayment(Submission by, Action.CryptoTransfer transfer, EntityId node)
      implements Submitted {}

  /** A new account, without a payer: how a queue begins. */
  record OpenAccount(Account account) implements Administered {}

  /**
   * An account under a number that queues give nobody, such as 0.0.2, with money that comes in from
   * outside by it.
   */
  record OpenReserved(EntityId id, Account account, Amount balance) implements Administered {}

  /** The key that must sign what is to run from an identity of this node. */
  record BindKey(Identity identity, AccountKey key) implements Administered {}
}

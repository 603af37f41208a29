package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.multisignature.Approval;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountChange.Stake;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Optional;

/** What the multi-signature methods answer, with Hedera's names. */
final class SigningShapes {
  private SigningShapes() {}

  static final Shape<Object> ENTITY = Shape.words("an id of Hedera", "0.0.1001");
  static final Shape<Object> TRANSACTION_ID =
      Shape.words("the id of a transaction", "0.0.1001@1795255500.000000000");

  static final Shape<AccountKey> KEY =
      Shape.of(
          "a key, or an object with the keys of which all or a threshold must sign",
          JsonText::object,
          SigningFields::json);
  static final Shape<PublicKey> PUBLIC_KEY =
      Shape.words("ed25519: or secp256k1: and hexadecimal digits", "ed25519:00")
          .of(SigningFields::text);

  static final ObjectShape<TransactionReceipt> RECEIPT =
      ObjectShape.<TransactionReceipt>named("MultiSignatureReceipt")
          .with(
              "status",
              Shape.among(ResponseCode.class, Enum::name),
              TransactionReceipt::status,
              "Hedera's code")
          .with("accountID", ENTITY.orNull(), TransactionReceipt::account)
          .with("scheduleID", ENTITY.orNull(), TransactionReceipt::schedule)
          .with(
              "scheduledTransactionID",
              TRANSACTION_ID.orNull(),
              TransactionReceipt::scheduledTransaction);

  static final ObjectShape<MultiSignatureResult> RESULT =
      ObjectShape.<MultiSignatureResult>named("MultiSignatureResult")
          .all(RECEIPT, MultiSignatureResult::receipt)
          .with("number", Shape.NUMBER, MultiSignatureResult::responseCode, "of the status");

  private static final ObjectShape<AccountAmount> ROW =
      ObjectShape.<AccountAmount>named("AccountAmount")
          .with("account", ENTITY, AccountAmount::account)
          .with("amount", Words.DIGITS, AccountAmount::units, "below 0 for who pays");

  static final ObjectShape<TransactionRecord> RECORD =
      ObjectShape.<TransactionRecord>named("TransactionRecord")
          .with("receipt", RECEIPT, TransactionRecord::receipt)
          .with("transactionHash", Formats.HEX, TransactionRecord::transactionHash)
          .all(Words.time("consensusTimestamp"), TransactionRecord::consensusTimestamp)
          .with("transactionID", TRANSACTION_ID, TransactionRecord::transactionId)
          .with("memo", Formats.TEXT, TransactionRecord::memo)
          .with("transactionFee", Words.DIGITS, TransactionRecord::fee)
          .with("transferList", ROW.list(), TransactionRecord::transfers)
          .with("scheduleRef", ENTITY.orNull(), TransactionRecord::scheduleRef)
          .maybe("privateTransaction", Formats.UUID, TransactionRecord::privateTransaction);

  // What is scheduled.

  private static final ObjectShape<Action.CryptoTransfer> TRANSFER =
      ObjectShape.<Action.CryptoTransfer>named("CryptoTransfer")
          .with("transfers", ROW.list(), Action.CryptoTransfer::transfers);

  private static final ObjectShape<Action.CryptoCreate> NEW_ACCOUNT =
      ObjectShape.<Action.CryptoCreate>named("NewAccount")
          .with("key", KEY, Action.CryptoCreate::key)
          .with("initialBalance", Words.DIGITS, Action.CryptoCreate::initialBalance)
          .with("receiverSigRequired", Formats.BOOLEAN, Action.CryptoCreate::receiverSigRequired)
          .with("memo", Formats.TEXT, Action.CryptoCreate::memo);

  private static final ObjectShape<Action.CryptoCreate> CREATE =
      ObjectShape.<Action.CryptoCreate>named("CryptoCreate")
          .with("account", NEW_ACCOUNT, create -> create);

  private static final ObjectShape<AccountChange> CHANGE =
      ObjectShape.<AccountChange>named("AccountChange")
          .maybe("key", KEY, AccountChange::key)
          .maybe("receiverSigRequired", Formats.BOOLEAN, AccountChange::receiverSigRequired)
          .maybe("memo", Formats.TEXT, AccountChange::memo)
          .maybe("autoRenewSeconds", Words.DIGITS, AccountChange::autoRenewSeconds)
          .maybe("declineReward", Formats.BOOLEAN, AccountChange::declineReward)
          .maybe(
              "expirationSecond",
              Words.DIGITS,
              AccountChange::expirationSecond,
              "since 1970; accounts have none here")
          .maybe("maxAssociations", Shape.NUMBER, AccountChange::maxAssociations, "with tokens")
          .maybe(
              "stakedNode",
              Words.DIGITS,
              change -> change.stake().filter(Stake::withNode).map(Stake::number),
              "-1 is nobody")
          .maybe(
              "stakedAccount",
              Words.DIGITS,
              change -> change.stake().filter(stake -> !stake.withNode()).map(Stake::number),
              "0 is nobody");

  private static final ObjectShape<Action.CryptoUpdate> UPDATE =
      ObjectShape.<Action.CryptoUpdate>named("CryptoUpdate")
          .with("changed", ENTITY, Action.CryptoUpdate::account)
          .with("change", CHANGE, Action.CryptoUpdate::change, "what it does not name stays");

  static final ObjectShape<RetryPolicy> RETRY =
      ObjectShape.<RetryPolicy>named("Retry")
          .with("maxAttempts", Shape.NUMBER, RetryPolicy::maxAttempts)
          .with("first", Words.DURATION, retry -> retry.backoff().initial())
          .with("most", Words.DURATION, retry -> retry.backoff().cap())
          .maybe(
              "pauses",
              Words.DURATION.list(),
              retry -> Optional.of(retry.pauses()).filter(pauses -> !pauses.isEmpty()),
              "in the place of these two");

  private static final ObjectShape<Action.PrivateTransaction> PRIVATELY =
      ObjectShape.<Action.PrivateTransaction>named("ScheduledPrivateTransaction")
          .with("transaction", TargetShapes.PRIVATE, Action.PrivateTransaction::call)
          .maybe(
              "retry",
              RETRY,
              each -> Optional.of(each.retry()).filter(retry -> !retry.equals(RetryPolicy.NEVER)));

  private static final Shape<Action> ACTION =
      Shape.oneOf(
          List.of(TRANSFER, CREATE, UPDATE, PRIVATELY),
          action ->
              switch (action) {
                case Action.CryptoTransfer transfer -> TRANSFER.write(transfer);
                case Action.CryptoCreate create -> CREATE.write(create);
                case Action.CryptoUpdate update -> UPDATE.write(update);
                case Action.PrivateTransaction privately -> PRIVATELY.write(privately);
                case Action.Unschedulable not -> throw not.neverScheduled();
              });

  private static final ObjectShape<Action.CryptoCreate> CREATE_TARGET =
      ObjectShape.<Action.CryptoCreate>named("CryptoCreateTarget")
          .constant("type", "crypto-create")
          .all(CREATE, create -> create);

  private static final ObjectShape<Action.CryptoUpdate> UPDATE_TARGET =
      ObjectShape.<Action.CryptoUpdate>named("CryptoUpdateTarget")
          .constant("type", "crypto-update")
          .all(UPDATE, update -> update);

  private static final ObjectShape<Action.CryptoTransfer> TRANSFER_TARGET =
      ObjectShape.<Action.CryptoTransfer>named("CryptoTransferTarget")
          .constant("type", "crypto-transfer")
          .all(TRANSFER, transfer -> transfer);

  /** The same as a target of the other families: with its type. */
  static final Shape<Action> TARGET =
      Shape.oneOf(
          List.of(TargetShapes.PRIVATE, CREATE_TARGET, UPDATE_TARGET, TRANSFER_TARGET),
          action ->
              switch (action) {
                case Action.PrivateTransaction privately ->
                    TargetShapes.PRIVATE.write(privately.call());
                case Action.CryptoCreate create -> CREATE_TARGET.write(create);
                case Action.CryptoUpdate update -> UPDATE_TARGET.write(update);
                case Action.CryptoTransfer transfer -> TRANSFER_TARGET.write(transfer);
                case Action.Unschedulable not -> throw not.neverScheduled();
              });

  static final ObjectShape<MultiSignatureTerms> TERMS =
      ObjectShape.<MultiSignatureTerms>named("MultiSignatureTerms")
          .with("scheduleID", ENTITY, MultiSignatureTerms::id)
          .with("creatorAccountID", ENTITY, MultiSignatureTerms::creator)
          .with("payerAccountID", ENTITY, MultiSignatureTerms::payer)
          .with("transactionBody", Formats.HEX, terms -> terms.creation().transaction().bytes())
          .with("scheduledTransactionID", TRANSACTION_ID, MultiSignatureTerms::scheduledId)
          .with(
              "scheduleMemo",
              Formats.TEXT,
              terms -> terms.creation().memo(),
              "its creator's words about the schedule")
          .with(
              "memo",
              Formats.TEXT,
              terms -> terms.creation().transaction().memo(),
              "its creator's words about what runs")
          .with(
              "nonce",
              Shape.NUMBER,
              terms -> Integer.toUnsignedLong(terms.creation().transaction().nonce()))
          .with("adminKey", KEY.orNull(), terms -> terms.creation().adminKey())
          .with("expiry", Words.SECONDS, MultiSignatureTerms::expirySecond)
          .with("waitForExpiry", Formats.BOOLEAN, terms -> terms.creation().waitForExpiry())
          .with("does", ACTION, terms -> terms.creation().transaction().action());

  private static final ObjectShape<Approval> APPROVAL =
      ObjectShape.<Approval>named("Approval")
          .maybe("account", ENTITY, Approval::account)
          .maybe("identity", Formats.IDENTITY, Approval::identity)
          .with("key", KEY, Approval::key)
          .with("given", Formats.BOOLEAN, Approval::given, "whether enough of the key have signed");

  static final ObjectShape<ScheduleInfo> INFO =
      ObjectShape.<ScheduleInfo>named("ScheduleInfo")
          .all(TERMS, ScheduleInfo::terms)
          .with("signers", PUBLIC_KEY.list(), ScheduleInfo::signers)
          .with(
              "approvals",
              APPROVAL.list(),
              ScheduleInfo::approvals,
              "who must agree: an account, an identity with a bound key, or neither of them where"
                  + " an account is to be made or gets a new key; empty once it cannot be signed any more")
          .with("deletionTime", Words.CONSENSUS.orNull(), ScheduleInfo::deleted)
          .with("executionTime", Words.CONSENSUS.orNull(), ScheduleInfo::executed);
}

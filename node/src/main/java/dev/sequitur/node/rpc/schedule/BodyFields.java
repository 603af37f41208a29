package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.IntentDraft;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SignaturePair;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Builds Hedera's bytes from JSON (MSIG-9), for callers without a client of it. */
final class BodyFields {
  private static final int MOST_ROWS = 1_000;
  private static final long USUAL_VALIDITY = 120;

  private static final long USUAL_FEE = 100_000_000L;

  // What is scheduled.

  private static final Field<EntityId> ACCOUNT_OF_ROW =
      Field.of("account", SigningFields.ENTITY, "");
  private static final Field<Long> AMOUNT =
      Field.of(
          "amount",
          Format.of("a whole number in a string, below 0 for who pays", "-40", BodyFields::signed),
          "below 0 for who pays");
  private static final Field<List<Sent>> TRANSFERS =
      Field.optional(
          "transfers",
          ObjectFormat.of("TransferRow", ACCOUNT_OF_ROW, AMOUNT).list(MOST_ROWS),
          "which sum to 0: or `account`, or `transaction`");
  private static final Field<List<Sent>> MOVED =
      Field.of(
          "transfers",
          ObjectFormat.of("TransferRow", ACCOUNT_OF_ROW, AMOUNT).list(MOST_ROWS),
          "which sum to 0");
  private static final Field<Long> MAX_FEE =
      Field.or("maxFee", CommandFields.NUMBER, USUAL_FEE, "");
  static final Field<String> MEMO = Field.or("memo", Formats.TEXT, "", "");
  static final Field<AccountKey> KEY = Field.of("key", SigningFields.KEY, "nested to 15");
  static final Field<Boolean> RECEIVER_SIG =
      Field.or("receiverSigRequired", Formats.BOOLEAN, false, "");
  private static final Field<Long> BALANCE =
      Field.or("initialBalance", CommandFields.NUMBER, 0L, "");
  private static final List<Field<?>> ACCOUNT_FIELDS = List.of(KEY, BALANCE, RECEIVER_SIG, MEMO);
  private static final Field<Sent> ACCOUNT =
      Field.optional(
          "account",
          ObjectFormat.of("NewAccountRequest").with(ACCOUNT_FIELDS),
          "what multiSignature_openAccount takes, with a balance");
  private static final Field<Sent> TRANSACTION =
      Field.optional("transaction", IntentDraft.SCHEDULED, "as ptx_sendTransaction takes it");
  private static final Field<RetryPolicy> RETRY =
      Field.optional(
          "retry",
          TargetFields.RETRY.format(),
          "beside `transaction`, beyond the text: all who sign agree to it");
  private static final Field<Long> NONCE =
      Field.optional("nonce", CommandFields.NUMBER, "not in the profile current");
  static final Field<Sent> BODY =
      Field.of(
          "body",
          ObjectFormat.of(
              "BodyRequest",
              TRANSFERS,
              ACCOUNT,
              TRANSACTION,
              RETRY,
              NONCE,
              MAX_FEE,
              MEMO,
              CommandFields.QUEUE),
          "what is to be scheduled, in `queue` alone");

  // What is submitted.

  private static final Field<EntityId> PAYER =
      Field.of("payer", SigningFields.ENTITY, "who signs it");
  private static final Field<Instant> VALID_START =
      Field.optional(
          "validStart", CommandFields.INSTANT, "(default: now, and never the same twice)");
  private static final Field<Long> VALID_SECONDS =
      Field.optional("validSeconds", CommandFields.NUMBER, "");
  private static final List<Field<?>> HEADER =
      List.of(PAYER, VALID_START, VALID_SECONDS, MAX_FEE, MEMO, CommandFields.QUEUE);

  static final Field<Bytes> SCHEDULED_BODY =
      Field.of("transactionBody", Formats.HEX, "of multiSignature_buildBody");
  private static final Field<List<Sent>> SIG_MAP =
      Field.optional(
          "sigMap",
          SigningFields.SIGNATURES,
          "signatures over the scheduled body; not in the profile current");
  private static final Field<AccountKey> ADMIN_KEY =
      Field.optional("adminKey", SigningFields.KEY, "who may delete it");
  private static final Field<EntityId> EXECUTION_PAYER =
      Field.optional("payerAccountID", SigningFields.ENTITY, "who pays when it runs");
  private static final Field<String> SCHEDULE_MEMO =
      Field.or("scheduleMemo", Formats.TEXT, "", "about the schedule, for whoever reads it");
  private static final Field<Long> EXPIRATION =
      Field.optional(
          "expirationTime",
          CommandFields.SECONDS,
          "until when it waits for its signatures (default: scheduler.multi-signature.expiry-time)");
  private static final Field<Boolean> WAIT =
      Field.or("waitForExpiry", Formats.BOOLEAN, false, "in the profile current");
  private static final Field<EntityId> SCHEDULE_ID =
      Field.of("scheduleID", SigningFields.SCHEDULE, "");
  private static final Field<EntityId> UPDATED = Field.of("account", SigningFields.ENTITY, "");

  /** What a submitted transaction does; {@link #of} has one for each. */
  enum Submitted implements Choice.Kind {
    SCHEDULE_CREATE(
        "scheduleCreate",
        SCHEDULED_BODY,
        SIG_MAP,
        ADMIN_KEY,
        EXECUTION_PAYER,
        SCHEDULE_MEMO,
        EXPIRATION,
        WAIT),
    SCHEDULE_SIGN("scheduleSign", SCHEDULE_ID, SIG_MAP),
    SCHEDULE_DELETE("scheduleDelete", SCHEDULE_ID),
    CRYPTO_CREATE("cryptoCreate", KEY, BALANCE, RECEIVER_SIG),
    CRYPTO_UPDATE("cryptoUpdate", UPDATED, KEY),
    CRYPTO_TRANSFER("cryptoTransfer", MOVED);

    private final String word;
    private final ObjectFormat fields;

    Submitted(String word, Field<?>... fields) {
      this.word = word;
      var name = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1) + "Request";
      this.fields = ObjectFormat.of(name, fields).with(HEADER);
    }

    @Override
    public String word() {
      return word;
    }

    @Override
    public ObjectFormat fields() {
      return fields;
    }

    /** Empty of what comes by the front for Hedera's clients alone. */
    static Optional<Submitted> of(Operation operation) {
      return switch (operation) {
        case Operation.ScheduleCreate any -> Optional.of(SCHEDULE_CREATE);
        case Operation.ScheduleSign any -> Optional.of(SCHEDULE_SIGN);
        case Operation.ScheduleDelete any -> Optional.of(SCHEDULE_DELETE);
        case Operation.CryptoCreate any -> Optional.of(CRYPTO_CREATE);
        case Operation.CryptoUpdate any -> Optional.of(CRYPTO_UPDATE);
        case Operation.CryptoTransfer any -> Optional.of(CRYPTO_TRANSFER);
        case Operation.CryptoDelete any -> Optional.empty();
        case Operation.QueryPayment any -> Optional.empty();
      };
    }
  }

  static final Field<Choice<Submitted>> ASKED =
      Field.of(
          "transaction",
          Choice.by("operation", EnumSet.allOf(Submitted.class)),
          "what its payer asks, of one `queue` alone");

  static final ObjectShape<ScheduledTransaction> SCHEDULED =
      ObjectShape.<ScheduledTransaction>named("BuiltBody")
          .with("transactionBody", Formats.HEX, ScheduledTransaction::bytes)
          .with("hash", Shape.words("a hash", "0x00"), ScheduledTransaction::hash);

  /** The body of a transaction that its payer is to sign. */
  record BuiltTransaction(Bytes body, AccountTransactionId id) {}

  static final ObjectShape<BuiltTransaction> SUBMITTED =
      ObjectShape.<BuiltTransaction>named("BuiltTransaction")
          .with("bodyBytes", Formats.HEX, BuiltTransaction::body)
          .with("transactionID", SigningShapes.TRANSACTION_ID, BuiltTransaction::id);

  private final NodeContext context;
  private final TargetFields targets;
  private final Profile profile;
  private final NodeAccount queue;
  private final ValidStarts starts;
  private final long validSeconds;

  /**
   * @param queue which the bytes are for
   * @param starts the node's
   */
  BodyFields(
      NodeContext context, MultiSignatureSettings settings, NodeAccount queue, ValidStarts starts) {
    this.context = context;
    this.targets = new TargetFields(new PrivateCalls(context));
    this.profile = settings.profile();
    this.queue = queue;
    this.starts = starts;
    this.validSeconds = Math.min(USUAL_VALIDITY, settings.limits().maxValidSecs());
  }

  /** What is to be scheduled, and signed by those whose keys it needs. */
  ScheduledTransaction scheduled(Sent sent) {
    refuseInCurrent(sent, NONCE, "Two bodies differ by their memos there.");
    long nonce = sent.find(NONCE).orElse(0L);
    if (nonce > Integer.MAX_VALUE) {
      throw sent.wrong(NONCE, " must be from 0 to 2147483647.");
    }
    return written(
        sent,
        () ->
            new TransactionWriter(profile, queue)
                .scheduled((int) nonce, sent.get(MAX_FEE), sent.get(MEMO), action(sent)));
  }

  private Action action(Sent sent) {
    if (!sent.has(TRANSACTION)) {
      sent.refuseBeside(sent.has(TRANSFERS) ? TRANSFERS : ACCOUNT, RETRY);
    }
    if (sent.has(TRANSFERS)) {
      sent.refuseBeside(TRANSFERS, ACCOUNT, TRANSACTION);
      return transfer(sent.get(TRANSFERS));
    } else if (sent.has(TRANSACTION)) {
      sent.refuseBeside(TRANSACTION, ACCOUNT);
      return new Action.PrivateTransaction(
          targets.privateCall(sent.get(TRANSACTION)), sent.find(RETRY).orElse(RetryPolicy.NEVER));
    }
    return sent.find(ACCOUNT)
        .map(BodyFields::account)
        .orElseThrow(
            () -> sent.wrong(" must have transfers, account or transaction: what is to be done."));
  }

  private static Action.CryptoTransfer transfer(List<Sent> rows) {
    return new Action.CryptoTransfer(
        rows.stream()
            .map(row -> new AccountAmount(row.get(ACCOUNT_OF_ROW), row.get(AMOUNT)))
            .toList());
  }

  private static Long signed(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Send a whole number in a string, below 0 for who pays.", e);
    }
  }

  private static Action.CryptoCreate account(Sent sent) {
    return new Action.CryptoCreate(
        sent.get(KEY), new Amount(sent.get(BALANCE)), sent.get(RECEIVER_SIG), sent.get(MEMO));
  }

  /** The body of a submitted transaction, which is what its payer signs, and its id. */
  BuiltTransaction submitted(Choice<Submitted> asked) {
    var sent = asked.sent();
    var start =
        sent.find(VALID_START)
            .map(ConsensusTime::of)
            .orElseGet(() -> starts.next(context.clock().instant()));
    var id = AccountTransactionId.submitted(start, sent.get(PAYER));
    var header =
        new Header(
            id, sent.find(VALID_SECONDS).orElse(validSeconds), sent.get(MAX_FEE), sent.get(MEMO));
    var bytes =
        written(
            sent,
            () ->
                new TransactionWriter(profile, queue).body(header, operation(asked.kind(), sent)));
    return new BuiltTransaction(bytes, id);
  }

  private Operation operation(Submitted kind, Sent sent) {
    return switch (kind) {
      case SCHEDULE_CREATE -> new Operation.ScheduleCreate(creation(sent), sigMap(sent));
      case SCHEDULE_SIGN -> new Operation.ScheduleSign(sent.get(SCHEDULE_ID), sigMap(sent));
      case SCHEDULE_DELETE -> new Operation.ScheduleDelete(sent.get(SCHEDULE_ID));
      case CRYPTO_CREATE -> new Operation.CryptoCreate(account(sent));
      case CRYPTO_UPDATE -> new Operation.CryptoUpdate(sent.get(UPDATED), sent.get(KEY));
      case CRYPTO_TRANSFER -> new Operation.CryptoTransfer(transfer(sent.get(MOVED)));
    };
  }

  private List<SignaturePair> sigMap(Sent sent) {
    refuseInCurrent(sent, SIG_MAP, "Everybody signs the whole transaction there.");
    return SigningFields.pairs(sent.find(SIG_MAP).orElse(List.of()));
  }

  /** What Hedera has no place for any more would be lost without a word. */
  private void refuseInCurrent(Sent sent, Field<?> field, String instead) {
    if (profile == Profile.CURRENT && sent.has(field)) {
      throw sent.wrong(field, " is not known in the profile current: leave it out. " + instead);
    }
  }

  private Creation creation(Sent sent) {
    return new Creation(
        readScheduled(sent),
        sent.find(ADMIN_KEY),
        sent.find(EXECUTION_PAYER),
        sent.get(SCHEDULE_MEMO),
        sent.find(EXPIRATION).map(second -> CommandFields.beforeEnd(sent.path(EXPIRATION), second)),
        sent.get(WAIT));
  }

  private ScheduledTransaction readScheduled(Sent sent) {
    try {
      return TransactionReader.of(profile, queue).readScheduled(sent.get(SCHEDULED_BODY));
    } catch (RefusedTransactionException e) {
      throw unreadable(sent.path(SCHEDULED_BODY), profile, e);
    }
  }

  /**
   * @param because of what it cannot be handled: name and number of the profile come before it
   */
  static RpcFailure unreadable(String path, ResponseCode code, Profile profile, String because) {
    var number = code.number(profile);
    var named = number.isPresent() ? code + " (" + number.getAsInt() + ")" : code.name();
    return new RpcFailure(ErrorCode.SCHEDULE_UNREADABLE_BODY, path + ": " + named + ": " + because);
  }

  static RpcFailure unreadable(String path, Profile profile, RefusedTransactionException e) {
    return unreadable(path, e.code(), profile, e.getMessage());
  }

  /** Whatever cannot be written gets the sentence of who writes it. */
  private static <T> T written(Sent sent, Supplier<T> writer) {
    try {
      return writer.get();
    } catch (IllegalArgumentException e) {
      throw sent.wrong(": " + e.getMessage());
    }
  }
}

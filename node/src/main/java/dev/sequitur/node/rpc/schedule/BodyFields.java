package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.protocol.schedule.signing.AccountAmount;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.Creation;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Profile;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.protocol.schedule.signing.ScheduledTransaction;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.scheduler.body.NodeAccount;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SignaturePair;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Builds Hedera's bytes from JSON (MSIG-9), for callers without a client of it. */
final class BodyFields {
  private static final int MOST_ROWS = 1_000;
  private static final long VALID_SECONDS = 120;

  static final ObjectShape<ScheduledTransaction> SCHEDULED =
      ObjectShape.<ScheduledTransaction>named("BuiltBody")
          .with("transactionBody", Formats.HEX, ScheduledTransaction::bytes)
          .with("hash", Shape.words("a hash", "0x00"), ScheduledTransaction::hash);

  /** The body of a transaction that its payer is to sign. */
  record BuiltTransaction(Bytes body, TransactionId id) {}

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
    this.validSeconds = Math.min(VALID_SECONDS, settings.limits().maxValidSecs());
  }

  /** What is to be scheduled, and signed by those whose keys it needs. */
  ScheduledTransaction scheduled(Fields fields) {
    var command = new CommandFields(fields);
    refuseInCurrent(fields, "nonce", "Two bodies differ by their memos there.");
    long nonce = command.optionalNumber("nonce").orElse(0L);
    if (nonce > Integer.MAX_VALUE) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, fields.pathOf("nonce") + " must be from 0 to 2147483647.");
    }
    long maxFee = command.optionalNumber("maxFee").orElse(100_000_000L);
    return written(
        fields,
        () ->
            new TransactionWriter(profile, queue)
                .scheduled((int) nonce, maxFee, fields.text("memo").orElse(""), action(fields)));
  }

  private Action action(Fields fields) {
    if (fields.any("transfers").isPresent()) {
      return transfer(fields);
    } else if (fields.any("transaction").isPresent()) {
      return new Action.PrivateTransaction(
          targets.privateCall(fields, "transaction"), TargetFields.retry(fields));
    }
    return fields
        .fields("account")
        .map(BodyFields::account)
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.path()
                        + " must have transfers, account or transaction: what is to be done."));
  }

  private static Action transfer(Fields fields) {
    var rows = new ArrayList<AccountAmount>();
    for (var element : fields.list("transfers", MOST_ROWS)) {
      var row = fields.element("transfers", rows.size(), element);
      var account = SigningFields.entity(row, "account");
      rows.add(new AccountAmount(account, signed(row)));
    }
    return new Action.CryptoTransfer(rows);
  }

  private static long signed(Fields row) {
    return row.requiredParsed(
        "amount", "a whole number in a string, below 0 for who pays", BodyFields::signed);
  }

  private static long signed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Send a whole number in a string, below 0 for who pays.", e);
    }
  }

  static Action.CryptoCreate account(Fields fields) {
    var balance = new CommandFields(fields).optionalNumber("initialBalance").orElse(0L);
    return new Action.CryptoCreate(
        SigningFields.requiredKey(fields, "key"),
        new Amount(balance),
        flag(fields, "receiverSigRequired"),
        fields.text("memo").orElse(""));
  }

  static boolean flag(Fields fields, String name) {
    return fields
        .any(name)
        .map(
            node -> {
              if (!node.isBoolean()) {
                throw Fields.wrongType(fields.pathOf(name), "true or false", node);
              }
              return node.booleanValue();
            })
        .orElse(false);
  }

  /** The body of a submitted transaction, which is what its payer signs, and its id. */
  BuiltTransaction submitted(Fields fields) {
    var command = new CommandFields(fields);
    var payer = SigningFields.entity(fields, "payer");
    var start =
        fields.any("validStart").isPresent()
            ? ConsensusTime.of(command.time("validStart"))
            : starts.next(context.clock().instant());
    var id = TransactionId.submitted(start, payer);
    var header =
        new Header(
            id,
            command.optionalNumber("validSeconds").orElse(validSeconds),
            command.optionalNumber("maxFee").orElse(100_000_000L),
            fields.text("memo").orElse(""));
    var bytes =
        written(
            fields, () -> new TransactionWriter(profile, queue).body(header, operation(fields)));
    return new BuiltTransaction(bytes, id);
  }

  private Operation operation(Fields fields) {
    var operation = fields.requiredText("operation");
    return switch (operation) {
      case "scheduleCreate" -> new Operation.ScheduleCreate(creation(fields), sigMap(fields));
      case "scheduleSign" -> new Operation.ScheduleSign(schedule(fields), sigMap(fields));
      case "scheduleDelete" -> new Operation.ScheduleDelete(schedule(fields));
      case "cryptoCreate" -> new Operation.CryptoCreate(account(fields));
      case "cryptoUpdate" ->
          new Operation.CryptoUpdate(
              SigningFields.entity(fields, "account"), SigningFields.requiredKey(fields, "key"));
      default ->
          throw new RpcFailure(
              ErrorCode.WRONG_TYPE,
              fields.pathOf("operation")
                  + " must be scheduleCreate, scheduleSign, scheduleDelete, cryptoCreate or"
                  + " cryptoUpdate.");
    };
  }

  private static EntityId schedule(Fields fields) {
    return fields.requiredParsed(
        "scheduleID", "an id such as 0.0.1003", CommandFields::parseEntity);
  }

  private List<SignaturePair> sigMap(Fields fields) {
    refuseInCurrent(fields, "sigMap", "Everybody signs the whole transaction there.");
    return SigningFields.signatures(fields, "sigMap");
  }

  /** What Hedera has no place for any more would be lost without a word. */
  private void refuseInCurrent(Fields fields, String name, String instead) {
    if (profile == Profile.CURRENT && fields.any(name).isPresent()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.pathOf(name) + " is not known in the profile current: leave it out. " + instead);
    }
  }

  private Creation creation(Fields fields) {
    var path = fields.pathOf("expirationTime");
    var expiration =
        fields
            .any("expirationTime")
            .map(any -> new CommandFields(fields).timeSeconds("expirationTime"))
            .map(second -> CommandFields.beforeEnd(path, second));
    return new Creation(
        readScheduled(fields, "transactionBody"),
        SigningFields.key(fields, "adminKey"),
        fields.any("payerAccountID").map(any -> SigningFields.entity(fields, "payerAccountID")),
        fields.text("scheduleMemo").orElse(""),
        expiration,
        flag(fields, "waitForExpiry"));
  }

  private ScheduledTransaction readScheduled(Fields fields, String name) {
    try {
      return TransactionReader.of(profile, queue)
          .readScheduled(SigningFields.requiredHex(fields, name));
    } catch (RefusedTransactionException e) {
      throw unreadable(fields.pathOf(name), profile, e);
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
  private static <T> T written(Fields fields, Supplier<T> writer) {
    try {
      return writer.get();
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, fields.path() + ": " + e.getMessage());
    }
  }
}

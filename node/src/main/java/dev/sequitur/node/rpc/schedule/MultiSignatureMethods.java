package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.schedule.Digests;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.multisignature.MultiSignature;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Answer;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.signing.Account;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.Profile;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.protocol.schedule.signing.ScheduledTransaction;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The multi-signature family's operations, with Hedera's names and bytes. */
final class MultiSignatureMethods {
  private static final String TRANSACTION =
      " Fields: `transaction` (a signed Transaction, as Hedera's clients encode it), or"
          + " `bodyBytes` (of multiSignature_buildTransaction) and `signatures` over them:"
          + " `[{publicKey, signature}]`, the payer's at least."
          + QueueMethods.COMMON
          + " A repeat may be built and signed anew: its valid start and its signatures need not be"
          + " those of the first: `transactionID` is null with a key, since what is answered may be"
          + " of an earlier transaction.";
  private static final Parameter<JsonNode> SUBMITTED =
      Parameter.of("submission", Formats.OBJECT, "the signed transaction");
  private static final String RECEIPT =
      "`{status, number, accountID, scheduleID, scheduledTransactionID}`";

  private record Signed(PublicKey key, Bytes signature) {}

  private static final ObjectShape<Signed> SIGNED =
      ObjectShape.<Signed>named("SignatureByIdentity")
          .with("publicKey", SigningShapes.PUBLIC_KEY, Signed::key)
          .with("signature", Formats.HEX, Signed::signature);

  /** What became of a transaction; without its id where it may be an earlier one's. */
  private record Submission(MultiSignatureResult result, Optional<TransactionId> id) {}

  private static final ObjectShape<Submission> SUBMISSION =
      ObjectShape.<Submission>named("SubmissionResult")
          .all(SigningShapes.RESULT, Submission::result)
          .with("transactionID", SigningShapes.TRANSACTION_ID.orNull(), Submission::id);

  private final NodeContext context;
  private final CommandSubmission submission;
  private final ValidStarts starts = new ValidStarts();

  MultiSignatureMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
  }

  /** From the first account to a schedule. */
  List<RpcMethod> creating() {
    return List.of(
        RpcMethod.of(
            "multiSignature_openAccount",
            List.of(Parameter.of("account", Formats.OBJECT, "its key")),
            SigningShapes.RESULT,
            RECEIPT,
            "Opens an account without a payer, as the queue's administrator: how a queue begins."
                + " Fields: `key` (`ed25519:` or `secp256k1:` and hexadecimal digits;"
                + " `{\"keys\":[…]}`, all of which must sign; `{\"threshold\":n,\"keys\":[…]}`;"
                + " nested to 15), `receiverSigRequired`, `memo`. Its name in the queue is its id,"
                + " such as `0.0.1001`: schedule_fund funds it."
                + QueueMethods.COMMON,
            this::openAccount),
        RpcMethod.of(
            "multiSignature_bindKey",
            List.of(Parameter.of("binding", Formats.OBJECT, "identity and key")),
            Formats.BOOLEAN,
            "true",
            "Says, as the queue's administrator, which key must sign for what is to run from an"
                + " identity of this node. Fields: `identity`, `key`."
                + QueueMethods.COMMON,
            this::bindKey),
        RpcMethod.of(
            "multiSignature_buildBody",
            List.of(Parameter.of("body", Formats.OBJECT, "what is to be scheduled")),
            BodyFields.SCHEDULED,
            "`{transactionBody, hash}`",
            "Builds the bytes that are scheduled and, in the profile mvp, signed. Fields:"
                + " `transfers` (`[{account, amount}]`, amounts in strings, below 0 for who pays),"
                + " or `account` (as multiSignature_openAccount takes it, with `initialBalance`),"
                + " or `transaction` (as ptx_sendTransaction takes it) and, beyond the text, beside it"
                + " `retry`: `{\"maxAttempts\",\"first\",\"most\"}`, which all who sign agree to;"
                + " `nonce`, `maxFee`, `memo`; `queue`, in which alone the bytes will count.",
            call -> completedFuture(bodies(call).scheduled(call.object(0)))),
        RpcMethod.of(
            "multiSignature_buildTransaction",
            List.of(Parameter.of("transaction", Formats.OBJECT, "what its payer asks")),
            BodyFields.SUBMITTED,
            "`{bodyBytes, transactionID}`",
            "Builds the body of a transaction that its payer is to sign, for one `queue` alone. By"
                + " its `transactionID`, multiSignature_getReceipt and multiSignature_getRecords"
                + " tell what became of it once it is submitted. Fields: `payer`, `operation`;"
                + " `validStart` (RFC 3339, to the nanosecond; default: now, and never the same"
                + " twice), `validSeconds`, `maxFee`, `memo`; with"
                + " scheduleCreate: `transactionBody`, `sigMap` (signatures over it), `adminKey`,"
                + " `payerAccountID`, `scheduleMemo`, in the profile current `expirationTime` (RFC 3339 or"
                + " Unix seconds), `waitForExpiry`; with scheduleSign: `scheduleID`, `sigMap`; with"
                + " scheduleDelete: `scheduleID`; with cryptoCreate: the fields of an account; with"
                + " cryptoUpdate: `account`, `key`.",
            call -> completedFuture(bodies(call).submitted(call.object(0)))),
        RpcMethod.of(
            "multiSignature_sign",
            List.of(Parameter.of("request", Formats.OBJECT, "who signs what")),
            SIGNED,
            "`{publicKey, signature}`",
            "Signs bytes of the two calls above with the key of an identity of this node (ECDSA"
                + " secp256k1); bytes that are neither, or that schedule what cannot be scheduled,"
                + " are refused. Fields: `identity`, `bytes`.",
            this::sign),
        submitted(
            "multiSignature_scheduleCreate",
            "Creates a schedule, or adds its signatures to the identical one; runs it in the same"
                + " step if enough have signed.",
            SubmittedTransaction.Operation.ScheduleCreate.class::isInstance));
  }

  /** What becomes of schedules and accounts. */
  List<RpcMethod> signing() {
    return List.of(
        submitted(
            "multiSignature_scheduleSign",
            "Adds signatures to a schedule; runs it in the same step if they are enough.",
            SubmittedTransaction.Operation.ScheduleSign.class::isInstance),
        submitted(
            "multiSignature_scheduleDelete",
            "Deletes a schedule, signed by its admin key.",
            SubmittedTransaction.Operation.ScheduleDelete.class::isInstance),
        submitted(
            "multiSignature_cryptoCreate",
            "Creates an account, paid for by another.",
            SubmittedTransaction.Operation.CryptoCreate.class::isInstance),
        submitted(
            "multiSignature_cryptoUpdate",
            "Changes an account's key, signed by both.",
            SubmittedTransaction.Operation.CryptoUpdate.class::isInstance));
  }

  private int mostBytes() {
    return settings(context).limits().maxTransactionBytes();
  }

  private Profile profile() {
    return profile(context);
  }

  /** That of the node's queues. */
  static Profile profile(NodeContext context) {
    return settings(context).profile();
  }

  /** Those of the node's queues. */
  static MultiSignatureSettings settings(NodeContext context) {
    var family =
        context.scheduler().setup().families().stream()
            .filter(each -> each.kind() == FamilyKind.MULTI_SIGNATURE)
            .findFirst();
    return family.isPresent() && family.get() instanceof MultiSignature mine
        ? mine.settings()
        : MultiSignatureSettings.MVP;
  }

  private BodyFields bodies(Call call) {
    var queue = new CommandFields(call.object(0)).queue();
    var account = context.scheduler().nodeAccount(queue);
    return new BodyFields(context, settings(context), account, starts);
  }

  private CompletionStage<MultiSignatureResult> openAccount(Call call) {
    var fields = new CommandFields(call.object(0));
    var account =
        new Account(
            SigningFields.requiredKey(fields.fields(), "key"),
            BodyFields.flag(fields.fields(), "receiverSigRequired"),
            fields.fields().text("memo").orElse(""));
    var operation = new Operation.Perform(new MultiSignatureOperation.OpenAccount(account));
    return submission
        .administer("multiSignature_openAccount", fields, operation)
        .thenApply(MultiSignatureMethods::result);
  }

  private CompletionStage<Boolean> bindKey(Call call) {
    var fields = new CommandFields(call.object(0));
    var operation =
        new MultiSignatureOperation.BindKey(
            identity(fields.fields()), SigningFields.requiredKey(fields.fields(), "key"));
    return submission
        .administer("multiSignature_bindKey", fields, new Operation.Perform(operation))
        .thenApply(taken -> true);
  }

  /** One whose key is here. */
  private Identity identity(Fields fields) {
    var identity =
        fields.requiredParsed(
            "identity",
            "an identity of this node, name@node",
            text ->
                text.indexOf('@') < 0
                    ? new Identity(text, context.node().name())
                    : Identity.parse(text));
    if (!identity.node().equals(context.node().name())) {
      throw new RpcFailure(
          ErrorCode.FOREIGN_IDENTITY,
          "The key of %s is on the node %s. Ask that node.".formatted(identity, identity.node()));
    }
    return identity;
  }

  private CompletionStage<Signed> sign(Call call) {
    var fields = call.object(0);
    var identity = identity(fields);
    var bytes = SigningFields.requiredHex(fields, "bytes");
    mustBeOurs(fields, bytes);
    var keys = context.node().keys();
    var key =
        new PublicKey(
            PublicKey.Algorithm.ECDSA_SECP256K1, keys.verifier(identity.name()).publicKey());
    Hash digest = Digests.keccak256(bytes);
    return completedFuture(new Signed(key, keys.sign(identity.name(), digest)));
  }

  /** So that nobody gets a signature under something else. */
  private void mustBeOurs(Fields fields, Bytes bytes) {
    var reader = TransactionReader.ofAnyQueue(profile()).atMost(mostBytes());
    ScheduledTransaction scheduled;
    try {
      scheduled = reader.readScheduled(bytes);
    } catch (RefusedTransactionException notScheduled) {
      try {
        var read = reader.read(TransactionWriter.signed(bytes, List.of()));
        if (!(read.operation() instanceof SubmittedTransaction.Operation.ScheduleCreate create)) {
          return;
        }
        scheduled = create.creation().transaction();
      } catch (RefusedTransactionException e) {
        throw BodyFields.unreadable(fields.pathOf("bytes"), profile(), e);
      }
    }
    mustBeSchedulable(fields, scheduled.action());
  }

  /** No queue would ever run it, but something else that reads such bodies might. */
  private void mustBeSchedulable(Fields fields, Action action) {
    if (action instanceof Action.Unschedulable other) {
      throw BodyFields.unreadable(
          fields.pathOf("bytes"),
          ResponseCode.unschedulable(profile()),
          profile(),
          other.what() + " is nothing that can be scheduled here, and so it is not signed.");
    }
  }

  private RpcMethod submitted(
      String name, String doc, Predicate<SubmittedTransaction.Operation> expected) {
    return RpcMethod.of(
        name,
        List.of(SUBMITTED),
        SUBMISSION,
        "`{status, number, accountID, scheduleID, scheduledTransactionID, transactionID}`",
        doc + TRANSACTION,
        call -> submit(name, new CommandFields(call.object(0)), expected));
  }

  private CompletionStage<Submission> submit(
      String name, CommandFields fields, Predicate<SubmittedTransaction.Operation> expected) {
    var bytes = transaction(fields.fields());
    var queue = context.scheduler().nodeAccount(fields.queue());
    SubmittedTransaction read;
    try {
      read = TransactionReader.of(profile(), queue).atMost(mostBytes()).read(bytes);
    } catch (RefusedTransactionException e) {
      throw BodyFields.unreadable(fields.fields().path(), profile(), e);
    }
    if (!expected.test(read.operation())) {
      throw BodyFields.unreadable(
          fields.fields().path(),
          ResponseCode.INVALID_TRANSACTION_BODY,
          profile(),
          "the transaction is a %s and not for %s."
              .formatted(read.operation().getClass().getSimpleName(), name));
    }
    boolean keyed = fields.idempotencyKey().isPresent();
    var id = keyed ? Optional.<TransactionId>empty() : Optional.of(read.header().id());
    return submission
        .submit(name, fields, read)
        .thenApply(answer -> new Submission(result(answer), id));
  }

  private static Bytes transaction(Fields fields) {
    return SigningFields.hex(fields, "transaction")
        .orElseGet(
            () ->
                TransactionWriter.signed(
                    SigningFields.requiredHex(fields, "bodyBytes"),
                    SigningFields.signatures(fields, "signatures")));
  }

  private static MultiSignatureResult result(Answer answer) {
    if (answer.result().orElse(null) instanceof MultiSignatureResult result) {
      return result;
    }
    throw new IllegalStateException("No receipt: " + answer);
  }
}

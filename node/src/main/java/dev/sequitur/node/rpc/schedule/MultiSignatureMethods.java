package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.GivenIdentity;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The multi-signature family's operations, with Hedera's names and bytes. */
final class MultiSignatureMethods {
  /** Bytes of r and s: a signature pair of the specification has no recovery bit. */
  private static final int RAW_SIGNATURE = 64;

  private static final String REPEATED =
      " A repeat under its `idempotencyKey` may be built and signed anew: its valid start and its"
          + " signatures need not be those of the first: `transactionID` is null with a key, since"
          + " what is answered may be of an earlier transaction.";
  private static final Field<Bytes> SIGNED_TRANSACTION =
      Field.optional(
          "transaction", Formats.HEX, "a signed Transaction, as Hedera's clients encode it");
  private static final Field<Bytes> BODY_BYTES =
      Field.optional("bodyBytes", Formats.HEX, "in its place: of multiSignature_buildTransaction");
  private static final Field<List<Sent>> SIGNATURES =
      Field.or(
          "signatures",
          SigningFields.SIGNATURES,
          List.of(),
          "over `bodyBytes`, the payer's at least");
  private static final ObjectFormat SUBMISSION_FORMAT =
      ObjectFormat.of("SubmissionRequest", SIGNED_TRANSACTION, BODY_BYTES, SIGNATURES)
          .with(CommandFields.COMMON);
  private static final Field<Sent> SUBMITTED =
      Field.of("submission", SUBMISSION_FORMAT, "the signed transaction");
  private static final Field<Sent> CREATING =
      Field.of(
          "submission",
          SUBMISSION_FORMAT.named("CreationSubmissionRequest").with(Created.DRY_RUN),
          "the signed transaction");
  private static final Field<Sent> OPENED =
      Field.of(
          "account",
          ObjectFormat.of(
                  "OpenAccountRequest", BodyFields.KEY, BodyFields.RECEIVER_SIG, BodyFields.MEMO)
              .with(CommandFields.COMMON),
          "its key");
  private static final Field<GivenIdentity> IDENTITY =
      Field.of("identity", GivenIdentity.FORMAT, "of this node").mentions(Field.Mention.IDENTITY);
  private static final Field<Sent> BINDING =
      Field.of(
          "binding",
          ObjectFormat.of("BindKeyRequest", IDENTITY, BodyFields.KEY).with(CommandFields.COMMON),
          "identity and key");
  private static final Field<Bytes> BYTES =
      Field.of("bytes", Formats.HEX, "what one of the two calls above built");
  private static final Field<Sent> TO_SIGN =
      Field.of("request", ObjectFormat.of("SignRequest", IDENTITY, BYTES), "who signs what");
  private static final String RECEIPT =
      "`{status, number, accountID, scheduleID, scheduledTransactionID}`";

  private static final String SUBMITTED_ANSWER =
      "`{status, number, accountID, scheduleID, scheduledTransactionID, transactionID}`";

  private record Signed(PublicKey key, Bytes signature) {}

  private static final ObjectShape<Signed> SIGNED =
      ObjectShape.<Signed>named("SignatureByIdentity")
          .with("publicKey", SigningShapes.PUBLIC_KEY, Signed::key)
          .with("signature", Formats.HEX, Signed::signature);

  /** What became of a transaction; without its id where it may be an earlier one's. */
  private record Submission(MultiSignatureResult result, Optional<AccountTransactionId> id) {}

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
            MethodGroup.OPERATE,
            "multiSignature_openAccount",
            List.of(OPENED),
            SigningShapes.RESULT,
            RECEIPT,
            "Opens an account without a payer, as the queue's administrator: how a queue begins."
                + " Its name in the queue is its id,"
                + " such as `0.0.1001`: schedule_fund funds it.",
            this::openAccount),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "multiSignature_bindKey",
            List.of(BINDING),
            Formats.BOOLEAN,
            "true",
            "Says, as the queue's administrator, which key must sign for what is to run from an"
                + " identity of this node.",
            this::bindKey),
        RpcMethod.reading(
            "multiSignature_buildBody",
            List.of(BodyFields.BODY),
            BodyFields.SCHEDULED,
            "`{transactionBody, hash}`",
            "Builds the bytes that are scheduled and, in the profile mvp, signed.",
            this::build),
        RpcMethod.reading(
            "multiSignature_buildTransaction",
            List.of(BodyFields.ASKED),
            BodyFields.SUBMITTED,
            "`{bodyBytes, transactionID}`",
            "Builds the body of a transaction that its payer is to sign, for one `queue` alone. By"
                + " its `transactionID`, multiSignature_getReceipt and multiSignature_getRecords"
                + " tell what became of it once it is submitted.",
            this::buildTransaction),
        RpcMethod.submitting(
            "multiSignature_sign",
            List.of(TO_SIGN),
            SIGNED,
            "`{publicKey, signature}`",
            "Signs bytes of the two calls above with the key of an identity of this node (ECDSA"
                + " secp256k1); bytes that are neither, or that schedule what cannot be scheduled,"
                + " are refused.",
            this::sign),
        RpcMethod.submitting(
                "multiSignature_scheduleCreate",
                List.of(CREATING),
                Created.shape(SUBMISSION),
                SUBMITTED_ANSWER,
                "Creates a schedule, or adds its signatures to the identical one; runs it in the same"
                    + " step if enough have signed."
                    + REPEATED,
                this::create)
            .begins(RpcMethod.Begins.Kind.SCHEDULES, call -> Created.begun(call.get(CREATING))));
  }

  /** What becomes of schedules and accounts. */
  List<RpcMethod> signing() {
    return List.of(
        submitted(
            "multiSignature_scheduleSign",
            "Adds signatures to a schedule; runs it in the same step if they are enough.",
            BodyFields.Submitted.SCHEDULE_SIGN),
        submitted(
            "multiSignature_scheduleDelete",
            "Deletes a schedule, signed by its admin key.",
            BodyFields.Submitted.SCHEDULE_DELETE),
        submitted(
            "multiSignature_cryptoCreate",
            "Creates an account, paid for by another.",
            BodyFields.Submitted.CRYPTO_CREATE),
        submitted(
            "multiSignature_cryptoUpdate",
            "Changes an account's key, signed by both.",
            BodyFields.Submitted.CRYPTO_UPDATE),
        submitted(
            "multiSignature_cryptoTransfer",
            "Moves money at once, signed by all who give it, and by those whose key must sign what"
                + " they receive.",
            BodyFields.Submitted.CRYPTO_TRANSFER));
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
    return context
        .scheduler()
        .setup()
        .family(MultiSignature.class)
        .map(MultiSignature::settings)
        .orElse(MultiSignatureSettings.MVP);
  }

  private CompletionStage<ScheduledTransaction> build(Call call) {
    var body = call.get(BodyFields.BODY);
    return completedFuture(bodies(body).scheduled(body));
  }

  private CompletionStage<BodyFields.BuiltTransaction> buildTransaction(Call call) {
    var asked = call.get(BodyFields.ASKED);
    return completedFuture(bodies(asked.sent()).submitted(asked));
  }

  private BodyFields bodies(Sent sent) {
    var account = context.scheduler().nodeAccount(sent.get(CommandFields.QUEUE));
    return new BodyFields(context, settings(context), account, starts);
  }

  private CompletionStage<MultiSignatureResult> openAccount(Call call) {
    var sent = call.get(OPENED);
    var account =
        new Account(
            sent.get(BodyFields.KEY), sent.get(BodyFields.RECEIVER_SIG), sent.get(BodyFields.MEMO));
    var operation = new Operation.Perform(new MultiSignatureOperation.OpenAccount(account));
    return submission.administer(call, sent, operation).thenApply(MultiSignatureMethods::result);
  }

  private CompletionStage<Boolean> bindKey(Call call) {
    var sent = call.get(BINDING);
    var operation = new MultiSignatureOperation.BindKey(identity(sent), sent.get(BodyFields.KEY));
    return submission
        .administer(call, sent, new Operation.Perform(operation))
        .thenApply(taken -> true);
  }

  /** One whose key is here. */
  private Identity identity(Sent sent) {
    var identity = sent.get(IDENTITY).at(context.node().name());
    if (!identity.node().equals(context.node().name())) {
      throw new RpcFailure(
          ErrorCode.FOREIGN_IDENTITY,
          "The key of %s is on the node %s. Ask that node.".formatted(identity, identity.node()));
    }
    return identity;
  }

  private CompletionStage<Signed> sign(Call call) {
    var sent = call.get(TO_SIGN);
    var identity = identity(sent);
    var bytes = sent.get(BYTES);
    mustBeOurs(sent.path(BYTES), bytes);
    var keys = context.node().keys();
    var key =
        new PublicKey(
            PublicKey.Algorithm.ECDSA_SECP256K1, keys.verifier(identity.name()).publicKey());
    return context
        .signed(identity, bytes)
        .thenApply(
            withRecoveryBit ->
                new Signed(
                    key, Bytes.of(Arrays.copyOf(withRecoveryBit.toByteArray(), RAW_SIGNATURE))));
  }

  /** So that nobody gets a signature under something else. */
  private void mustBeOurs(String path, Bytes bytes) {
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
        throw BodyFields.unreadable(path, profile(), e);
      }
    }
    mustBeSchedulable(path, scheduled.action());
  }

  /** No queue would ever run it, but something else that reads such bodies might. */
  private void mustBeSchedulable(String path, Action action) {
    if (action instanceof Action.Unschedulable other) {
      throw BodyFields.unreadable(
          path,
          ResponseCode.unschedulable(profile()),
          profile(),
          other.what() + " is nothing that can be scheduled here, and so it is not signed.");
    }
  }

  private RpcMethod submitted(String name, String doc, BodyFields.Submitted expected) {
    return RpcMethod.submitting(
        name,
        List.of(SUBMITTED),
        SUBMISSION,
        SUBMITTED_ANSWER,
        doc + REPEATED,
        call -> submit(call, expected));
  }

  private CompletionStage<Created<Submission>> create(Call call) {
    var sent = call.get(CREATING);
    var read = read(call, sent, BodyFields.Submitted.SCHEDULE_CREATE);
    return sent.get(Created.DRY_RUN)
        ? submission.tried(sent, read).thenApply(Created::tried)
        : submit(call, sent, read).thenApply(Created::made);
  }

  private CompletionStage<Submission> submit(Call call, BodyFields.Submitted expected) {
    var sent = call.get(SUBMITTED);
    return submit(call, sent, read(call, sent, expected));
  }

  private SubmittedTransaction read(Call call, Sent sent, BodyFields.Submitted expected) {
    var bytes = transaction(sent);
    var queue = context.scheduler().nodeAccount(sent.get(CommandFields.QUEUE));
    SubmittedTransaction read;
    try {
      read = TransactionReader.of(profile(), queue).atMost(mostBytes()).read(bytes);
    } catch (RefusedTransactionException e) {
      throw BodyFields.unreadable(sent.path(), profile(), e);
    }
    if (!BodyFields.Submitted.of(read.operation()).equals(Optional.of(expected))) {
      throw BodyFields.unreadable(
          sent.path(),
          ResponseCode.INVALID_TRANSACTION_BODY,
          profile(),
          "the transaction is a %s and not for %s."
              .formatted(read.operation().name(), call.method()));
    }
    if (read.operation() instanceof SubmittedTransaction.Operation.ScheduleCreate create) {
      SeenSchedules.mustHaveGroup(call, create.creation());
    }
    return read;
  }

  private CompletionStage<Submission> submit(Call call, Sent sent, SubmittedTransaction read) {
    boolean keyed = sent.has(CommandFields.IDEMPOTENCY_KEY);
    var id = keyed ? Optional.<AccountTransactionId>empty() : Optional.of(read.header().id());
    return submission
        .submit(call, sent, read)
        .thenApply(answer -> new Submission(result(answer), id));
  }

  private static Bytes transaction(Sent sent) {
    if (sent.has(SIGNED_TRANSACTION)) {
      sent.refuseBeside(SIGNED_TRANSACTION, BODY_BYTES, SIGNATURES);
      return sent.get(SIGNED_TRANSACTION);
    }
    var body =
        sent.find(BODY_BYTES)
            .orElseThrow(
                () -> sent.wrong(BODY_BYTES, " is missing: send 0x and hexadecimal digits."));
    return TransactionWriter.signed(body, SigningFields.pairs(sent.get(SIGNATURES)));
  }

  private static MultiSignatureResult result(Answer answer) {
    if (answer.result().orElse(null) instanceof MultiSignatureResult result) {
      return result;
    }
    throw new IllegalStateException("No receipt: " + answer);
  }
}

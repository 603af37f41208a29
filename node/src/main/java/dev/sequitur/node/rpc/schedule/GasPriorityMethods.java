package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.gaspriority.GasPriority;
import dev.sequitur.protocol.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.protocol.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The methods of the gas-priority family, in the terms of AIP-125. */
final class GasPriorityMethods {
  private final NodeContext context;
  private final CommandSubmission submission;
  private final TargetFields targets;

  GasPriorityMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
    this.targets = new TargetFields(new PrivateCalls(context));
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            "gasPriority_insert",
            List.of(Parameter.of("transaction", Formats.OBJECT, "the ScheduledTransaction")),
            INSERTED,
            "`{id, key}`, where `key` is the ScheduleMapKey `{time, gasPriority, txnId}`",
            "Inserts a scheduled transaction, in the name of `senderAddr`, whose account pays the"
                + " deposit of maxGasAmount × maxGasUnitPrice. Fields: `senderAddr`,"
                + " `scheduledTimeMs` (milliseconds since 1970, or RFC 3339), `maxGasAmount` (at"
                + " least what the target needs: 10 in the queue and 100 for a private transaction,"
                + " unless the node is set up otherwise), `maxGasUnitPrice`, `target` (the text's"
                + " `f`). A time of 100 ms runs at most as many as its limit says, the highest"
                + " price first."
                + TargetFields.TARGET_DOC
                + TargetFields.POLICY_DOC
                + QueueMethods.COMMON,
            this::insert),
        RpcMethod.of(
            "gasPriority_getReadyTransactions",
            List.of(
                Parameter.of("timestampMs", Formats.NUMBER, "milliseconds since 1970 of the block"),
                QueueMethods.QUEUE),
            READY.list(),
            "an array of ScheduledTransactionInfoWithKey",
            "What a block at that time would run, in its order, as things stand now; changes"
                + " nothing. `gasUnitPriceCharged` is the lesser of the sender's maximum and the"
                + " highest price of any other in the block, not below the least.",
            this::ready),
        RpcMethod.of(
            "gasPriority_cancel",
            List.of(Parameter.of("command", Formats.OBJECT, "sender and key")),
            Formats.BOOLEAN,
            "true",
            "Cancels a scheduled transaction that was not started, and refunds the whole deposit;"
                + " only for the one who inserted it. Fields: `senderAddr`, and `key` (the"
                + " ScheduleMapKey `{time, gasPriority, txnId}` as the insertion answered it), or"
                + " in its place `txnId` alone (the key's, or the id)."
                + QueueMethods.COMMON,
            this::cancel));
  }

  private CompletionStage<Inserted> insert(Call call) {
    var fields = new CommandFields(call.object(0));
    var terms =
        new GasPriorityTerms(
            fields.timeMillis("scheduledTimeMs"),
            fields.number("maxGasAmount"),
            fields.number("maxGasUnitPrice"));
    var target = targets.target(call.object(0), "target");
    var proposal = targets.proposal(fields, fields.account("senderAddr"), terms, target);
    return submission
        .propose("gasPriority_insert", fields, proposal)
        .thenApply(id -> new Inserted(id, new Key(family(), family().dueKey(terms, id))));
  }

  /** The text's ScheduleMapKey, of this family as it is set up. */
  record Key(GasPriority family, DueKey due) {
    private long time() {
      return due.time() * family.settings().tickMillis();
    }
  }

  static final ObjectShape<Key> KEY =
      ObjectShape.<Key>named("ScheduleMapKey")
          .with("time", Shape.NUMBER, Key::time, "milliseconds since 1970")
          .with("gasPriority", Words.DIGITS, key -> Long.toUnsignedString(key.due().order()))
          .with("txnId", Formats.HASH, key -> key.due().id());

  private record Inserted(ScheduleId id, Key key) {}

  private static final ObjectShape<Inserted> INSERTED =
      ObjectShape.<Inserted>named("InsertedTransaction")
          .with("id", Words.SCHEDULE_ID, Inserted::id)
          .with("key", KEY, Inserted::key);

  /** What a block would run, and at which price. */
  private record Ready(
      GasPriorityQuery.ReadyTransaction transaction, GasPriorityTerms terms, Key key) {}

  private static final ObjectShape<Ready> READY =
      ObjectShape.<Ready>named("ScheduledTransactionInfoWithKey")
          .with(
              "senderAddr",
              Words.ACCOUNT,
              ready -> ready.transaction().schedule().proposal().owner())
          .with("maxGasAmount", Words.DIGITS, ready -> ready.terms().maxGasAmount())
          .with("maxGasUnitPrice", Words.DIGITS, ready -> ready.terms().maxGasUnitPrice())
          .with(
              "gasUnitPriceCharged",
              Words.DIGITS,
              ready -> ready.transaction().gasUnitPriceCharged())
          .with("key", KEY, Ready::key);

  private GasPriority family() {
    if (context.scheduler().setup().family(FamilyKind.GAS_PRIORITY) instanceof GasPriority family) {
      return family;
    }
    throw new IllegalStateException("The gas-priority family is another.");
  }

  private CompletionStage<Boolean> cancel(Call call) {
    var fields = new CommandFields(call.object(0));
    var key = fields.fields().fields("key");
    if (key.isPresent() == fields.fields().any("txnId").isPresent()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.fields().path()
              + " must have either key, as the insertion answered it, or txnId.");
    }
    var id = transaction(key.orElse(fields.fields()));
    var sender = fields.account("senderAddr");
    return key.map(named -> mustBeOf(fields, id, named))
        .orElseGet(() -> CompletableFuture.completedFuture(id))
        .thenCompose(
            named ->
                submission.submit(
                    "gasPriority_cancel", fields, sender, new Operation.Cancel(named)))
        .thenApply(taken -> true);
  }

  private static ScheduleId transaction(Fields fields) {
    return fields.requiredParsed("txnId", "the key's txnId", GasPriorityMethods::parseTransaction);
  }

  /** An id has one key for life; what does not wait any more gets the queue's own answer. */
  private CompletionStage<ScheduleId> mustBeOf(CommandFields fields, ScheduleId id, Fields named) {
    long time = new CommandFields(named).timeMillis("time");
    long priority =
        named.requiredParsed("gasPriority", "decimal digits", GasPriorityMethods::parsePriority);
    fields.complete();
    return context
        .scheduler()
        .schedule(fields.queue(), id)
        .thenApply(
            known -> {
              var due = known.view().map(view -> view.schedule().due());
              if (due.isPresent()
                  && (due.get().time() != time / family().settings().tickMillis()
                      || due.get().order() != priority)) {
                throw new RpcFailure(
                    ErrorCode.SCHEDULE_UNKNOWN_SCHEDULE,
                    "No transaction waits under this key, though one of its txnId does: send the"
                        + " key as the insertion answered it.");
              }
              return id;
            });
  }

  private static long parsePriority(String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "A gas priority is a number from 0 to 18446744073709551615 in decimal digits, as the"
              + " insertion answered it.");
    }
  }

  private static ScheduleId parseTransaction(String text) {
    return text.indexOf(':') < 0
        ? new ScheduleId(FamilyKind.GAS_PRIORITY, Formats.hash(text))
        : CommandFields.of(FamilyKind.GAS_PRIORITY, CommandFields.parseSchedule(text));
  }

  private CompletionStage<List<Ready>> ready(Call call) {
    long timestampMs = call.number(0);
    CommandFields.beforeEnd(call.path(0), timestampMs / 1_000);
    return context
        .scheduler()
        .ask(QueueMethods.queue(call, 1), new GasPriorityQuery.GetReadyTransactions(timestampMs))
        .thenApply(this::listed);
  }

  private List<Ready> listed(GasPriorityQuery.ReadyTransactions ready) {
    var listed = new ArrayList<Ready>();
    for (var transaction : ready.transactions()) {
      var schedule = transaction.schedule();
      if (schedule.proposal().terms() instanceof GasPriorityTerms terms) {
        listed.add(new Ready(transaction, terms, new Key(family(), schedule.due())));
      }
    }
    return listed;
  }
}

package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.DueKey;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPriorityQuery;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
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
        new RpcMethod(
            "gasPriority_insert",
            List.of(Parameter.of("transaction", Formats.OBJECT, "the ScheduledTransaction")),
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
            true,
            this::insert),
        new RpcMethod(
            "gasPriority_getReadyTransactions",
            List.of(
                Parameter.of(
                    "timestampMs", Formats.NUMBER, "milliseconds since 1970 of the block"),
                QueueMethods.QUEUE),
            "an array of ScheduledTransactionInfoWithKey",
            "What a block at that time would run, in its order, as things stand now; changes"
                + " nothing. `gasUnitPriceCharged` is the lesser of the sender's maximum and the"
                + " highest price of any other in the block, not below the least.",
            true,
            this::ready),
        new RpcMethod(
            "gasPriority_cancel",
            List.of(Parameter.of("command", Formats.OBJECT, "sender and key")),
            "true",
            "Cancels a scheduled transaction that was not started, and refunds the whole deposit;"
                + " only for the one who inserted it. Fields: `senderAddr`, and `key` (the"
                + " ScheduleMapKey `{time, gasPriority, txnId}` as the insertion answered it), or"
                + " in its place `txnId` alone (the key's, or the id)."
                + QueueMethods.COMMON,
            true,
            this::cancel));
  }

  private CompletionStage<JsonNode> insert(Call call) {
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
        .thenApply(
            id -> {
              var json = JsonText.object().put("id", id.toString());
              json.set("key", key(family(), family().dueKey(terms, id)));
              return json;
            });
  }

  /** The text's ScheduleMapKey. */
  static ObjectNode key(GasPriority family, DueKey key) {
    return JsonText.object()
        .put("time", key.time() * family.settings().tickMillis())
        .put("gasPriority", Long.toUnsignedString(key.order()))
        .put("txnId", key.id().toString());
  }

  private GasPriority family() {
    if (context.scheduler().setup().family(FamilyKind.GAS_PRIORITY) instanceof GasPriority family) {
      return family;
    }
    throw new IllegalStateException("The gas-priority family is another.");
  }

  private CompletionStage<JsonNode> cancel(Call call) {
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
        .thenApply(taken -> BooleanNode.TRUE);
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

  private CompletionStage<JsonNode> ready(Call call) {
    long timestampMs = call.number(0);
    CommandFields.beforeEnd(call.path(0), timestampMs / 1_000);
    return context
        .scheduler()
        .ask(QueueMethods.queue(call, 1), new GasPriorityQuery.GetReadyTransactions(timestampMs))
        .thenApply(this::json);
  }

  private JsonNode json(GasPriorityQuery.ReadyTransactions ready) {
    var json = ScheduleJson.array();
    for (var transaction : ready.transactions()) {
      var schedule = transaction.schedule();
      if (schedule.proposal().terms() instanceof GasPriorityTerms terms) {
        json.addObject()
            .put("senderAddr", schedule.proposal().owner().value())
            .put("maxGasAmount", Long.toString(terms.maxGasAmount()))
            .put("maxGasUnitPrice", Long.toString(terms.maxGasUnitPrice()))
            .put("gasUnitPriceCharged", Long.toString(transaction.gasUnitPriceCharged()))
            .set("key", key(family(), schedule.due()));
      }
    }
    return json;
  }
}

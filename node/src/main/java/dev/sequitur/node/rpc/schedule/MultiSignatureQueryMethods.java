package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.ParameterType;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.family.MultiSignatureAnswer;
import dev.sequitur.protocol.schedule.family.MultiSignatureQuery;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What can be asked of the multi-signature family. */
final class MultiSignatureQueryMethods {
  private static final Parameter TRANSACTION =
      Parameter.of(
          "transactionID",
          ParameterType.NAME,
          "such as `0.0.1001@1795255500.000000000`, with `?scheduled` for what was triggered");

  private final NodeContext context;

  MultiSignatureQueryMethods(NodeContext context) {
    this.context = context;
  }

  /** Of those that can still be signed. */
  List<RpcMethod> schedules() {
    return List.of(
        new RpcMethod(
            "multiSignature_scheduleGetInfo",
            List.of(
                Parameter.of("scheduleID", ParameterType.NAME, "such as `0.0.1005`"),
                QueueMethods.QUEUE),
            "the schedule with its signers",
            "All fields of a schedule: in the profile mvp of one that can still be signed, in"
                + " current until it would expire.",
            true,
            this::info),
        new RpcMethod(
            "multiSignature_pendingFor",
            List.of(
                Parameter.of("key", ParameterType.NAME, "a public key"),
                Parameter.optional("after", ParameterType.NAME, "the `next` of the page before"),
                QueueMethods.QUEUE),
            "`{schedules, next}`",
            "The schedules that wait for the signature of a key, each as"
                + " multiSignature_scheduleGetInfo shows it without its signers. `next` is null on"
                + " the last page; a page may be empty and not be the last.",
            true,
            this::pending));
  }

  /** Of what was done, and of accounts. */
  List<RpcMethod> records() {
    return List.of(
        new RpcMethod(
            "multiSignature_getReceipt",
            List.of(TRANSACTION, QueueMethods.QUEUE),
            "`{status, accountID, scheduleID, scheduledTransactionID}`, or null",
            "The receipt of a transaction, as long as it is kept. What a private transaction was"
                + " handed over for has the receipt of its outcome once it has one.",
            true,
            call ->
                kept(call)
                    .thenApply(
                        kept ->
                            kept.records().isEmpty()
                                ? NullNode.instance
                                : MultiSignatureJson.receipt(
                                    kept.records().get(kept.records().size() - 1).receipt()))),
        new RpcMethod(
            "multiSignature_getRecords",
            List.of(TRANSACTION, QueueMethods.QUEUE),
            "an array of records",
            "All records of a transaction, oldest first, as long as they are kept."
                + " `transactionHash` of an operation is SHA-384 of the SignedTransaction's bytes (of"
                + " the whole Transaction where an older client sent none); of what a schedule"
                + " triggered, whose `transactionID` has `?scheduled`, it is SHA-256 of the scheduled"
                + " body: the `hash` of multiSignature_buildBody.",
            true,
            call ->
                kept(call)
                    .thenApply(
                        kept -> {
                          var json = ScheduleJson.array();
                          kept.records()
                              .forEach(record -> json.add(MultiSignatureJson.record(record)));
                          return json;
                        })),
        new RpcMethod(
            "multiSignature_getAccount",
            List.of(
                Parameter.of("accountID", ParameterType.NAME, "such as `0.0.1001`"),
                QueueMethods.QUEUE),
            "`{accountID, key, receiverSigRequired, memo, balance}`, or null",
            "An account with its present key.",
            true,
            this::account),
        new RpcMethod(
            "multiSignature_getNodeAccount",
            List.of(QueueMethods.QUEUE),
            "a node account, `0.realm.number`",
            "The `nodeAccountID` that a transaction for this queue has to name, and in the profile"
                + " mvp what is to be scheduled as well: a signature counts in the queue that it was"
                + " given for, and in no other one. For who builds bytes with a client of Hedera;"
                + " what the node builds has it.",
            true,
            this::nodeAccount));
  }

  private CompletionStage<JsonNode> nodeAccount(Call call) {
    var node = context.scheduler().nodeAccount(QueueMethods.queue(call, 0));
    return CompletableFuture.completedFuture(TextNode.valueOf(node.toString()));
  }

  private CompletionStage<JsonNode> info(Call call) {
    var id = Fields.parse(call.path(0), call.text(0), CommandFields::parseEntity);
    return context
        .scheduler()
        .ask(QueueMethods.queue(call, 1), new MultiSignatureQuery.ScheduleGetInfo(id))
        .thenApply(
            answer ->
                answer
                    .info()
                    .map(MultiSignatureJson::info)
                    .orElseThrow(() -> refused(answer.status())));
  }

  private RpcFailure refused(ResponseCode status) {
    return CommandSubmission.refused(status.refusal(MultiSignatureMethods.profile(context)));
  }

  private CompletionStage<MultiSignatureAnswer.Records> kept(Call call) {
    var id = Fields.parse(call.path(0), call.text(0), SigningFields::transactionId);
    return context
        .scheduler()
        .ask(QueueMethods.queue(call, 1), new MultiSignatureQuery.GetRecords(id));
  }

  private CompletionStage<JsonNode> account(Call call) {
    var id = Fields.parse(call.path(0), call.text(0), EntityId::parse);
    var queue = QueueMethods.queue(call, 1);
    return context
        .scheduler()
        .ask(queue, new MultiSignatureQuery.GetAccount(id))
        .thenCombine(
            context.scheduler().available(queue, id.account()),
            (known, balance) ->
                known
                    .account()
                    .<JsonNode>map(
                        account -> {
                          var json = JsonText.object().put("accountID", id.toString());
                          json.set("key", SigningFields.json(account.key()));
                          return json.put("receiverSigRequired", account.receiverSigRequired())
                              .put("memo", account.memo())
                              .put("balance", balance.toString());
                        })
                    .orElse(NullNode.instance));
  }

  private CompletionStage<JsonNode> pending(Call call) {
    var key = Fields.parse(call.path(0), call.text(0), SigningFields::publicKey);
    var after =
        call.optionalText(1)
            .map(text -> Fields.parse(call.path(1), text, CommandFields::parseEntity).schedule());
    var queue = QueueMethods.queue(call, 2);
    var query =
        new ScheduleQuery(
            Optional.of(FamilyKind.MULTI_SIGNATURE),
            Optional.empty(),
            Optional.empty(),
            after,
            ScheduleQuery.MOST);
    return context
        .scheduler()
        .schedules(queue, query)
        .thenCompose(
            page ->
                context
                    .scheduler()
                    .ask(queue, new MultiSignatureQuery.WaitingFor(List.of(key), ids(page)))
                    .thenApply(pending -> json(page, pending)));
  }

  private static List<EntityId> ids(SchedulePage page) {
    return page.schedules().stream().map(view -> EntityId.of(view.schedule().id())).toList();
  }

  private static JsonNode json(SchedulePage page, MultiSignatureAnswer.Schedules pending) {
    var json = JsonText.object();
    var schedules = json.putArray("schedules");
    for (var view : page.schedules()) {
      if (pending.schedules().contains(EntityId.of(view.schedule().id()))) {
        schedules.add(TermsJson.terms(view.schedule().proposal().terms()));
      }
    }
    return json.put("next", page.next().map(next -> EntityId.of(next).toString()).orElse(null));
  }
}

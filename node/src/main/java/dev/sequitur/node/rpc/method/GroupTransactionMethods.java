package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Transactions and read-only calls that name their privacy group by its id. */
final class GroupTransactionMethods {
  private static final String FIELDS = "`{domain, group, from, function, input, …}`";

  private static final Parameter<JsonNode> TRANSACTION =
      Parameter.of("transaction", Formats.OBJECT, FIELDS);
  private static final Parameter<JsonNode> CALL = Parameter.of("call", Formats.OBJECT, FIELDS);

  private final NodeContext context;
  private final IntentSubmission submission;

  GroupTransactionMethods(NodeContext context) {
    this.context = context;
    this.submission = new IntentSubmission(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            "pgroup_sendTransaction",
            List.of(TRANSACTION),
            Formats.TRANSACTION_ID,
            "the transaction's id, a UUID",
            "As ptx_sendTransaction, but names the group by its id; `idempotencyKey` and `dependsOn`"
                + " as there.",
            call -> send(call.object(TRANSACTION))),
        RpcMethod.of(
            "pgroup_call",
            List.of(CALL),
            Shape.ANY,
            "what the domain answers",
            "A read-only call to the group's domain, on the confirmed states that this node holds.",
            call -> call(call.object(CALL))));
  }

  private CompletionStage<TransactionId> send(Fields fields) {
    var target = Target.read(fields);
    var node = context.node().name();
    var from = IntentDraft.from(fields, node);
    var data = IntentDraft.data(fields, "input");
    var key = IntentDraft.idempotencyKey(fields);
    var dependsOn = IntentDraft.dependsOn(fields);
    var maxAttempts = IntentDraft.maxAttempts(fields);
    return contract(target)
        .thenCompose(
            contract ->
                submission.submit(
                    List.of(
                        new IntentDraft(
                            key,
                            Optional.of(target.domain()),
                            target.function(),
                            from,
                            contract,
                            data,
                            dependsOn,
                            SubmitMode.AUTO,
                            maxAttempts))))
        .thenApply(ids -> ids.get(0));
  }

  private CompletionStage<JsonNode> call(Fields fields) {
    var target = Target.read(fields);
    var from = IntentDraft.from(fields, context.node().name());
    var inputs = Bytes.of(JsonText.write(IntentDraft.data(fields, "input")));
    return contract(target)
        .thenCompose(contract -> context.node().call(contract, from, target.function(), inputs))
        .<JsonNode>handle(
            (result, failure) -> {
              if (failure != null) {
                throw refused(failure);
              }
              return JsonText.parse(result.toByteArray());
            });
  }

  /** What a domain throws at a caller's mistake is a sentence for the caller. */
  private static CompletionException refused(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return new CompletionException(
        cause instanceof IllegalArgumentException
            ? new RpcFailure(ErrorCode.CALL_REFUSED, cause.getMessage())
            : cause);
  }

  private CompletionStage<ContractAddress> contract(Target target) {
    return context
        .node()
        .store()
        .groups()
        .thenApply(
            groups ->
                groups.stream()
                    .filter(group -> group.id().value().equals(target.group()))
                    .filter(group -> GroupShape.domain(group).equals(target.domain()))
                    .findFirst()
                    .orElseThrow(() -> unknown(target)))
        .thenApply(GroupTransactionMethods::confirmed);
  }

  private static ContractAddress confirmed(StoredGroup group) {
    return group
        .group()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.GROUP_NOT_CONFIRMED,
                    "The contract of the group %s is not confirmed yet. Wait until pgroup_getGroupById shows a contractAddress."
                        .formatted(group.id())))
        .contract();
  }

  private static RpcFailure unknown(Target target) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_GROUP,
        "This node knows no privacy group %s of that domain. pgroup_queryGroups lists those it knows."
            .formatted(target.group()));
  }

  /** The group and the function that a caller names. */
  private record Target(String domain, Hash group, String function) {
    static Target read(Fields fields) {
      return new Target(
          fields.requiredText("domain"),
          fields.requiredParsed("group", "the group's id", Formats::hash),
          function(fields));
    }

    /** A name, or an ABI entry, as clients of the field send it, whose name is meant. */
    private static String function(Fields fields) {
      boolean entry = fields.any("function").filter(JsonNode::isObject).isPresent();
      return entry
          ? fields
              .fields("function")
              .orElseThrow()
              .requiredParsed("name", "the name of one of the domain's functions", Formats::name)
          : fields.requiredParsed(
              "function", "the name of one of the domain's functions", Formats::name);
    }
  }
}

package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.SubmitMode;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Transactions and read-only calls that name their privacy group by its id. */
final class GroupTransactionMethods {
  private static final Field<String> DOMAIN = Field.of("domain", Formats.TEXT, "the group's");
  private static final Field<Hash> GROUP =
      Field.of("group", Format.of("the group's id", "0x58…", Formats::hash), "the group's id")
          .mentions(Field.Mention.GROUP);
  private static final Field<String> NAMED = Field.of("name", IntentDraft.FUNCTION_FORMAT, "");
  private static final ObjectFormat ENTRY = ObjectFormat.of("AbiEntry", NAMED).open();

  /** A name, or an ABI entry, as clients of the field send it, whose name is meant. */
  private static final Field<String> FUNCTION =
      Field.of(
          "function",
          Format.of(
              IntentDraft.FUNCTION_FORMAT.type(),
              Shape.oneOf(
                  List.of(IntentDraft.FUNCTION_FORMAT, ENTRY), JsonNodeFactory.instance::textNode),
              GroupTransactionMethods::function),
          "its name, or the ABI entry that has it");

  private static final Field<JsonNode> INPUT = IntentDraft.data("input");
  private static final ObjectFormat CALL_FORMAT =
      ObjectFormat.of("GroupCallRequest", DOMAIN, GROUP, IntentDraft.FROM, FUNCTION, INPUT).open();

  private static final Field<Sent> TRANSACTION =
      Field.of(
          "transaction",
          CALL_FORMAT
              .named("GroupTransactionRequest")
              .with(
                  IntentDraft.IDEMPOTENCY_KEY,
                  IntentDraft.DEPENDS_ON,
                  IntentDraft.MAX_ATTEMPTS,
                  IntentDraft.DEADLINE),
          "the transaction");
  private static final Field<Sent> CALL = Field.of("call", CALL_FORMAT, "the call");

  private final NodeContext context;
  private final IntentSubmission submission;

  GroupTransactionMethods(NodeContext context) {
    this.context = context;
    this.submission = new IntentSubmission(context);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.submitting(
                "pgroup_sendTransaction",
                List.of(TRANSACTION),
                Formats.TRANSACTION_ID,
                "the transaction's id, a UUID",
                "As ptx_sendTransaction, but names the group by its id; `idempotencyKey` and"
                    + " `dependsOn` as there.",
                call -> send(call.exchange().caller(), call.get(TRANSACTION)))
            .begins(RpcMethod.Begins.Kind.TRANSACTIONS, call -> 1),
        RpcMethod.reading(
            "pgroup_call",
            List.of(CALL),
            Shape.ANY,
            "what the domain answers",
            "A read-only call to the group's domain, on the confirmed states that this node holds.",
            call -> call(call.get(CALL))));
  }

  private CompletionStage<TransactionId> send(Principal caller, Sent sent) {
    return contract(sent)
        .thenCompose(
            Context.current()
                .wrapFunction(
                    contract ->
                        submission.submit(
                            List.of(submission.intent(caller, draft(sent, contract))))))
        .thenApply(ids -> ids.get(0));
  }

  private IntentDraft draft(Sent sent, ContractAddress contract) {
    return new IntentDraft(
        sent.find(IntentDraft.IDEMPOTENCY_KEY),
        Optional.of(sent.get(DOMAIN)),
        sent.get(FUNCTION),
        from(sent),
        contract,
        input(sent),
        IntentDraft.dependsOn(sent),
        SubmitMode.AUTO,
        sent.find(IntentDraft.MAX_ATTEMPTS),
        sent.find(IntentDraft.DEADLINE));
  }

  /** By the function's ABI entry, if that was sent. */
  private static JsonNode input(Sent sent) {
    var function = sent.object().path(FUNCTION.name());
    var input = sent.get(INPUT);
    return function.isObject()
        ? NamedInputs.of(sent, INPUT, "the function", function, input)
        : input;
  }

  private Identity from(Sent sent) {
    return sent.get(IntentDraft.FROM).at(context.node().name());
  }

  private CompletionStage<JsonNode> call(Sent sent) {
    return contract(sent)
        .thenCompose(
            contract ->
                DomainCalls.ask(context, contract, from(sent), sent.get(FUNCTION), input(sent)));
  }

  private CompletionStage<ContractAddress> contract(Sent sent) {
    return contract(context, sent.get(DOMAIN), sent.get(GROUP));
  }

  /**
   * The contract of a group that is named by its id.
   *
   * @return fails with {@link RpcFailure} if this node knows none, or not yet
   */
  static CompletionStage<ContractAddress> contract(NodeContext context, String domain, Hash id) {
    return context
        .group(domain, id)
        .thenApply(group -> group.orElseThrow(() -> unknown(id)))
        .thenApply(GroupTransactionMethods::confirmed);
  }

  private static ContractAddress confirmed(StoredGroup group) {
    return group
        .group()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.GROUP_NOT_CONFIRMED,
                    group
                        .notMade()
                        .map(
                            why ->
                                "The contract of the group %s is never made: %s"
                                    .formatted(group.id(), why))
                        .orElseGet(
                            () ->
                                "The contract of the group %s is not confirmed yet. Wait until pgroup_getGroupById shows a contractAddress."
                                    .formatted(group.id()))))
        .contract();
  }

  private static RpcFailure unknown(Hash group) {
    return new RpcFailure(
        ErrorCode.UNKNOWN_GROUP,
        "This node knows no privacy group %s of that domain. pgroup_queryGroups lists those it knows."
            .formatted(group));
  }

  private static String function(String path, JsonNode node) {
    return node.isObject()
        ? ENTRY.read(path, node).get(NAMED)
        : IntentDraft.FUNCTION_FORMAT.read(path, node);
  }
}

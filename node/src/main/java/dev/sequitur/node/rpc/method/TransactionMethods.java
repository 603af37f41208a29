package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code ptx_get…} and {@code ptx_resolveVerifier}: one transaction at a time. */
final class TransactionMethods {
  private static final Parameter ID =
      Parameter.of("id", ParameterType.TRANSACTION_ID, "the transaction's id");

  private final NodeContext context;

  TransactionMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        byId(
            "ptx_getTransaction",
            "the transaction, or null",
            "A transaction as it was accepted.",
            id -> store().intent(id).thenApply(found -> json(found, TransactionJson::transaction))),
        byId(
            "ptx_getTransactionFull",
            "the transaction with its receipt and its state in the protocol, or null",
            "Adds to ptx_getTransaction `dependsOn`, `receipt` (null until final), `public`,"
                + " `history`, `sequencerActivity`, and, ours, `state`, `delegate`, `submitter`,"
                + " `attempts`, and until it is final `waitsFor`. What happened is kept with the"
                + " receipt: at most the last 128 events since the node's last start, and of before it the"
                + " reasons of the last 20 failed tries.",
            this::full),
        byId(
            "ptx_getTransactionReceipt",
            "the receipt, or null until the transaction is final",
            "How a transaction ended. Cheap: made to be asked ten times a second.",
            id -> store().receipt(id).thenApply(found -> json(found, TransactionJson::receipt))),
        byId(
            "ptx_getTransactionReceiptFull",
            "the receipt with its states, or null until the transaction is final",
            "Adds `states` to ptx_getTransactionReceipt: spent, read, confirmed, info. A state whose"
                + " content this node does not hold is its id alone.",
            this::receiptFull),
        byId(
            "ptx_getPreparedTransaction",
            "what the base ledger needs to fulfil the transaction, or null",
            "What was prepared for a transaction with external submission.",
            this::prepared),
        byIdempotencyKey(),
        resolveVerifier());
  }

  private RpcMethod byId(
      String name,
      String returns,
      String doc,
      Function<TransactionId, CompletionStage<JsonNode>> answer) {
    return new RpcMethod(
        name, List.of(ID), returns, doc, true, call -> answer.apply(call.transactionId(0)));
  }

  private RpcMethod byIdempotencyKey() {
    return new RpcMethod(
        "ptx_getTransactionByIdempotencyKey",
        List.of(Parameter.of("key", ParameterType.NAME, "the idempotency key as it was sent")),
        "the transaction, or null",
        "The transaction that an idempotency key was used for.",
        true,
        call ->
            store()
                .intentByIdempotencyKey(call.text(0))
                .thenCompose(this::intent)
                .thenApply(found -> json(found, TransactionJson::transaction)));
  }

  private RpcMethod resolveVerifier() {
    return new RpcMethod(
        "ptx_resolveVerifier",
        List.of(
            Parameter.of("lookup", ParameterType.TEXT, "the identity, name@node"),
            Parameter.of("algorithm", ParameterType.TEXT, VerifierTypes.ALGORITHM),
            Parameter.of("verifierType", ParameterType.TEXT, VerifierTypes.supported())),
        "the verifier, a string",
        "What checks an identity's signatures; asks the identity's node if it is another.",
        true,
        this::resolve);
  }

  private CompletionStage<JsonNode> resolve(Call call) {
    var type = VerifierTypes.check(call.text(1), call.text(2));
    var node = context.node();
    var identity =
        Fields.parse(call.path(0), call.text(0), text -> IntentDraft.identity(text, node.name()));
    if (!identity.node().equals(node.name()) && !node.peers().contains(identity.node())) {
      throw new RpcFailure(
          ErrorCode.UNKNOWN_NODE,
          "The identity names the node %s, which this one cannot reach. transport_peers lists those it can."
              .formatted(identity.node()));
    }
    return node.resolveVerifier(identity)
        .thenApply(verifier -> TextNode.valueOf(type.render(verifier)));
  }

  private CompletionStage<JsonNode> full(TransactionId id) {
    return store().intent(id).thenCompose(found -> full(context, found));
  }

  /** The full view of an intent, or a null node if there is none. */
  static CompletionStage<JsonNode> full(NodeContext context, Optional<Intent> found) {
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(NullNode.instance);
    }
    var id = found.get().transaction().id();
    // The status first: what ends in between then still has its receipt.
    return context
        .node()
        .transactionStatus(id)
        .thenCompose(
            status ->
                context
                    .node()
                    .store()
                    .receipt(id)
                    .thenApply(receipt -> TransactionJson.full(found.get(), receipt, status)));
  }

  private CompletionStage<JsonNode> receiptFull(TransactionId id) {
    return store()
        .receipt(id)
        .thenCompose(
            found ->
                found.isEmpty()
                    ? CompletableFuture.completedFuture(NullNode.instance)
                    : states(found.get().receipt())
                        .thenApply(held -> TransactionJson.receiptFull(found.get(), held)));
  }

  private CompletionStage<List<PrivateState>> states(Receipt receipt) {
    var ids = new ArrayList<StateId>();
    receipt
        .onLedger()
        .ifPresent(
            place -> {
              ids.addAll(place.spent());
              ids.addAll(place.read());
              ids.addAll(place.confirmed());
            });
    return store().states(receipt.contract(), ids);
  }

  private CompletionStage<JsonNode> prepared(TransactionId id) {
    return store().prepared(id).thenApply(found -> json(found, this::prepared));
  }

  private JsonNode prepared(Prepared prepared) {
    var group = context.node().group(prepared.prepared().contract());
    return TransactionJson.prepared(group.map(known -> known.domain()).orElse(""), prepared);
  }

  private CompletionStage<Optional<Intent>> intent(Optional<TransactionId> id) {
    return id.isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : store().intent(id.get());
  }

  private NodeStore store() {
    return context.node().store();
  }

  private static <T> JsonNode json(Optional<T> found, Function<T, ? extends JsonNode> render) {
    return found.<JsonNode>map(render).orElse(NullNode.instance);
  }
}

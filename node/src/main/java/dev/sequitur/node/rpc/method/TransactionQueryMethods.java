package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code ptx_query…}. */
final class TransactionQueryMethods {
  static final Map<String, QueryField<Intent>> INTENT_FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("id", FieldKind.ID, row -> row.transaction().id().toString()),
              QueryField.of("created", FieldKind.TIME, Intent::created),
              QueryField.of(
                  "submitMode",
                  FieldKind.TEXT,
                  row -> TransactionJson.submitMode(row.transaction().submitMode())),
              new QueryField<>("idempotencyKey", FieldKind.TEXT, Intent::idempotencyKey),
              QueryField.of("type", FieldKind.TEXT, row -> "private"),
              QueryField.of("domain", FieldKind.TEXT, row -> row.transaction().domain()),
              QueryField.of("function", FieldKind.TEXT, row -> row.transaction().function()),
              QueryField.of("from", FieldKind.TEXT, row -> row.transaction().from().toString()),
              QueryField.of("to", FieldKind.ID, row -> row.transaction().contract().value())));

  static final Map<String, QueryField<NumberedReceipt>> RECEIPT_FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("id", FieldKind.ID, row -> row.receipt().transaction().toString()),
              QueryField.of("sequence", FieldKind.NUMBER, NumberedReceipt::sequence),
              QueryField.of("indexed", FieldKind.TIME, row -> row.receipt().indexed()),
              QueryField.of("domain", FieldKind.TEXT, row -> row.receipt().domain()),
              QueryField.of("success", FieldKind.BOOLEAN, row -> row.receipt().success()),
              new QueryField<>(
                  "transactionHash",
                  FieldKind.ID,
                  row -> place(row).map(place -> place.hash().toString())),
              new QueryField<>(
                  "blockNumber", FieldKind.NUMBER, row -> place(row).map(at -> at.block().value())),
              new QueryField<>(
                  "transactionIndex",
                  FieldKind.NUMBER,
                  row -> place(row).map(at -> (long) at.index())),
              new QueryField<>(
                  "source",
                  FieldKind.ID,
                  row -> place(row).map(place -> row.receipt().contract().value())),
              new QueryField<>(
                  "failureMessage", FieldKind.TEXT, row -> row.receipt().failureMessage()),
              QueryField.of(
                  "contractAddress", FieldKind.ID, row -> row.receipt().contract().value())));

  static final Parameter QUERY =
      Parameter.of(
          "query",
          ParameterType.OBJECT,
          "`eq`, `neq`, `like`, `lt`, `lte`, `gt`, `gte`, `in`, `null`, `or`, `limit`, `sort`");

  private final NodeContext context;

  TransactionQueryMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "ptx_queryTransactions",
            List.of(QUERY),
            "an array of transactions",
            "Transactions of this node, newest first unless sorted otherwise. Fields: "
                + names(INTENT_FIELDS),
            true,
            call -> intents(call).thenApply(found -> list(found, TransactionJson::transaction))),
        new RpcMethod(
            "ptx_queryPendingTransactions",
            List.of(QUERY, Parameter.optional("full", ParameterType.BOOLEAN, "whole or in short")),
            "an array of transactions",
            "Transactions without a receipt, newest first unless sorted otherwise, as by"
                + " ptx_getTransactionFull if `full` is true. Fields as in ptx_queryTransactions.",
            true,
            this::pending),
        new RpcMethod(
            "ptx_queryTransactionReceipts",
            List.of(QUERY),
            "an array of receipts",
            "Receipts of this node, the last first unless sorted otherwise. Fields: "
                + names(RECEIPT_FIELDS),
            true,
            call -> receipts(call).thenApply(found -> list(found, TransactionJson::receipt))));
  }

  private CompletionStage<List<Intent>> intents(Call call) {
    var query = QueryReader.read(call.object(0), INTENT_FIELDS, maxLimit());
    var id = query.only("id");
    if (id.isPresent()) {
      return byId(id.get())
          .thenCompose(key -> key.isEmpty() ? none() : one(query, store().intent(key.get())));
    }
    var key = query.only("idempotencyKey");
    if (key.isPresent()) {
      return store()
          .intentByIdempotencyKey((String) key.get())
          .thenCompose(found -> found.isEmpty() ? none() : one(query, store().intent(found.get())));
    }
    return Scan.run(
        StoredRows.newestIntents(store()), query, query.isOrderedBy("created", true), maxScan());
  }

  private CompletionStage<JsonNode> pending(Call call) {
    var query = QueryReader.read(call.object(0), INTENT_FIELDS, maxLimit());
    var rows = StoredRows.pendingIntents(store(), query.only("to"), maxScan());
    var found =
        rows.thenCompose(
            source -> Scan.run(source, query, query.isOrderedBy("created", true), maxScan()));
    return call.flag(1)
        ? found.thenCompose(this::full)
        : found.thenApply(intents -> list(intents, TransactionJson::transaction));
  }

  private CompletionStage<JsonNode> full(List<Intent> intents) {
    CompletionStage<ArrayNode> list =
        CompletableFuture.completedFuture(JsonNodeFactory.instance.arrayNode());
    for (var intent : intents) {
      list =
          list.thenCombine(
              TransactionMethods.full(context, Optional.of(intent)), (all, one) -> all.add(one));
    }
    return list.thenApply(all -> all);
  }

  private CompletionStage<List<NumberedReceipt>> receipts(Call call) {
    var query = QueryReader.read(call.object(0), RECEIPT_FIELDS, maxLimit());
    var id = query.only("id");
    if (id.isPresent()) {
      return byId(id.get())
          .thenCompose(key -> key.isEmpty() ? none() : one(query, store().receipt(key.get())));
    }
    long after = Math.max(0, query.atLeast("sequence").orElse(1L) - 1);
    if (!query.sort().isEmpty() && query.isOrderedBy("sequence", false)) {
      return Scan.run(StoredRows.receiptsAfter(store(), after), query, true, maxScan());
    }
    return StoredRows.lastReceipts(store(), after)
        .thenCompose(
            source -> Scan.run(source, query, query.isOrderedBy("sequence", true), maxScan()));
  }

  /** An id that is no UUID is that of no transaction. */
  private static CompletionStage<Optional<TransactionId>> byId(Comparable<?> id) {
    Optional<TransactionId> parsed;
    try {
      parsed = Optional.of(TransactionId.parse((String) id));
    } catch (IllegalArgumentException e) {
      parsed = Optional.empty();
    }
    return CompletableFuture.completedFuture(parsed);
  }

  private static <R> CompletionStage<List<R>> none() {
    return CompletableFuture.completedFuture(List.of());
  }

  private static <R> CompletionStage<List<R>> one(
      Query<R> query, CompletionStage<Optional<R>> found) {
    return found.thenApply(row -> row.filter(query::matches).map(List::of).orElse(List.of()));
  }

  static <R> JsonNode list(List<R> rows, Function<R, ? extends JsonNode> render) {
    var list = JsonNodeFactory.instance.arrayNode();
    rows.forEach(row -> list.add(render.apply(row)));
    return list;
  }

  static String names(Map<String, ?> fields) {
    return "`" + String.join("`, `", fields.keySet()) + "`.";
  }

  private static Optional<Receipt.OnLedger> place(NumberedReceipt row) {
    return row.receipt().onLedger();
  }

  private NodeStore store() {
    return context.node().store();
  }

  private int maxLimit() {
    return context.settings().limits().queryResults();
  }

  private int maxScan() {
    return context.settings().limits().queryScan();
  }
}

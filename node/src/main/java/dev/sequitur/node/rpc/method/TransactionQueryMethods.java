package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.TransactionShapes.Full;
import dev.sequitur.node.rpc.method.TransactionShapes.PreparedView;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code ptx_query…}. */
record TransactionQueryMethods(NodeContext context) {
  static final Map<String, QueryField<Intent>> INTENT_FIELDS =
      QueryField.table(
          List.of(
              QueryField.of(TransactionShapes.TRANSACTION, "id"),
              QueryField.of(TransactionShapes.TRANSACTION, "created"),
              QueryField.of(TransactionShapes.TRANSACTION, "submitMode"),
              QueryField.of(TransactionShapes.TRANSACTION, "idempotencyKey"),
              QueryField.of(TransactionShapes.TRANSACTION, "type"),
              QueryField.of(TransactionShapes.TRANSACTION, "domain"),
              QueryField.of(TransactionShapes.TRANSACTION, "function"),
              new QueryField<>("functionName", FieldKind.TEXT, TransactionShapes::function),
              QueryField.of(TransactionShapes.TRANSACTION, "abiReference"),
              QueryField.of(TransactionShapes.TRANSACTION, "from"),
              QueryField.of(TransactionShapes.TRANSACTION, "to")));

  static final Map<String, QueryField<NumberedReceipt>> RECEIPT_FIELDS =
      QueryField.table(
          TransactionShapes.RECEIPT,
          "id",
          "sequence",
          "indexed",
          "domain",
          "success",
          "transactionHash",
          "blockNumber",
          "transactionIndex",
          "source",
          "failureMessage",
          "contractAddress");

  /**
   * A transaction, with what is prepared of it.
   *
   * @param view empty if nothing is
   */
  private record PreparedRow(Intent intent, Optional<PreparedView> view) {
    private long bytes() {
      return view.map(it -> RowBytes.of(it.prepared())).orElse(0L);
    }
  }

  private static final Map<String, QueryField<PreparedRow>> PREPARED_FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("id", FieldKind.ID, row -> row.intent().transaction().id().toString()),
              new QueryField<>(
                  "created", FieldKind.TIME, row -> row.view().map(it -> it.prepared().at()))));

  private static final Field<Sent> PREPARED =
      QueryReader.field("PreparedTransactionQuery", PREPARED_FIELDS);
  private static final Field<TransactionId> AFTER =
      Field.optional(
          "after",
          Formats.TRANSACTION_ID,
          "the last one of the page before: goes on with those that were accepted before it; for the"
              + " newest first alone");
  private static final Field<Sent> INTENTS =
      QueryReader.field("TransactionQuery", INTENT_FIELDS, AFTER);
  private static final Field<Sent> RECEIPTS = QueryReader.field("ReceiptQuery", RECEIPT_FIELDS);

  private static final Field<Boolean> WHOLE =
      Field.optional("full", Formats.BOOLEAN, "whole or in short");

  /** No node gets there; the search for the last receipt stays clear of overflow. */
  private static final long HIGHEST_SEQUENCE = Long.MAX_VALUE / 4;

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "ptx_queryTransactions",
            List.of(INTENTS),
            TransactionShapes.TRANSACTION.list(),
            "an array of transactions",
            "Transactions of this node that the caller may see, newest first unless sorted"
                + " otherwise.",
            this::kept),
        RpcMethod.reading(
            "ptx_queryTransactionsFull",
            List.of(INTENTS),
            TransactionShapes.FULL.list(),
            "an array of transactions, as by ptx_getTransactionFull",
            "As ptx_queryTransactions, each with its receipt and its state in the protocol.",
            call -> kept(call).thenCompose(this::full)),
        RpcMethod.reading(
            "ptx_queryPendingTransactions",
            List.of(INTENTS, WHOLE),
            Shape.oneOf(
                List.of(TransactionShapes.TRANSACTION.list(), TransactionShapes.FULL.list()),
                Function.<JsonNode>identity()),
            "an array of transactions",
            "Transactions without a receipt, newest first unless sorted otherwise, as by"
                + " ptx_getTransactionFull if `full` is true.",
            this::pending),
        RpcMethod.reading(
            "ptx_queryTransactionReceipts",
            List.of(RECEIPTS),
            TransactionShapes.RECEIPT.list(),
            "an array of receipts",
            "Receipts of this node that the caller may see, the last first unless sorted"
                + " otherwise.",
            this::keptReceipts),
        RpcMethod.reading(
            "ptx_queryPreparedTransactions",
            List.of(PREPARED),
            TransactionShapes.PREPARED.list(),
            "an array of prepared transactions",
            "What was prepared for external submission and the caller may see, of the newest"
                + " transactions first unless sorted otherwise.",
            this::prepared));
  }

  private CompletionStage<List<Intent>> kept(Call call) {
    var query = intentQuery(call);
    return intents(call)
        .thenCompose(
            found ->
                forgotten()
                    .orTell(
                        call,
                        found,
                        query.limit(),
                        bound ->
                            query
                                .since("created")
                                .map(since -> !since.isAfter(bound.ended()))
                                .orElse(true)));
  }

  private ForgottenRows forgotten() {
    return new ForgottenRows(context.store());
  }

  private CompletionStage<List<Intent>> intents(Call call) {
    var query = intentQuery(call);
    var id = query.only("id");
    if (id.isPresent()) {
      return byId(id.get())
          .thenCompose(
              key ->
                  key.isEmpty()
                      ? none()
                      : one(query, seen(call, context.store().intent(key.get()))));
    }
    var key = query.only("idempotencyKey");
    if (key.isPresent()) {
      return context
          .store()
          .intentsByKeyName((String) key.get(), context.settings().limits().queryScan() + 1)
          .thenCompose(
              found ->
                  context.scan(
                      call,
                      RowSource.once(found),
                      query,
                      row -> SeenIntents.sees(call, row),
                      query.isOrderedBy("created", true),
                      RowBytes::of));
    }
    return after(call, query)
        .thenCompose(
            before ->
                context.scan(
                    call,
                    StoredRows.within(
                        StoredRows.newestIntents(context.store(), before, query.limit()),
                        query,
                        true,
                        context.clock().instant()),
                    query,
                    row -> SeenIntents.sees(call, row),
                    query.isOrderedBy("created", true),
                    RowBytes::of));
  }

  private Query<Intent> intentQuery(Call call) {
    return context.query(call.get(INTENTS), INTENT_FIELDS, AFTER);
  }

  /** The order of the transaction that a page goes on after, if it does. */
  private CompletionStage<Optional<Long>> after(Call call, Query<Intent> query) {
    var sent = call.get(INTENTS);
    var after = sent.find(AFTER);
    if (after.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (!query.isOrderedBy("created", true)) {
      throw new RpcFailure(
          ErrorCode.WRONG_QUERY,
          sent.path(AFTER) + " goes on with the newest first: leave sort out, or after.");
    }
    return context
        .store()
        .intent(after.get())
        .thenApply(
            found ->
                Optional.of(
                    found
                        .filter(intent -> SeenIntents.sees(call, intent))
                        .orElseThrow(
                            () ->
                                new RpcFailure(
                                    ErrorCode.WRONG_QUERY,
                                    sent.path(AFTER)
                                        + " is no transaction of this node: send the last one of the"
                                        + " page before."))
                        .order()));
  }

  private CompletionStage<JsonNode> pending(Call call) {
    var query = intentQuery(call);
    var id = query.only("id");
    var found =
        id.isPresent()
            ? byId(id.get())
                .thenCompose(
                    key -> key.isEmpty() ? none() : one(query, seen(call, open(key.get()))))
            : open(call, query);
    return call.find(WHOLE).orElse(false)
        ? found.thenCompose(this::full).thenApply(TransactionShapes.FULL.list()::write)
        : found.thenApply(TransactionShapes.TRANSACTION.list()::write);
  }

  private CompletionStage<Optional<Intent>> open(TransactionId id) {
    return context
        .store()
        .intent(id)
        .thenCombine(
            context.store().receipt(id),
            (intent, receipt) -> receipt.isPresent() ? Optional.empty() : intent);
  }

  private CompletionStage<List<Intent>> open(Call call, Query<Intent> query) {
    boolean newestFirst = query.isOrderedBy("created", true);
    boolean oldestFirst = !newestFirst && query.isOrderedBy("created", false);
    return after(call, query)
        .thenCompose(
            before ->
                context.scan(
                    call,
                    StoredRows.within(
                        new StoredRows.Open(context.store(), !oldestFirst, before)
                            .transactions(query.only("to")),
                        query,
                        !oldestFirst,
                        context.clock().instant()),
                    query,
                    row -> SeenIntents.sees(call, row),
                    newestFirst || oldestFirst,
                    RowBytes::of));
  }

  private CompletionStage<List<Full>> full(List<Intent> intents) {
    var publics = new PublicsUnderway(context.node());
    return Answers.all(
        intents.stream().map(intent -> TransactionMethods.full(context, intent, publics)).toList());
  }

  private CompletionStage<List<NumberedReceipt>> keptReceipts(Call call) {
    var query = context.query(call.get(RECEIPTS), RECEIPT_FIELDS);
    return receipts(call)
        .thenCompose(
            found ->
                forgotten()
                    .orTell(
                        call,
                        found,
                        query.limit(),
                        bound -> query.atLeast("sequence").orElse(1L) < bound.before()));
  }

  private CompletionStage<List<NumberedReceipt>> receipts(Call call) {
    var query = context.query(call.get(RECEIPTS), RECEIPT_FIELDS);
    var id = query.only("id");
    if (id.isPresent()) {
      return byId(id.get())
          .thenCompose(key -> key.isEmpty() ? none() : ofId(key.get()))
          .thenCompose(
              found ->
                  receipts(
                      call, RowSource.once(found), query, query.isOrderedBy("sequence", false)));
    }
    long after = Math.max(1, query.atLeast("sequence").orElse(1L)) - 1;
    if (after >= HIGHEST_SEQUENCE) {
      return none();
    }
    if (!query.sort().isEmpty() && query.isOrderedBy("sequence", false)) {
      return receipts(call, StoredRows.receiptsAfter(context.store(), after), query, true);
    }
    return StoredRows.lastReceipts(context.store(), after)
        .thenCompose(source -> receipts(call, source, query, query.isOrderedBy("sequence", true)));
  }

  private CompletionStage<List<NumberedReceipt>> receipts(
      Call call, RowSource<NumberedReceipt> all, Query<NumberedReceipt> query, boolean inOrder) {
    var rows = new SeenReceipts.Rows(context.store(), call, all);
    return context.scan(call, rows, query, rows::isSeen, inOrder, RowBytes::of);
  }

  /** All that others have sent under an id, if this node has sent nothing under it. */
  private CompletionStage<List<NumberedReceipt>> ofId(TransactionId id) {
    var store = context.store();
    return store
        .receipt(id)
        .thenCombine(
            store.intent(id),
            (receipt, intent) ->
                receipt.isPresent() || intent.isPresent()
                    ? CompletableFuture.completedFuture(receipt.stream().toList())
                    : store.receiptsOfOthers(id, context.settings().limits().queryScan() + 1))
        .thenCompose(Function.identity());
  }

  private CompletionStage<List<PreparedView>> prepared(Call call) {
    var query = context.query(call.get(PREPARED), PREPARED_FIELDS);
    var id = query.only("id");
    CompletionStage<List<PreparedRow>> found =
        id.isPresent()
            ? byId(id.get())
                .thenCompose(key -> key.isEmpty() ? none() : preparedOf(call, key.get()))
                .thenApply(rows -> rows.stream().filter(query::matches).toList())
            : context.scan(
                call,
                preparedRows(
                    call,
                    StoredRows.newestIntents(
                        context.store(),
                        Optional.empty(),
                        context.settings().limits().queryResults())),
                query,
                row -> row.view().isPresent(),
                query.sort().isEmpty(),
                PreparedRow::bytes);
    return found
        .thenCompose(rows -> forgotten().orTell(call, rows, query.limit(), bound -> true))
        .thenApply(rows -> rows.stream().flatMap(row -> row.view().stream()).toList());
  }

  private CompletionStage<List<PreparedRow>> preparedOf(Call call, TransactionId id) {
    return context
        .store()
        .intent(id)
        .thenCompose(intent -> preparedRows(call, intent.stream().toList()));
  }

  private RowSource<PreparedRow> preparedRows(Call call, RowSource<Intent> intents) {
    return () -> intents.next().thenCompose(page -> preparedRows(call, page));
  }

  private CompletionStage<List<PreparedRow>> preparedRows(Call call, List<Intent> intents) {
    return Answers.all(intents.stream().map(intent -> preparedRow(call, intent)).toList());
  }

  private CompletionStage<PreparedRow> preparedRow(Call call, Intent intent) {
    return TransactionShapes.isExternal(intent) && SeenIntents.sees(call, intent)
        ? TransactionMethods.prepared(context, intent.transaction().id())
            .thenApply(view -> new PreparedRow(intent, view))
        : CompletableFuture.completedFuture(new PreparedRow(intent, Optional.empty()));
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

  private static CompletionStage<Optional<Intent>> seen(
      Call call, CompletionStage<Optional<Intent>> found) {
    return found.thenApply(intent -> intent.filter(it -> SeenIntents.sees(call, it)));
  }

  private static <R> CompletionStage<List<R>> none() {
    return CompletableFuture.completedFuture(List.of());
  }

  private static <R> CompletionStage<List<R>> one(
      Query<R> query, CompletionStage<Optional<R>> found) {
    return found.thenApply(row -> row.filter(query::matches).map(List::of).orElse(List.of()));
  }
}

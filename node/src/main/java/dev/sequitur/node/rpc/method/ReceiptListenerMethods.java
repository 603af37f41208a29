package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Durable receipt listeners. */
final class ReceiptListenerMethods {
  private static final Field<Sent> NEW_LISTENER =
      Field.of(
          "listener",
          ObjectFormat.of(
                  "ReceiptListenerRequest",
                  StoredListeners.NEW_NAME,
                  StoredListeners.STARTED,
                  ReceiptFilters.SENT,
                  ReceiptFilters.OPTED)
              .open(),
          "the new listener");

  private static final ObjectShape<Listener> LISTENER =
      StoredListeners.shape("ReceiptListener")
          .with("filters", ReceiptFilters.FILTERS, ReceiptFilters::of)
          .with("options", ReceiptFilters.OPTIONS, ReceiptFilters::of)
          .with("acknowledged", Shape.NUMBER, Listener::acknowledged, "the last sequence taken");

  private final NodeContext context;
  private final StoredListeners listeners;
  private final FullReceipts receipts;

  ReceiptListenerMethods(NodeContext context) {
    this.context = context;
    this.receipts = new FullReceipts(context);
    this.listeners = new StoredListeners(context, ListenerKind.RECEIPTS, "ptx_", "ReceiptListener");
  }

  List<RpcMethod> methods() {
    return List.of(
        creating(),
        listeners.getting(LISTENER),
        listeners.querying(LISTENER),
        listeners.stopping(),
        listeners.starting());
  }

  /** By itself: on the reference page it stands behind what its listener is for. */
  RpcMethod deleting() {
    return listeners.deleting();
  }

  SubscriptionMethods.Subscribable subscribable() {
    return new SubscriptionMethods.Subscribable("receipts", listeners, this::feed);
  }

  private RpcMethod creating() {
    return listeners.creating(
        NEW_LISTENER,
        "Creates a durable listener: the node remembers what it has acknowledged. The same again"
            + " changes nothing; the same name with other filters or options is an error. Of one"
            + " group it is told in the ledger's order; of several, as they were stored, and no group"
            + " waits for another: `blockNumber` and `transactionIndex` say which was first.",
        sent -> {
          var filters = ReceiptFilters.of(sent);
          return new StoredListeners.Chosen(filters.toBytes(), filters.sequenceAbove());
        });
  }

  private ListenerFeed feed(Listener listener, Call call) {
    var filters = ReceiptFilters.of(listener);
    return new ListenerFeed(
        "ptx_subscription",
        "receipts",
        context.settings().limits().listenerBatch(),
        Duration.ZERO,
        (after, most) ->
            context
                .store()
                .receipts(after, most)
                .thenCompose(read -> page(filters, call.asOfNow(), after, read)));
  }

  private CompletionStage<ListenerFeed.Page> page(
      ReceiptFilters filters, Call call, long after, List<NumberedReceipt> read) {
    long readTo = read.isEmpty() ? after : read.getLast().sequence();
    return SeenReceipts.among(context.store(), call, read.stream().filter(filters::wants).toList())
        .thenCompose(
            seen ->
                filters.completeOnly() ? complete(seen) : CompletableFuture.completedFuture(seen))
        .thenCompose(wanted -> page(filters, after, wanted, readTo));
  }

  private CompletionStage<List<NumberedReceipt>> complete(List<NumberedReceipt> seen) {
    return Answers.all(
            seen.stream()
                .map(
                    receipt ->
                        receipts
                            .isComplete(receipt)
                            .thenApply(is -> Optional.of(receipt).filter(any -> is))
                            .toCompletableFuture())
                .toList())
        .thenApply(each -> each.stream().flatMap(Optional::stream).toList());
  }

  private CompletionStage<ListenerFeed.Page> page(
      ReceiptFilters filters, long after, List<NumberedReceipt> wanted, long readTo) {
    if (!filters.domainReceipts()) {
      var rows =
          wanted.stream().map(receipt -> row(receipt, TransactionShapes.RECEIPT, receipt)).toList();
      return CompletableFuture.completedFuture(new ListenerFeed.Page(rows, readTo));
    }
    return full(wanted, readTo, new ListenerFeed.Page(List.of(), after), 0);
  }

  /**
   * One after the other, until they have as much as what nodes send together: a batch is not too
   * long to be pushed.
   *
   * @param wanted those that are still to be read, in order
   * @param bytes of the states of those that are read
   */
  private CompletionStage<ListenerFeed.Page> full(
      List<NumberedReceipt> wanted, long readTo, ListenerFeed.Page soFar, long bytes) {
    if (wanted.isEmpty()) {
      return CompletableFuture.completedFuture(new ListenerFeed.Page(soFar.rows(), readTo));
    }
    var next = wanted.getFirst();
    return told(next)
        .thenCompose(
            told -> {
              long size = bytes + told.size();
              if (!soFar.rows().isEmpty() && size > GroupMessages.MOST_BYTES) {
                return CompletableFuture.completedFuture(soFar);
              }
              var rows = new ArrayList<>(soFar.rows());
              rows.add(told.row());
              return full(
                  wanted.subList(1, wanted.size()),
                  readTo,
                  new ListenerFeed.Page(rows, next.sequence()),
                  size);
            });
  }

  /**
   * @param size what its states take, roughly
   */
  private record Told(ListenerFeed.Row row, int size) {}

  /** Events of public transactions are read by those who ask for them. */
  private CompletionStage<Told> told(NumberedReceipt receipt) {
    return receipt.receipt().isPublic()
        ? CompletableFuture.completedFuture(
            new Told(row(receipt, TransactionShapes.RECEIPT, receipt), 0))
        : receipts
            .of(receipt)
            .thenApply(
                full -> new Told(row(receipt, TransactionShapes.RECEIPT_FULL, full), full.size()));
  }

  private static <T> ListenerFeed.Row row(NumberedReceipt receipt, Shape<T> shape, T shown) {
    return new ListenerFeed.Row(receipt.sequence(), shape.write(shown));
  }
}

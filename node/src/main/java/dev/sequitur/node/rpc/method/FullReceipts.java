package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.node.rpc.method.TransactionShapes.ReceiptFull;
import dev.sequitur.node.rpc.method.TransactionShapes.ToldEvent;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Receipts with what a node holds beside them: states, events, and what the domain says. */
record FullReceipts(NodeContext context) {
  /**
   * Of a block that lies so far back, a chain's node that lacks something does not only lie behind.
   */
  private static final long LONG_AGO = 128;

  /**
   * What contracts told.
   *
   * @param found empty if nothing is said of it
   * @param lacking why it is not there
   */
  private record Events(Optional<List<ToldEvent>> found, Optional<String> lacking) {
    private static Events of(List<ToldEvent> found) {
      return new Events(Optional.of(found), Optional.empty());
    }
  }

  CompletionStage<ReceiptFull> of(NumberedReceipt receipt) {
    return states(receipt.receipt())
        .thenCombine(
            events(receipt.receipt()),
            (held, events) ->
                own(receipt)
                    .thenCompose(
                        intent ->
                            context.with(
                                Stream.of(receipt.receipt().contract()),
                                () ->
                                    new ReceiptFull(
                                        receipt,
                                        held,
                                        events.found(),
                                        events.lacking(),
                                        domains(receipt, intent, held)))))
        .thenCompose(full -> full);
  }

  /** Only the sender's node may say of it who its sender is (CNF-4). */
  private CompletionStage<Optional<Intent>> own(NumberedReceipt receipt) {
    return receipt.own()
        ? context.store().intent(receipt.receipt().transaction())
        : CompletableFuture.completedFuture(Optional.empty());
  }

  /** Whether this node holds the contents of all its states. */
  CompletionStage<Boolean> isComplete(NumberedReceipt receipt) {
    return states(receipt.receipt()).thenApply(held -> ReceiptFull.isComplete(receipt, held));
  }

  /** What a transaction has done in the words of its domain, if it has any. */
  private Optional<JsonNode> domains(
      NumberedReceipt receipt, Optional<Intent> intent, List<PrivateState> held) {
    return context
        .node()
        .group(receipt.receipt().contract())
        .filter(group -> group.domain().equals(receipt.receipt().domain()))
        .flatMap(
            group ->
                ReceiptFull.changes(receipt, held)
                    .flatMap(
                        changes ->
                            context
                                .node()
                                .domains()
                                .get(group.domain())
                                .receipt(
                                    group, intent.map(it -> it.transaction().from()), changes)))
        .map(TransactionShapes::content);
  }

  /** What contracts told as a public transaction was carried out. */
  private CompletionStage<Events> events(Receipt receipt) {
    var contracts = context.node().ledger().contracts();
    if (!receipt.isPublic() || receipt.onLedger().isEmpty() || contracts.isEmpty()) {
      return CompletableFuture.completedFuture(
          receipt.isPublic()
              ? Events.of(List.of())
              : new Events(Optional.empty(), Optional.empty()));
    }
    var place = receipt.onLedger().get();
    return events(receipt, place, contracts.get())
        .exceptionallyCompose(
            failure ->
                isLongAgo(place) && Answers.cause(failure) instanceof LedgerUnreachableException why
                    ? CompletableFuture.completedFuture(
                        new Events(Optional.empty(), Optional.of(why.getMessage())))
                    : CompletableFuture.failedFuture(failure));
  }

  /** Then nobody need ask again for the receipt, which is here. */
  private boolean isLongAgo(OnLedger place) {
    return context.node().blockHeight().value() - place.block().value() >= LONG_AGO;
  }

  private CompletionStage<Events> events(
      Receipt receipt, OnLedger place, PublicContracts contracts) {
    return contracts
        .events(place.hash(), place.block())
        .thenCombine(
            context.store().intent(receipt.transaction()),
            (events, intent) -> {
              var abi =
                  intent
                      .flatMap(Intent::publicly)
                      .flatMap(it -> it.source().abi())
                      .map(json -> ContractAbi.read(json.toUtf8()));
              return Events.of(
                  events.stream()
                      .map(
                          event ->
                              new ToldEvent(
                                  place,
                                  event,
                                  abi.flatMap(it -> it.event(event.topics(), event.data()))))
                      .toList());
            });
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
    return context.store().states(receipt.contract(), ids);
  }
}

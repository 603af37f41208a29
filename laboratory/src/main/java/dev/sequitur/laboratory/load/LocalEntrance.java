package dev.sequitur.laboratory.load;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.SequencerNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Past JSON-RPC, as what runs in the node's own process submits: one batch after the other.
 * Receipts are read from the node's store, all that it has.
 */
public final class LocalEntrance implements Entrance, Entrance.Receipts {
  private static final int PAGE = 1000;

  private final SequencerNode node;
  private final int together;
  private long read;

  /**
   * @param together the most in one batch
   */
  public LocalEntrance(SequencerNode node, int together) {
    this.node = node;
    this.together = together;
  }

  @Override
  public int together() {
    return together;
  }

  @Override
  public int atOnce() {
    return 1;
  }

  /** A node refuses a batch as a whole: then each is submitted by itself. */
  @Override
  public CompletableFuture<List<Answer>> submit(List<Intent> intents) {
    return node.submit(intents)
        .thenApply(ids -> ids.stream().map(Answer::accepted).toList())
        .toCompletableFuture()
        .exceptionallyCompose(
            failure -> {
              var cause = Answers.cause(failure);
              if (!(cause instanceof RefusedIntent)) {
                return CompletableFuture.failedFuture(cause);
              }
              return intents.size() == 1
                  ? CompletableFuture.completedFuture(List.of(Answer.refused(cause.getMessage())))
                  : oneByOne(intents);
            });
  }

  private CompletableFuture<List<Answer>> oneByOne(List<Intent> intents) {
    var each = intents.stream().map(intent -> submit(List.of(intent))).toList();
    return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
        .thenApply(done -> each.stream().map(answer -> answer.join().get(0)).toList());
  }

  @Override
  public int page() {
    return PAGE;
  }

  @Override
  public CompletableFuture<List<Ended>> next(Set<TransactionId> open) {
    return node.store().receipts(read, PAGE).thenApply(this::taken).toCompletableFuture();
  }

  private List<Ended> taken(List<NumberedReceipt> page) {
    page.forEach(numbered -> read = numbered.sequence());
    return page.stream().map(LocalEntrance::ended).toList();
  }

  private static Ended ended(NumberedReceipt numbered) {
    var receipt = numbered.receipt();
    return new Ended(
        receipt.transaction(),
        numbered.own(),
        receipt.success(),
        receipt.failureMessage(),
        receipt.onLedger().map(place -> place.block()));
  }
}

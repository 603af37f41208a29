package dev.sequitur.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.laboratory.load.Entrance;
import dev.sequitur.laboratory.load.Entrance.Ended;
import dev.sequitur.protocol.id.TransactionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The receipts of a node by JSON-RPC, in pages and in the order of their numbers, from one of its
 * JVMs and seldom: so that to ask for them costs the same however many JVMs there are.
 */
final class ReceiptPages implements Entrance.Receipts {
  private static final int PAGE = 100;
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final NodeCalls calls;
  private long read;

  ReceiptPages(NodeCalls calls) {
    this.calls = calls;
  }

  /** All that there are are told at once. */
  @Override
  public int page() {
    return Integer.MAX_VALUE;
  }

  @Override
  public CompletableFuture<List<Ended>> next(Set<TransactionId> open) {
    return CompletableFuture.supplyAsync(
        this::all, CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
  }

  private synchronized List<Ended> all() {
    var all = new ArrayList<Ended>();
    try {
      int found = PAGE;
      while (found == PAGE) {
        var page = page(read);
        for (var receipt : page) {
          read = receipt.path("sequence").asLong();
          all.add(ended(receipt));
        }
        found = page.size();
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode page(long above) throws IOException {
    var query = NodeCalls.JSON.createObjectNode().put("limit", PAGE);
    query.putArray("greaterThan").addObject().put("field", "sequence").put("value", above);
    query.putArray("sort").add("sequence");
    var parameters = NodeCalls.JSON.createArrayNode().add(query);
    var answer = calls.batch("ptx_queryTransactionReceipts", List.of(parameters)).get(0);
    if (!answer.path("result").isArray()) {
      throw new IOException(answer.path("error").path("message").asText());
    }
    return answer.get("result");
  }

  private static Ended ended(JsonNode receipt) {
    return new Ended(
        TransactionId.parse(receipt.path("id").asText()),
        true,
        receipt.path("success").asBoolean(),
        Optional.ofNullable(receipt.path("failureMessage").textValue()),
        Optional.empty());
  }
}

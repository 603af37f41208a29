package dev.sequitur.laboratory.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * JSON-RPC, as a program calls it that has many transactions: each request is a batch of calls.
 * Receipts are asked for one by one, those that are waited for.
 */
public final class RemoteEntrance implements Entrance, Entrance.Receipts, AutoCloseable {
  private final Queue<NodeCalls> free;
  private final ExecutorService threads;
  private final int connections;
  private final int together;

  /**
   * @param connections each is used by one request at a time
   * @param together calls in one request
   */
  public RemoteEntrance(List<NodeCalls> connections, int together) {
    this.free = new ConcurrentLinkedQueue<>(connections);
    this.connections = connections.size();
    this.threads =
        Executors.newFixedThreadPool(
            connections.size(), Thread.ofPlatform().name("load").daemon().factory());
    this.together = together;
  }

  @Override
  public int together() {
    return together;
  }

  @Override
  public int atOnce() {
    return connections;
  }

  @Override
  public CompletableFuture<List<Answer>> submit(List<Intent> intents) {
    return ask(
        calls ->
            calls
                .batch(
                    "ptx_sendTransaction",
                    intents.stream().map(RemoteEntrance::parameters).toList())
                .stream()
                .map(RemoteEntrance::answer)
                .toList());
  }

  private static JsonNode parameters(Intent intent) {
    var sent = intent.privately().orElseThrow();
    var parameters = NodeCalls.JSON.createArrayNode();
    var call =
        parameters
            .addObject()
            .put("type", "private")
            .put("domain", sent.domain())
            .put("to", sent.contract().toString())
            .put("from", sent.from().toString())
            .put("function", sent.function());
    intent.idempotencyKey().ifPresent(key -> call.put("idempotencyKey", key.name()));
    call.set("data", json(sent.inputs()));
    return parameters;
  }

  private static Answer answer(JsonNode answer) {
    return answer.path("result").isTextual()
        ? Answer.accepted(TransactionId.parse(answer.get("result").asText()))
        : Answer.refused(answer.path("error").path("message").asText());
  }

  /** All that are waited for are asked for at once. */
  @Override
  public int page() {
    return Integer.MAX_VALUE;
  }

  @Override
  public CompletableFuture<List<Ended>> next(Set<TransactionId> open) {
    var waited = List.copyOf(open);
    return ask(calls -> receipts(calls, waited));
  }

  private static List<Ended> receipts(NodeCalls calls, List<TransactionId> waited)
      throws IOException {
    var ended = new ArrayList<Ended>();
    for (int from = 0; from < waited.size(); from += NodeCalls.MOST) {
      var page = waited.subList(from, Math.min(from + NodeCalls.MOST, waited.size()));
      var ids =
          page.stream()
              .<JsonNode>map(id -> NodeCalls.JSON.createArrayNode().add(id.toString()))
              .toList();
      var answers = calls.batch("ptx_getTransactionReceipt", ids);
      for (int i = 0; i < page.size(); i++) {
        var receipt = answers.get(i).path("result");
        if (receipt.isObject()) {
          var failure = Optional.ofNullable(receipt.path("failureMessage").textValue());
          boolean success = receipt.path("success").asBoolean();
          ended.add(new Ended(page.get(i), true, success, failure, Optional.empty()));
        }
      }
    }
    return ended;
  }

  /** What a call comes to. */
  private interface Asked<T> {
    T by(NodeCalls calls) throws IOException;
  }

  private <T> CompletableFuture<T> ask(Asked<T> asked) {
    return CompletableFuture.supplyAsync(
        () -> {
          var calls = free.remove();
          try {
            return asked.by(calls);
          } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
          } finally {
            free.add(calls);
          }
        },
        threads);
  }

  /**
   * @param text UTF-8, made here
   */
  public static JsonNode json(Bytes text) {
    try {
      return NodeCalls.JSON.readTree(text.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("What was made here is no JSON.", e);
    }
  }

  /** What is under way is given up. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}

package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.node.process.JsonRpcCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Counts up in several groups from both nodes, whatever happens to them: a call that fails is made
 * again with the same idempotency key, at another JVM. In the end each accepted one has counted
 * once.
 */
final class Increments implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int SENDERS = 3;

  private final TwoNodes nodes;
  private final List<String> groups = new ArrayList<>();
  private final List<String> contracts = new ArrayList<>();
  private final Map<String, String> ids = new ConcurrentHashMap<>();
  private final ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
  private final AtomicBoolean stopped = new AtomicBoolean();

  Increments(TwoNodes nodes, int howManyGroups) {
    this.nodes = nodes;
    for (int i = 0; i < howManyGroups; i++) {
      groups.add(createGroup("group" + i));
    }
    groups.forEach(group -> contracts.add(awaitContract(group)));
  }

  private String createGroup(String name) {
    return nodes
        .node1(0)
        .result(
            "pgroup_createGroup",
            "[{'domain':'record','name':'%s','members':['alice@node1','bob@node2']}]"
                .formatted(name))
        .get("id")
        .asText();
  }

  private String awaitContract(String group) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                List.of(nodes.node1(0), nodes.node1(1), nodes.node2()).stream()
                    .allMatch(node -> contract(node, group).isTextual()));
    return contract(nodes.node1(0), group).asText();
  }

  private static JsonNode contract(JsonRpcCaller node, String group) {
    return node.result("pgroup_getGroupById", "['record','" + group + "']").path("contractAddress");
  }

  /** Begins to send: to the first JVM of node1, to its second, and to node2. */
  void start() {
    senders.execute(() -> send("alice", "a", List.of(nodes.node1(0), nodes.node1(1))));
    senders.execute(() -> send("alice", "b", List.of(nodes.node1(1), nodes.node1(0))));
    senders.execute(() -> send("bob", "c", List.of(nodes.node2())));
  }

  private void send(String from, String key, List<JsonRpcCaller> callers) {
    for (int number = 0; !stopped.get(); number++) {
      for (var contract : contracts) {
        sendOnce(from, key + "-" + contract + "-" + number, contract, callers);
      }
      pause();
    }
  }

  private void sendOnce(String from, String key, String contract, List<JsonRpcCaller> callers) {
    var transaction =
        ("[{'type':'private','domain':'record','function':'increment','from':'%s','to':'%s',"
                + "'idempotencyKey':'%s','data':{'key':'visits','by':1}}]")
            .formatted(from, contract, key);
    for (int attempt = 0; ; attempt++) {
      try {
        var answer =
            callers.get(attempt % callers.size()).answer("ptx_sendTransaction", transaction);
        if (answer.has("result")) {
          ids.put(key, answer.get("result").asText());
          return;
        }
      } catch (AssertionError e) {
        // It was killed, or stands still.
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until so many more have been accepted. */
  void awaitMore(int howMany) {
    int before = ids.size();
    await().atMost(PATIENCE).until(() -> ids.size() >= before + howMany);
  }

  /** Sends no more; what was begun is accepted. */
  void stop() throws InterruptedException {
    stopped.set(true);
    senders.shutdown();
    assertThat(senders.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("everything that was begun is accepted")
        .isTrue();
  }

  /**
   * Each accepted one has one receipt, a success, wherever it is asked for; the counters of both
   * nodes say how many there were; the ledger kept its promises.
   */
  void assertEachCountedOnce(JsonRpcCaller ofNode1) {
    assertThat(ids.values()).doesNotHaveDuplicates().isNotEmpty();
    ids.forEach((key, id) -> awaitSuccess(key.startsWith("c") ? nodes.node2() : ofNode1, id));
    IntStream.range(0, groups.size()).forEach(i -> assertCount(ofNode1, i));
    assertLedger();
  }

  private static void awaitSuccess(JsonRpcCaller node, String id) {
    var receipt =
        await()
            .atMost(PATIENCE)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(100))
            .until(
                () -> node.result("ptx_getTransactionReceipt", "['" + id + "']"),
                result -> !result.isNull());
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
  }

  private void assertCount(JsonRpcCaller ofNode1, int group) {
    long sent = ids.keySet().stream().filter(key -> key.contains(contracts.get(group))).count();
    await().atMost(PATIENCE).until(() -> visits(ofNode1, "alice", group) == sent);
    await().atMost(PATIENCE).until(() -> visits(nodes.node2(), "bob", group) == sent);
  }

  private long visits(JsonRpcCaller node, String from, int group) {
    return node.result(
            "pgroup_call",
            "[{'domain':'record','group':'%s','from':'%s','function':'get','input':{'key':'visits'}}]"
                .formatted(groups.get(group), from))
        .path("value")
        .asLong();
  }

  private void assertLedger() {
    var threads = Executors.newFixedThreadPool(2);
    try (var ledger = RemoteLedger.at(nodes.ledger(), Optional.empty(), threads)) {
      var head = ledger.head().toCompletableFuture().join();
      var report = new LedgerAudit(Conservation.UNKNOWN).read(ledger, head).report();
      assertThat(report.holds()).as(report.toString()).isTrue();
      assertThat(report.fulfilled()).isEqualTo(ids.size());
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() {
    stopped.set(true);
    senders.shutdownNow();
  }
}

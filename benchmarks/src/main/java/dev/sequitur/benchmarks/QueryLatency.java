package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.json.JsonText;
import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a page of a query takes on a node that has many transactions, by JSON-RPC over HTTP. The
 * transactions are put into the running node's store as they would lie there, each with a receipt;
 * nobody carries them out.
 */
@Command(
    name = "queries",
    description =
        "Measures a page of each kind of query over many transactions: by fields that lead straight"
            + " to rows, and by one that does not.")
public final class QueryLatency implements Callable<Integer> {
  private static final int TOGETHER = 1_000;
  private static final int UNDER_WAY = 16;
  private static final long SEED = 17;
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));

  @Option(names = "--transactions", defaultValue = "1000000", description = "In the store.")
  private int transactions;

  @Option(names = "--times", defaultValue = "200", description = "Each query is sent.")
  private int times;

  @Option(names = "--page", defaultValue = "100", description = "Rows of an answer at most.")
  private int page;

  /** A query and what comes of it. */
  private record Asked(String what, String method, Callable<String> query, boolean refused) {}

  private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

  @Override
  public Integer call() throws Exception {
    var directory = Files.createTempDirectory("sequitur-benchmark-");
    LogFile.under(directory);
    print("%s, load average %.1f%n", Resources.machine(), Resources.loadAverage());
    try (var network = BenchmarkNetwork.start(directory, 1, TracingSettings.OFF)) {
      long start = System.nanoTime();
      fill(network.nodes().getFirst().store(), network.members().getFirst());
      print(
          "%,d transactions with a receipt each stored in %.0f s%n",
          transactions, (System.nanoTime() - start) / 1e9);
      print("%-64s %9s %9s %9s", "a page of at most " + page, "p50 ms", "p99 ms", "max ms");
      var node = new NodeCalls(List.of(network.addresses().getFirst()));
      for (var asked : queries()) {
        measure(node, asked);
      }
    }
    return 0;
  }

  private void fill(NodeStore store, Identity from) {
    var underWay = new ArrayDeque<CompletionStage<?>>();
    for (int first = 0; first < transactions; first += TOGETHER) {
      var intents = new ArrayList<Intent>();
      var receipts = new ArrayList<Receipt>();
      for (int i = first; i < Math.min(transactions, first + TOGETHER); i++) {
        intents.add(intent(i, from));
        receipts.add(receipt(i));
      }
      underWay.add(store.accept(intents).thenCompose(accepted -> store.complete(receipts)));
      if (underWay.size() == UNDER_WAY) {
        underWay.remove().toCompletableFuture().join();
      }
    }
    underWay.forEach(each -> each.toCompletableFuture().join());
  }

  private static TransactionId id(int number) {
    return new TransactionId(new UUID(SEED, number));
  }

  private static Hash hash(int number) {
    return new CanonicalDigest().add((long) number).finish();
  }

  /** Of anybody. */
  static Intent intent(int number) {
    return intent(number, Identity.parse("alice@node1"));
  }

  private static Intent intent(int number, Identity from) {
    return new Intent(
        0,
        Instant.EPOCH.plusSeconds(number),
        Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(from), "invoice-" + number)),
        hash(number),
        new PrivateTransaction(
            id(number),
            CONTRACT,
            "token",
            "transfer",
            from,
            Bytes.utf8("{\"to\":\"member2@node2\",\"amount\":\"" + number + "\"}"),
            SubmitMode.AUTO,
            List.of(),
            hash(number)));
  }

  static Receipt receipt(int number) {
    return Receipt.reverted(
        id(number), CONTRACT, "token", "Put there.", Instant.EPOCH.plusSeconds(number));
  }

  private List<Asked> queries() {
    return List.of(
        new Asked(
            "transactions, newest first",
            "ptx_queryTransactions",
            () -> "{\"limit\":%d}".formatted(page),
            false),
        new Asked(
            "transactions, eq on id",
            "ptx_queryTransactions",
            () -> eq("id", "\"" + id(anyOf()) + "\""),
            false),
        new Asked(
            "transactions, eq on idempotencyKey",
            "ptx_queryTransactions",
            () -> eq("idempotencyKey", "\"invoice-" + anyOf() + "\""),
            false),
        new Asked(
            "transactions, the page after another one",
            "ptx_queryTransactions",
            () -> "{\"after\":\"%s\",\"limit\":%d}".formatted(id(anyOf()), page),
            false),
        new Asked(
            "receipts, from a sequence on",
            "ptx_queryTransactionReceipts",
            () ->
                "{\"greaterThan\":[{\"field\":\"sequence\",\"value\":%d}],\"sort\":[\"sequence\"],\"limit\":%d}"
                    .formatted(anyOf(), page),
            false),
        new Asked(
            "receipts, the last first",
            "ptx_queryTransactionReceipts",
            () -> "{\"limit\":%d}".formatted(page),
            false),
        new Asked(
            "receipts, eq on id",
            "ptx_queryTransactionReceipts",
            () -> eq("id", "\"" + id(anyOf()) + "\""),
            false),
        new Asked(
            "transactions, eq on function, which has no index: refused",
            "ptx_queryTransactions",
            () -> eq("function", "\"burn\""),
            true));
  }

  private int anyOf() {
    return random.nextInt(transactions);
  }

  private String eq(String field, String value) {
    return "{\"equal\":[{\"field\":\"%s\",\"value\":%s}],\"limit\":%d}"
        .formatted(field, value, page);
  }

  private void measure(NodeCalls node, Asked asked) throws Exception {
    var latencies = new Latencies();
    for (int i = -times / 4; i < times; i++) {
      var query = NodeCalls.JSON.createArrayNode().add(JsonText.parse(asked.query().call()));
      long start = System.nanoTime();
      var answer = node.batch(asked.method(), List.of(query)).getFirst();
      if (i >= 0) {
        latencies.record(System.nanoTime() - start);
      }
      if (answer.has("error") != asked.refused()
          || (!asked.refused() && answer.get("result").isEmpty())) {
        throw new IllegalStateException(asked.what() + " came to " + answer);
      }
    }
    print(
        "%-64s %9.2f %9.2f %9.2f",
        asked.what(), latencies.millis(50), latencies.millis(99), latencies.millis(100));
  }
}

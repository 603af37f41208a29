package dev.sequitur.laboratory.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.demo.Operation;
import dev.sequitur.laboratory.soak.Submission.End;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends one node its share of a schedule and waits for the receipts, whatever happens to the node:
 * a call without an answer is made again with the same idempotency key. Runs on a thread of its
 * own; what is public to the package may be asked from another.
 */
final class NodeLoad implements Runnable {
  /** In flight at a time; what is due beyond it is sent later, and its wait is counted. */
  private static final int MOST_OPEN = 5_000;

  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  /**
   * The operations of a load and when each is due.
   *
   * @param operations in the order in which they are due
   * @param rate of them a second; 0 if all are due at once
   */
  record TimedOperations(List<Operation> operations, int rate) {
    private static final long NANOS = 1_000_000_000;

    TimedOperations {
      operations = List.copyOf(operations);
    }

    /** After the start of the load. */
    long dueNanos(int index) {
      return rate == 0 ? 0 : index * NANOS / rate;
    }
  }

  private final NodeName node;
  private final NodeCalls calls;
  private final Map<GroupPlan, ContractAddress> contracts;
  private final TimedOperations load;
  private final List<Submission> all = new ArrayList<>();
  private final List<Submission> unsent = new ArrayList<>();
  private final List<Submission> open = new ArrayList<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile String lastRefusal = "";
  private int next;
  private long started;

  NodeLoad(
      NodeName node,
      NodeCalls calls,
      Map<GroupPlan, ContractAddress> contracts,
      TimedOperations load) {
    this.node = node;
    this.calls = calls;
    this.contracts = Map.copyOf(contracts);
    this.load = load;
  }

  /** Returns when every operation has its receipt, or after {@link #stop}. */
  @Override
  public void run() {
    started = System.nanoTime();
    var pause = PAUSES.initial();
    try {
      do {
        takeDue();
        try {
          send();
          poll();
          pause = PAUSES.initial();
        } catch (IOException e) {
          // It was killed, or is not up yet: everything is asked again, less and less often.
          pause = PAUSES.longer(pause);
        }
      } while (!isDone() && !stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isDone() {
    return next == load.operations().size() && unsent.isEmpty() && open.isEmpty();
  }

  private void takeDue() {
    long elapsed = System.nanoTime() - started;
    while (next < load.operations().size()
        && load.dueNanos(next) <= elapsed
        && unsent.size() + open.size() < MOST_OPEN) {
      var operation = load.operations().get(next);
      if (operation.from().node().equals(node)) {
        var submission = new Submission(operation, started + load.dueNanos(next));
        all.add(submission);
        unsent.add(submission);
      }
      next++;
    }
  }

  private void send() throws IOException {
    if (unsent.isEmpty()) {
      return;
    }
    var batch = List.copyOf(unsent.subList(0, Math.min(NodeCalls.MOST, unsent.size())));
    List<JsonNode> answers;
    try {
      answers = calls.batch("ptx_sendTransaction", batch.stream().map(this::parameters).toList());
    } catch (IOException e) {
      repeated.addAndGet(batch.size());
      throw e;
    }
    for (int i = 0; i < batch.size(); i++) {
      var submission = batch.get(i);
      var answer = answers.get(i);
      if (answer.has("result")) {
        submission.accepted(TransactionId.parse(answer.get("result").asText()));
        unsent.remove(submission);
        open.add(submission);
        accepted.incrementAndGet();
      } else {
        repeated.incrementAndGet();
        lastRefusal = answer.path("error").path("message").asText();
      }
    }
  }

  private JsonNode parameters(Submission submission) {
    var operation = submission.operation();
    var parameters = NodeCalls.JSON.createArrayNode();
    parameters
        .addObject()
        .put("type", "private")
        .put("domain", operation.group().domain())
        .put("to", contracts.get(operation.group()).toString())
        .put("from", operation.from().toString())
        .put("function", operation.function())
        .put("idempotencyKey", operation.key())
        .set("data", SoakGroups.json(operation.inputs()));
    return parameters;
  }

  private void poll() throws IOException {
    for (int from = 0; from < open.size(); from += NodeCalls.MOST) {
      var page = open.subList(from, Math.min(from + NodeCalls.MOST, open.size()));
      var answers =
          calls.batch("ptx_getTransactionReceipt", page.stream().map(NodeLoad::id).toList());
      long now = System.nanoTime();
      for (int i = 0; i < page.size(); i++) {
        var receipt = answers.get(i).path("result");
        if (receipt.isObject()) {
          page.get(i)
              .ended(
                  new End(
                      now,
                      receipt.path("success").asBoolean(),
                      receipt.path("failureMessage").asText()));
          ended.incrementAndGet();
        }
      }
    }
    open.removeIf(submission -> submission.end().isPresent());
  }

  private static JsonNode id(Submission submission) {
    ArrayNode parameters = NodeCalls.JSON.createArrayNode();
    return parameters.add(submission.id().orElseThrow().toString());
  }

  /** Ends it although something has no receipt. */
  void stop() {
    stopped.countDown();
  }

  long accepted() {
    return accepted.get();
  }

  /** Those that have their receipt. */
  long ended() {
    return ended.get();
  }

  /** Calls that were made again, because no answer came or a refusal. */
  long repeated() {
    return repeated.get();
  }

  /** The last error that a node has answered; empty if there was none. */
  String lastRefusal() {
    return lastRefusal;
  }

  /** All that was due; to be asked once it has ended. */
  List<Submission> submissions() {
    return List.copyOf(all);
  }
}

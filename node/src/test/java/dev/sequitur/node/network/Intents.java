package dev.sequitur.node.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.process.JsonRpcCaller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The intents that callers have sent, each to count up by one, and what they were told.
 * Thread-safe.
 */
public final class Intents {
  private final Parties parties;
  private final AtomicInteger number = new AtomicInteger();
  private final Map<String, Accepted> accepted = new ConcurrentHashMap<>();

  /** Whose success was seen; it is asked for again only in the end. */
  private final Set<Accepted> succeeded = ConcurrentHashMap.newKeySet();

  /**
   * @param id as the node told the caller
   */
  private record Accepted(String id, int node, Group group) {}

  public Intents(Parties parties) {
    this.parties = parties;
  }

  /** A key that no other call has. */
  public String newKey() {
    return "call-" + number.incrementAndGet();
  }

  /**
   * Sends until some JVM of the node has accepted it, as a caller does who was not answered.
   *
   * @return the transaction's id
   */
  public String send(int node, Group group) {
    var key = newKey();
    var callers = parties.callers(node);
    var attempts = new AtomicInteger();
    return await()
        .atMost(Parties.PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(
            () ->
                sendOnce(
                    node, group, key, callers.get(attempts.getAndIncrement() % callers.size())),
            Optional::isPresent)
        .get();
  }

  /** As {@link #send}, several times. */
  public List<String> send(int howMany, int node, Group group) {
    return IntStream.range(0, howMany).mapToObj(i -> send(node, group)).toList();
  }

  /**
   * One call.
   *
   * @param key the same for the same intent
   * @return the transaction's id; empty if there was no answer, or an error
   */
  public Optional<String> sendOnce(int node, Group group, String key, JsonRpcCaller at) {
    var transaction =
        ("[{'type':'private','domain':'record','function':'increment','from':'%s','to':'%s',"
                + "'idempotencyKey':'%s','data':{'key':'visits','by':1}}]")
            .formatted(Group.member(node), group.contract(), key);
    try {
      var answer = at.answer("ptx_sendTransaction", transaction);
      if (answer.has("result")) {
        var id = answer.get("result").asText();
        var before = accepted.put(key, new Accepted(id, node, group));
        assertThat(before == null || before.id.equals(id)).as("one id for " + key).isTrue();
        return Optional.of(id);
      }
    } catch (AssertionError e) {
      if (e.getCause() == null) {
        throw e;
      }
      // It was killed, or stands still.
    }
    return Optional.empty();
  }

  public int size() {
    return accepted.size();
  }

  /** Waits for each receipt that was not seen yet: a success, told by the sender's node. */
  public void awaitSuccess() {
    assertThat(accepted).isNotEmpty();
    accepted.values().stream().filter(one -> !succeeded.contains(one)).forEach(this::awaitSuccess);
  }

  private void awaitSuccess(Accepted one) {
    var receipt =
        await()
            .alias("receipt of " + one.id + " of node" + one.node)
            .atMost(Parties.PATIENCE)
            .pollDelay(Duration.ZERO)
            .until(() -> receipt(one.node, one.id), found -> !found.isNull());
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
    succeeded.add(one);
  }

  /** Null until there is one. */
  public JsonNode receipt(int node, String id) {
    return parties.result(node, "ptx_getTransactionReceipt", "['" + id + "']");
  }

  /** What the ledger's blocks say: these and no others, each once. */
  public void assertLedger() {
    var ids = accepted.values().stream().map(Accepted::id).toList();
    assertThat(ids).doesNotHaveDuplicates();
    parties.oracle().assertEachOnce(ids);
  }

  /**
   * Every sender has one success for each of its intents, the ledger fulfilled each once, and every
   * node counts as many.
   */
  public void assertEachCountedOnce() {
    succeeded.clear();
    awaitSuccess();
    assertLedger();
    accepted.values().stream().map(Accepted::group).distinct().forEach(this::awaitCount);
  }

  private void awaitCount(Group group) {
    long sent = accepted.values().stream().filter(one -> one.group.equals(group)).count();
    for (int node = 1; node <= parties.nodes(); node++) {
      int at = node;
      await()
          .alias("node" + node + " counts " + sent)
          .atMost(Parties.PATIENCE)
          .until(() -> group.visits(parties, at) == sent);
    }
  }
}

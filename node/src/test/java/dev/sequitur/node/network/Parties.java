package dev.sequitur.node.network;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Nodes as their users see them: each is called at one of its JVMs or at another. */
public interface Parties {
  /** What a loaded machine may take for anything. */
  Duration PATIENCE = Duration.ofMinutes(6);

  /** Nodes are counted from 1. */
  int nodes();

  /** All JVMs of a node, whether they serve or not. */
  List<JsonRpcCaller> callers(int node);

  URI ledger();

  /** What stands in the ledger's blocks by now. */
  default LedgerOracle oracle() {
    return LedgerOracle.read(ledger());
  }

  /** Hears on which terms a group was made: who reads a chain has to know them. */
  default void made(Deploy terms) {}

  /** Waits until a JVM of the node gives a result; the others may be dead. */
  default JsonNode result(int node, String method, String params) {
    return await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(() -> anyResult(node, method, params), Optional::isPresent)
        .get();
  }

  private Optional<JsonNode> anyResult(int node, String method, String params) {
    for (var caller : callers(node)) {
      try {
        var answer = caller.answer(method, params);
        if (answer.has("result")) {
          return Optional.of(answer.get("result"));
        }
      } catch (AssertionError e) {
        // It is dead, or stands still.
      }
    }
    return Optional.empty();
  }
}

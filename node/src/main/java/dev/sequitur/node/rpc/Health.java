package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.sequencer.SequencerNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How the node is, for a person or an orchestrator. {@code UP}; or {@code DEGRADED} while the base
 * ledger cannot be reached: the node then still answers, and what it has accepted waits.
 */
final class Health {
  private static final long LEDGER_TIMEOUT_SECONDS = 2;

  private final SequencerNode node;

  Health(SequencerNode node) {
    this.node = node;
  }

  CompletableFuture<ObjectNode> check() {
    CompletableFuture<BlockHeight> head;
    try {
      head = node.ledger().head().toCompletableFuture().copy();
    } catch (RuntimeException e) {
      head = CompletableFuture.failedFuture(e);
    }
    return head.orTimeout(LEDGER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .handle((height, failure) -> json(Optional.ofNullable(height)));
  }

  private ObjectNode json(Optional<BlockHeight> head) {
    var json =
        JsonText.object()
            .put("status", head.isPresent() ? "UP" : "DEGRADED")
            .put("node", node.name().value())
            .put("blockHeight", node.blockHeight().value());
    json.putObject("ledger")
        .put("reachable", head.isPresent())
        .put("head", head.map(BlockHeight::value).orElse(null));
    json.put("groups", node.groups().size());
    var peers = json.putArray("peers");
    node.peers().stream().sorted().forEach(peer -> peers.add(peer.value()));
    return json;
  }
}

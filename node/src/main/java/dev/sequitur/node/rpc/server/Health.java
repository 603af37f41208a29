package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How the node is, for a person or an orchestrator. {@code UP}; or {@code DEGRADED} while the base
 * ledger cannot be reached, or what the schedules have stored is in trouble: the node then still
 * answers, what it has accepted waits, and {@code troubles} says what to do. {@code remarks} is
 * what somebody should look at though the node is well.
 */
final class Health {
  private static final long LEDGER_TIMEOUT_SECONDS = 2;

  private final SequencerNode node;
  private final SchedulerNode scheduler;

  Health(SequencerNode node, SchedulerNode scheduler) {
    this.node = node;
    this.scheduler = scheduler;
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
    var troubles = new ArrayList<>(scheduler.troubles());
    if (head.isEmpty()) {
      troubles.add(
          0, "The base ledger cannot be reached: look whether it runs and ledger.remote is right.");
    }
    var json =
        JsonText.object()
            .put("status", troubles.isEmpty() ? "UP" : "DEGRADED")
            .put("node", node.name().value())
            .put("blockHeight", node.blockHeight().value());
    json.putObject("ledger")
        .put("reachable", head.isPresent())
        .put("head", head.map(BlockHeight::value).orElse(null));
    troubles.forEach(json.putArray("troubles")::add);
    scheduler.remarks().forEach(json.putArray("remarks")::add);
    json.put("groups", node.groups().size());
    var peers = json.putArray("peers");
    node.peers().stream().sorted().forEach(peer -> peers.add(peer.value()));
    return json;
  }
}

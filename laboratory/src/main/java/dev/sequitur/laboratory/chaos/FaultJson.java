package dev.sequitur.laboratory.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.node.rehearsal.Fault;
import java.time.Duration;

/** A fault as {@code chaos_setFault} takes it. */
final class FaultJson {
  private FaultJson() {}

  static ObjectNode write(Fault fault, Duration lasts) {
    var json =
        NodeCalls.JSON
            .createObjectNode()
            .put("kind", fault.kind())
            .put("seconds", lasts.toSeconds());
    switch (fault) {
      case Fault.OfMessages some -> {
        peers(json, some);
        narrow(json, some.traffic());
        json.put("probability", some.probability());
        if (some instanceof Fault.Delay delay) {
          json.put("delayMillis", delay.atMost().toMillis());
        }
      }
      case Fault.Partition partition -> peers(json, partition);
      case Fault.LedgerLag(var blocks) -> json.put("blocks", blocks);
      case Fault.LedgerRevert(var contract, var count) ->
          json.put("contract", contract.toString()).put("count", count);
    }
    return json;
  }

  private static void peers(ObjectNode json, Fault.Network fault) {
    var peers = json.putArray("peers");
    fault.peers().stream().sorted().forEach(peer -> peers.add(peer.value()));
  }

  private static void narrow(ObjectNode json, Fault.Traffic traffic) {
    if (!traffic.messages().isEmpty()) {
      var messages = json.putArray("messages");
      traffic.messages().stream().sorted().forEach(messages::add);
    }
    if (!traffic.contracts().isEmpty()) {
      var contracts = json.putArray("contracts");
      traffic.contracts().forEach(contract -> contracts.add(contract.toString()));
    }
  }
}

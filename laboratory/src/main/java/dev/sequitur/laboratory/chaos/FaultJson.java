package dev.sequitur.laboratory.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.node.rehearsal.RehearsedFault;
import java.time.Duration;

/** A fault as {@code chaos_setFault} takes it. */
final class FaultJson {
  private FaultJson() {}

  static ObjectNode write(RehearsedFault fault, Duration lasts) {
    var json =
        NodeCalls.JSON
            .createObjectNode()
            .put("kind", fault.kind().word())
            .put("seconds", lasts.toSeconds());
    switch (fault) {
      case RehearsedFault.OfMessages some -> {
        peers(json, some);
        narrow(json, some.traffic());
        json.put("probability", some.probability());
        if (some instanceof RehearsedFault.Delay delay) {
          json.put("delayMillis", delay.atMost().toMillis());
        }
      }
      case RehearsedFault.Partition partition -> peers(json, partition);
      case RehearsedFault.LedgerLag(var blocks) -> json.put("blocks", blocks);
      case RehearsedFault.LedgerRevert(var contract, var count) ->
          json.put("contract", contract.toString()).put("count", count);
    }
    return json;
  }

  private static void peers(ObjectNode json, RehearsedFault.Network fault) {
    var peers = json.putArray("peers");
    fault.peers().stream().sorted().forEach(peer -> peers.add(peer.value()));
  }

  private static void narrow(ObjectNode json, RehearsedFault.Traffic traffic) {
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

package dev.sequitur.node.chaos;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rehearsal.Fault;
import java.time.Duration;

/** A fault as {@code chaos_setFault} takes it. */
final class FaultJson {
  private static final JsonMapper JSON = new JsonMapper();

  private FaultJson() {}

  static ObjectNode write(Fault fault, Duration lasts) {
    var json = JSON.createObjectNode().put("kind", fault.kind()).put("seconds", lasts.toSeconds());
    if (fault instanceof Fault.Network network) {
      var peers = json.putArray("peers");
      network.peers().stream().sorted().forEach(peer -> peers.add(peer.value()));
    }
    if (fault instanceof Fault.OfMessages some) {
      narrow(json, some.traffic());
    }
    if (fault instanceof Fault.Drop drop) {
      json.put("probability", drop.probability());
    } else if (fault instanceof Fault.Delay delay) {
      json.put("probability", delay.probability()).put("delayMillis", delay.atMost().toMillis());
    } else if (fault instanceof Fault.Duplicate duplicate) {
      json.put("probability", duplicate.probability());
    } else if (fault instanceof Fault.LedgerLag lag) {
      json.put("blocks", lag.blocks());
    } else if (fault instanceof Fault.LedgerRevert revert) {
      json.put("contract", revert.contract().toString()).put("count", revert.count());
    }
    return json;
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

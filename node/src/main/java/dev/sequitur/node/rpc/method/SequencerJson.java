package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.sequencer.view.TransactionTrace;
import java.util.List;

/** What a node shows of its protocol's inside, as JSON; the fields are those of the views. */
final class SequencerJson {
  private SequencerJson() {}

  static ObjectNode coordinator(CoordinatorView view) {
    var json =
        JsonText.object()
            .put("contract", view.contract().toString())
            .put("blockHeight", view.blockHeight().value())
            .put("range", view.range().index())
            .put("rangeSize", view.rangeSize())
            .put("coordinator", view.coordinator().value());
    var ranking = json.putArray("ranking");
    view.ranking()
        .forEach(
            ranked ->
                ranking
                    .addObject()
                    .put("rank", ranked.rank())
                    .put("identity", ranked.identity().toString())
                    .put("distance", ranked.distance())
                    .put("available", ranked.available())
                    .put("reason", ranked.reason()));
    return json;
  }

  static ObjectNode status(SequencerStatus status) {
    var json =
        JsonText.object()
            .put("node", status.node().value())
            .put("contract", status.contract().toString())
            .put("blockHeight", status.blockHeight().value());
    var sender = json.putObject("sender").put("holdOff", status.sender().holdOff());
    var own = sender.putArray("transactions");
    status.sender().transactions().forEach(transaction -> add(own.addObject(), transaction));
    var coordinator = json.putObject("coordinator").put("state", status.coordinator().state());
    var coordinated = coordinator.putArray("transactions");
    status
        .coordinator()
        .transactions()
        .forEach(transaction -> add(coordinated.addObject(), transaction));
    var locks = coordinator.putArray("locks");
    status
        .coordinator()
        .locks()
        .forEach(
            lock ->
                locks
                    .addObject()
                    .put("state", lock.state().toString())
                    .put("spentBy", lock.spentBy().toString()));
    var heartbeats = json.putArray("heartbeats");
    status.heartbeats().forEach(heartbeat -> add(heartbeats.addObject(), heartbeat));
    return json;
  }

  private static void add(ObjectNode json, TransactionStatus status) {
    json.put("transaction", status.transaction().toString()).put("state", status.state());
    status.delegate().ifPresent(delegate -> json.put("delegate", delegate.value()));
    status.submitter().ifPresent(submitter -> json.put("submitter", submitter.value()));
    json.put("waitsFor", status.waitsFor()).put("attempts", status.attempts());
    var history = json.putArray("history");
    status
        .history()
        .forEach(
            event ->
                history.addObject().put("time", event.time().toString()).put("what", event.what()));
  }

  private static void add(ObjectNode json, SequencerStatus.Coordinated coordinated) {
    json.put("transaction", coordinated.transaction().toString())
        .put("sender", coordinated.sender().value())
        .put("state", coordinated.state());
    var dependsOn = json.putArray("dependsOn");
    coordinated.dependsOn().forEach(id -> dependsOn.add(id.toString()));
    var waitsFor = json.putArray("waitsFor");
    coordinated.waitsFor().forEach(identity -> waitsFor.add(identity.toString()));
  }

  private static void add(ObjectNode json, SequencerStatus.HeartbeatSeen heartbeat) {
    json.put("from", heartbeat.from().value())
        .put("kind", heartbeat.kind())
        .put("lastSeen", heartbeat.lastSeen().toString())
        .put("transactions", heartbeat.transactions());
  }

  static ObjectNode trace(TransactionTrace trace) {
    var json = JsonText.object();
    var messages = json.putArray("messages");
    for (var line : trace.lines()) {
      var message = message(line.message());
      messages.add(message);
      names(message.putArray("seenBy"), line.seenBy());
    }
    names(json.putArray("silent"), trace.silent());
    return json.put("leftOut", trace.leftOut());
  }

  private static ObjectNode message(TracedMessage message) {
    var json =
        JsonText.object()
            .put("number", message.number())
            .put("time", message.time().toString())
            .put("messageId", message.messageId().toString());
    message.correlationId().ifPresent(id -> json.put("correlationId", id.toString()));
    json.put("from", message.from().value())
        .put("fromRole", message.fromRole())
        .put("to", message.to().value())
        .put("toRole", message.toRole());
    message.contract().ifPresent(contract -> json.put("contract", contract.toString()));
    json.put("type", message.type());
    var transactions = json.putArray("transactions");
    message.transactions().forEach(id -> transactions.add(id.toString()));
    return json.put("detail", message.detail());
  }

  private static void names(ArrayNode array, List<NodeName> nodes) {
    nodes.forEach(node -> array.add(node.value()));
  }
}

package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.Course;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Transactions and receipts in the shapes that clients of the field know. */
public final class TransactionJson {
  private TransactionJson() {}

  static ObjectNode transaction(Intent intent) {
    var transaction = intent.transaction();
    var json =
        JsonText.object()
            .put("id", transaction.id().toString())
            .put("created", intent.created().toString())
            .put("submitMode", submitMode(transaction.submitMode()));
    intent.idempotencyKey().ifPresent(key -> json.put("idempotencyKey", key));
    json.put("type", "private")
        .put("domain", transaction.domain())
        .put("function", transaction.function())
        .put("from", transaction.from().toString())
        .put("to", transaction.contract().toString());
    json.set("data", JsonText.parse(transaction.inputs().toByteArray()));
    transaction.maxAttempts().ifPresent(most -> json.put("maxAttempts", most));
    return json;
  }

  static String submitMode(SubmitMode mode) {
    return switch (mode) {
      case AUTO -> "auto";
      case EXTERNAL -> "external";
    };
  }

  /**
   * @param status empty if it is not in flight
   */
  static ObjectNode full(
      Intent intent, Optional<NumberedReceipt> receipt, Optional<TransactionStatus> status) {
    var json = transaction(intent);
    var dependsOn = json.putArray("dependsOn");
    intent.transaction().dependsOn().forEach(id -> dependsOn.add(id.toString()));
    json.set("receipt", receipt.<JsonNode>map(TransactionJson::receipt).orElse(null));
    addPublic(json.putArray("public"), receipt);
    var history = json.putArray("history");
    var activity = json.putArray("sequencerActivity");
    json.put("state", state(receipt, status));
    receipt
        .flatMap(numbered -> numbered.receipt().course())
        .or(() -> status.map(TransactionJson::course))
        .ifPresent(
            course -> {
              course.delegate().ifPresent(delegate -> json.put("delegate", delegate.value()));
              course.submitter().ifPresent(submitter -> json.put("submitter", submitter.value()));
              if (receipt.isEmpty()) {
                status.ifPresent(now -> json.put("waitsFor", now.waitsFor()));
              }
              json.put("attempts", course.attempts());
              course.history().forEach(event -> addEvent(history.addObject(), event));
              addActivity(activity, course);
            });
    return json;
  }

  private static Course course(TransactionStatus now) {
    return new Course(
        now.attempts(),
        now.delegate(),
        now.submitter(),
        now.history().stream().map(event -> new Happened(event.time(), event.what())).toList());
  }

  private static String state(
      Optional<NumberedReceipt> receipt, Optional<TransactionStatus> status) {
    return receipt
        .map(numbered -> numbered.receipt().success() ? "Confirmed" : "Reverted")
        .or(() -> status.map(TransactionStatus::state))
        .orElse("Pending");
  }

  private static void addPublic(ArrayNode json, Optional<NumberedReceipt> receipt) {
    receipt
        .flatMap(numbered -> numbered.receipt().onLedger())
        .ifPresent(
            place ->
                json.addObject()
                    .put("transactionHash", place.hash().toString())
                    .put("blockNumber", place.block().value())
                    .put("transactionIndex", place.index()));
  }

  private static void addEvent(ObjectNode json, Happened event) {
    json.put("time", event.time().toString()).put("what", event.what());
  }

  private static void addActivity(ArrayNode json, Course course) {
    course
        .delegate()
        .ifPresent(node -> json.addObject().put("activity", "delegated").put("node", node.value()));
    course
        .submitter()
        .ifPresent(
            node -> json.addObject().put("activity", "dispatched").put("node", node.value()));
  }

  public static ObjectNode receipt(NumberedReceipt numbered) {
    Receipt receipt = numbered.receipt();
    var json =
        JsonText.object()
            .put("id", receipt.transaction().toString())
            .put("indexed", receipt.indexed().toString())
            .put("sequence", numbered.sequence())
            .put("domain", receipt.domain())
            .put("success", receipt.success());
    receipt
        .onLedger()
        .ifPresent(
            place ->
                json.put("transactionHash", place.hash().toString())
                    .put("blockNumber", place.block().value())
                    .put("transactionIndex", place.index())
                    .put("source", receipt.contract().toString()));
    receipt.failureMessage().ifPresent(message -> json.put("failureMessage", message));
    return json.put("contractAddress", receipt.contract().toString());
  }

  /**
   * @param held the states of the receipt whose content this node holds
   */
  static ObjectNode receiptFull(NumberedReceipt numbered, List<PrivateState> held) {
    var json = receipt(numbered);
    var content = new HashMap<StateId, PrivateState>();
    held.forEach(state -> content.put(state.id(), state));
    var states = json.putObject("states");
    var place = numbered.receipt().onLedger();
    addStates(states.putArray("spent"), place.map(OnLedger::spent), content);
    addStates(states.putArray("read"), place.map(OnLedger::read), content);
    addStates(states.putArray("confirmed"), place.map(OnLedger::confirmed), content);
    states.putArray("info");
    return json;
  }

  static ObjectNode prepared(String domain, Prepared prepared) {
    var of = prepared.prepared();
    var json =
        JsonText.object()
            .put("id", of.transaction().toString())
            .put("domain", domain)
            .put("to", of.contract().toString());
    var transaction = json.putObject("transaction");
    transaction.put("commitment", of.intent().commitment().toString());
    addIds(transaction.putArray("inputs"), of.inputs());
    addIds(transaction.putArray("reads"), of.reads());
    addIds(transaction.putArray("outputs"), of.outputs());
    var endorsements = transaction.putArray("endorsements");
    of.endorsements()
        .forEach(
            signature ->
                endorsements
                    .addObject()
                    .put("party", signature.party().toString())
                    .put("verifier", signature.verifier().toString())
                    .put("signature", signature.value().toHex()));
    json.putObject("metadata");
    var states = json.putObject("states");
    addStates(states.putArray("spent"), Optional.of(of.inputs()), Map.of());
    addStates(states.putArray("read"), Optional.of(of.reads()), Map.of());
    var confirmed = states.putArray("confirmed");
    prepared.outputs().forEach(state -> addState(confirmed.addObject(), state));
    states.putArray("info");
    return json;
  }

  private static void addStates(
      ArrayNode json, Optional<List<StateId>> ids, Map<StateId, PrivateState> content) {
    for (var id : ids.orElse(List.of())) {
      if (content.containsKey(id)) {
        addState(json.addObject(), content.get(id));
      } else {
        json.addObject().put("id", id.toString());
      }
    }
  }

  private static void addState(ObjectNode json, PrivateState state) {
    json.put("id", state.id().toString())
        .put("contractAddress", state.contract().toString())
        .put("schema", state.schema())
        .set("data", content(state.data()));
  }

  /** As JSON if the domain keeps JSON, otherwise in hexadecimal digits. */
  private static JsonNode content(Bytes data) {
    try {
      return JsonText.parse(data.toByteArray());
    } catch (RpcFailure e) {
      return TextNode.valueOf(data.toHex());
    }
  }

  private static void addIds(ArrayNode json, List<StateId> ids) {
    ids.forEach(id -> json.add(id.toString()));
  }
}

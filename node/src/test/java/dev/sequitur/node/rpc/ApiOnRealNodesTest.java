package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.BackupSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.SchedulerConfiguration;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The calls of the reference page, answered by two real nodes: the examples with ids that these
 * know in place of the examples' own.
 */
class ApiOnRealNodesTest {
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Path BEFORE =
      Path.of("src/test/resources/dev/sequitur/node/rpc/before.json");

  private static final Set<String> WITHOUT_PARAMETERS =
      Set.of(
          "bidx_getConfirmedBlockHeight",
          "transport_nodeName",
          "transport_peers",
          "transport_localTransports",
          "reg_registries",
          "keymgr_wallets",
          "domain_listDomains",
          "rpc_methods");

  /** What the examples before it have made must be in the answer. */
  private static final Set<String> NOT_EMPTY = Set.of("gasPriority_getReadyTransactions");

  /**
   * What these nodes refuse, and what they say: most of it since their ledger runs no contracts.
   */
  private static final Map<String, String> REFUSED =
      Map.of(
          "sequencer_changeCommittee", "does not hold",
          "pstate_eraseContents", "has no contents of state",
          "recurring_schedulePublicTransactionTask", "runs no contracts",
          "ptx_updateTransaction", "it has ended, or was never sent to this node",
          "sequencer_cancelTransaction", "it has ended, or was never sent to this node",
          "ptx_createBlockchainEventListener", "runs no contracts",
          "ptx_stopBlockchainEventListener", "There is no blockchain event listener",
          "ptx_startBlockchainEventListener", "There is no blockchain event listener");

  /** So short that something is overdue, and something parked, within seconds. */
  private static final Duration SLOT = Duration.ofSeconds(1);

  /** As the examples have it. */
  @TempDir private static Path directory;

  private static RunningNetwork network;
  private static JsonRpcCaller node1;
  private static JsonRpcCaller node2;
  private static ObjectNode examples;
  private static JsonNode discovered;
  private static Examples running;

  /** From what an example names to what is really there. */
  private static final Map<String, String> REAL = new LinkedHashMap<>();

  @BeforeAll
  static void startTwoNodes() throws IOException {
    examples = (ObjectNode) RunningRpc.JSON.readTree(EXAMPLES.toFile());
    var nodes =
        Stream.of("node1", "node2")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)))
            .map(node -> node.withChaos(true))
            .map(
                node ->
                    node.withBackup(
                        new BackupSettings(
                            Optional.of(directory.resolve(node.name() + "-backup")),
                            Long.MAX_VALUE)))
            .map(node -> node.withScheduler(impatient()))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
    network =
        new ProcessStarter()
            .startNetwork(
                new NetworkPlan(directory.resolve("ledger"), blocks, nodes),
                node -> node.draining().whenAsked(() -> {}));
    node1 = new JsonRpcCaller(url(0));
    node2 = new JsonRpcCaller(url(1));
    discovered = node1.result("rpc.discover", "[]");
    makeWhatTheExamplesName();
  }

  private static SchedulerConfiguration impatient() {
    var plans = PlanSettings.DEFAULT.withMinimumTimeBeforeExecution(Duration.ofSeconds(1));
    return SchedulerConfiguration.DEFAULT.withQueues(
        QueueSetup.of(
            SchedulerConfiguration.DEFAULT.queues().administrator(),
            new GasPriority(GasPrioritySettings.DEFAULT),
            new MultiSignature(MultiSignatureSettings.MVP),
            new PlanExecutions(plans),
            new Recurring(RecurringSettings.DEFAULT.withSlot(SLOT))));
  }

  @AfterAll
  static void stopThem() {
    network.close();
  }

  private static String url(int index) {
    return network.nodes().stream().map(RunningNode::url).toList().get(index);
  }

  private static void makeWhatTheExamplesName() throws IOException {
    var group =
        node1.result("pgroup_createGroup", examples.at("/pgroup_createGroup/params").toString());
    var id = group.get("id").asText();
    var contract =
        node1
            .awaitResult("pgroup_getGroupById", "['token','" + id + "']", "contractAddress")
            .asText();
    REAL.put(Sample.CONTRACT.value(), contract);
    REAL.put(Sample.GROUP.toString(), id);
    for (int i = 0; i < 8; i++) {
      confirmed(mint(contract, ""));
    }
    var confirmed = confirmed(mint(contract, "'idempotencyKey':'invoice-7',"));
    REAL.put(Sample.CONFIRMED.toString(), confirmed);
    REAL.put(Sample.PENDING.toString(), confirmed);
    var receipt = node1.result("ptx_getTransactionReceipt", "['" + confirmed + "']");
    REAL.put(Sample.LEDGER_TRANSACTION.toString(), receipt.get("transactionHash").asText());
    var external = node1.result("ptx_prepareTransaction", real("ptx_prepareTransaction")).asText();
    node1.awaitResult("ptx_getPreparedTransaction", "['" + external + "']");
    REAL.put(Sample.EXTERNAL.toString(), external);
    var address = node1.result("keymgr_resolveEthAddress", "['alice']").asText();
    REAL.put(examples.at("/keymgr_reverseKeyLookup/params/2").asText(), address);
    running = new Examples(examplesWithRealNames(), node1::result, InstantSource.system(), SLOT);
    running.prepare(RunningRpc.JSON.readTree(BEFORE.toFile()));
  }

  private static String mint(String contract, String key) {
    return "[{'type':'private',"
        + key
        + "'domain':'token','from':'alice@node1','to':'"
        + contract
        + "','function':'mint','data':{'to':'alice@node1','amount':'100'}}]";
  }

  private static String confirmed(String transaction) {
    var id = node1.result("ptx_sendTransaction", transaction).asText();
    var receipt = node1.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
    return id;
  }

  private static String real(String method) {
    var params = examples.get(method).get("params").toString();
    for (var entry : REAL.entrySet()) {
      params = params.replace(entry.getKey(), entry.getValue());
    }
    return params;
  }

  /** Over a WebSocket and in the page's order, since some calls are about what others made. */
  @TestFactory
  Stream<DynamicTest> eachExampleIsAnsweredByARealNodeInTheDocumentedShape() {
    var socket =
        new WebSocketClient(
            HttpClient.newHttpClient(), URI.create(url(0).replace("http:", "ws:") + "/ws"));
    return methods().stream()
        .map(method -> DynamicTest.dynamicTest(method, () -> call(socket, method)))
        .onClose(socket::close);
  }

  private static List<String> methods() {
    var documented = node1.result("rpc_methods", "[]").findValuesAsText("name");
    return documented.stream().filter(examples::has).toList();
  }

  private static JsonNode examplesWithRealNames() {
    var text = examples.toString();
    for (var entry : REAL.entrySet()) {
      text = text.replace(entry.getKey(), entry.getValue());
    }
    return RunningRpc.parse(text);
  }

  private static void call(WebSocketClient socket, String method) {
    var example = examples.get(method);
    if (example.has("error")) {
      assertThat(socket.call(method, real(method)).get("error")).isEqualTo(example.get("error"));
      return;
    }
    if (!example.has("result")) {
      socket.tell(method, real(method));
      return;
    }
    var params = example.has("template") ? running.params(method).toString() : real(method);
    var response = socket.call(method, params);
    if (REFUSED.containsKey(method)) {
      assertThat(response.at("/error/message").asText()).contains(REFUSED.get(method));
      return;
    }
    assertThat(response.has("result")).as(response.toString()).isTrue();
    running.answered(method, response.get("result"));
    if (method.equals("ptx_subscribe")) {
      REAL.put(examples.at("/ptx_ack/params/0").asText(), response.get("result").asText());
      assertThat(socket.next().at("/params/result/receipts")).isNotEmpty();
    }
    if (NOT_EMPTY.contains(method)) {
      assertThat(response.get("result")).as(method).isNotEmpty();
    }
    if (method.equals("rpc.discover")) {
      // The page shows only one method and one schema of the document.
      assertThat(response.at("/result/methods").findValuesAsText("name")).containsAll(methods());
      return;
    }
    assertShape(method, example.get("result"), response.get("result"), schema(method));
  }

  /** What the discovery document says of the method's result. */
  private static JsonNode schema(String method) {
    for (var described : discovered.get("methods")) {
      if (described.get("name").asText().equals(method)) {
        return described.at("/result/schema");
      }
    }
    throw new AssertionError(method);
  }

  /**
   * Both have what is always there, and nothing that the schema does not know: whether an optional
   * field is there may depend on what happened meanwhile.
   */
  private static void assertShape(
      String path, JsonNode documented, JsonNode actual, JsonNode schema) {
    if (documented.isNull() || actual.isNull()) {
      return; // What is not there yet, or not any more.
    }
    assertThat(actual.getNodeType()).as(path).isEqualTo(documented.getNodeType());
    if (documented.isObject()) {
      var fields = resolved(schema, actual);
      if (fields.has("properties")) {
        assertNames(path, documented, resolved(schema, documented));
        assertNames(path, actual, fields);
      } else if (documented.path("type").equals(actual.path("type"))) {
        // What a domain answers, for one.
        assertThat(names(actual)).as(path).isEqualTo(names(documented));
      } else {
        // What happened first in a queue may be of another kind.
        assertThat(names(actual)).as(path).contains("type", "number", "at");
        return;
      }
      for (var name : names(documented)) {
        if (actual.has(name)) {
          assertShape(
              path + "." + name,
              documented.get(name),
              actual.get(name),
              fields.path("properties").path(name));
        }
      }
    }
    if (documented.isArray() && !documented.isEmpty() && !actual.isEmpty()) {
      assertShape(path + "[0]", documented.get(0), actual.get(0), schema.path("items"));
    }
  }

  private static void assertNames(String path, JsonNode object, JsonNode schema) {
    assertThat(names(schema.get("properties"))).as(path).containsAll(names(object));
    for (var always : schema.get("required")) {
      assertThat(names(object)).as(path).contains(always.asText());
    }
  }

  /** The named schema in place of what refers to it; of several the one that knows all names. */
  private static JsonNode resolved(JsonNode schema, JsonNode object) {
    if (schema.has("$ref")) {
      return resolved(discovered.at(schema.get("$ref").asText().substring(1)), object);
    }
    for (var choice : schema.path("oneOf")) {
      var one = resolved(choice, object);
      if (names(one.path("properties")).containsAll(names(object))) {
        return one;
      }
    }
    return schema;
  }

  private static Set<String> names(JsonNode object) {
    var names = new TreeSet<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void eachMethodHasAnExample() {
    assertThat(node1.result("rpc_methods", "[]").findParents("returns"))
        .extracting(method -> method.get("name").asText())
        .allMatch(examples::has);
  }

  @TestFactory
  Stream<DynamicTest> eachMethodRefusesWhatItCannotRead() {
    return methods().stream()
        .filter(method -> !WITHOUT_PARAMETERS.contains(method))
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method, () -> assertRefused(method, "[true,true,true,true,true,true]")));
  }

  @TestFactory
  Stream<DynamicTest> methodsWithoutParametersRefuseOne() {
    return WITHOUT_PARAMETERS.stream()
        .map(method -> DynamicTest.dynamicTest(method, () -> assertRefused(method, "[1]")));
  }

  private static void assertRefused(String method, String params) {
    var error = node1.answer(method, params).get("error");
    assertThat(error).as(method).isNotNull();
    assertThat(error.get("message").asText()).matches("(?s)SQ01\\d{4}: .*\\.");
  }

  @Test
  void whatCannotBeDoneIsRefusedWithItsCode() {
    var contract = REAL.get(Sample.CONTRACT.value());
    assertThat(message("ptx_sendTransaction", mint(contract, "").replace("'100'", "'-1'")))
        .startsWith("SQ020005");
    assertThat(message("ptx_sendTransaction", mint("0x" + "77".repeat(20), ""))).startsWith("SQ0");
    assertThat(
            message(
                "ptx_sendTransaction",
                mint(contract, "'idempotencyKey':'invoice-7',").replace("'100'", "'5'")))
        .startsWith("SQ020007");
    assertThat(
            message("ptx_sendTransaction", mint(contract, "").replace("alice@node1", "eve@node1")))
        .startsWith("SQ0");
    var gift = "[{'account':'eve','amount':'5','idempotencyKey':'gift'}]";
    node1.result("schedule_fund", gift);
    node1.result("schedule_fund", gift);
    assertThat(message("schedule_fund", gift.replace("'5'", "'6'"))).startsWith("SQ020321");
    assertThat(node1.result("schedule_getBalance", "['eve']").asText()).isEqualTo("5");
    assertThat(message("ptx_noSuchMethod", "[]")).startsWith("SQ010105");
  }

  private static String message(String method, String params) {
    return node1.answer(method, params).at("/error/message").asText();
  }

  @Test
  void theOtherNodeKnowsTheGroupAndTheWholeExchange() {
    var contract = REAL.get(Sample.CONTRACT.value());
    var confirmed = REAL.get(Sample.CONFIRMED.toString());

    assertThat(node2.result("pgroup_getGroupByAddress", "['" + contract + "']").get("members"))
        .hasSize(2);
    var trace =
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> node2.result("sequencer_traceTransaction", "['" + confirmed + "']"),
                found -> found.get("silent").isEmpty());
    assertThat(trace.get("messages").findValuesAsText("type"))
        .contains("DelegationCommand", "EndorsementRequest", "Dispatched");
  }
}

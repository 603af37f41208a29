package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.node.process.SpanCollector.Seen;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two nodes and a collector. The nodes begin no traces by themselves. */
@Execution(ExecutionMode.CONCURRENT)
class TracingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  @TempDir private Path directory;
  private SpanCollector collector;
  private RunningNetwork network;
  private JsonRpcCaller node1;
  private String contract;

  @BeforeEach
  void start() throws IOException {
    collector = new SpanCollector();
    var tracing = TracingSettings.all(collector.endpoint());
    var none = new TracingSettings(true, tracing.endpoint(), 0, tracing.queue(), tracing.timeout());
    var nodes =
        Stream.of("node1", "node2")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)))
            .map(node -> node.withTracing(none))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
    network =
        new ProcessStarter()
            .startNetwork(new NetworkPlan(directory.resolve("ledger"), blocks, nodes), node -> {});
    node1 = new JsonRpcCaller(network.nodes().get(0).url());
    contract = contract();
  }

  @AfterEach
  void stop() {
    network.close();
    collector.close();
  }

  private String contract() {
    var group =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'record','name':'shared','members':['alice@node1','bob@node2']}]")
            .get("id")
            .asText();
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                node1
                    .result("pgroup_getGroupById", "['record','" + group + "']")
                    .path("contractAddress"),
            JsonNode::isTextual)
        .asText();
  }

  private JsonNode send(String sampled) throws IOException, InterruptedException {
    var body =
        call(
            "ptx_sendTransaction",
            "{'type':'private','domain':'record','function':'increment','from':'alice','to':'"
                + contract
                + "','data':{'key':'a-private-word','by':1}}");
    return receipt(post(body, sampled));
  }

  private String post(String body, String sampled) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(network.nodes().get(0).url()))
            .header("content-type", "application/json")
            .header("traceparent", "00-" + TRACE + "-" + CALLER + "-" + sampled)
            .POST(BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static String call(String method, String parameter) {
    return "{'jsonrpc':'2.0','id':1,'method':'%s','params':[%s]}"
        .formatted(method, parameter)
        .replace('\'', '"');
  }

  private JsonNode receipt(String answer) throws IOException {
    var id = new JsonMapper().readTree(answer).path("result").asText();
    return node1.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  @Test
  void aTransactionIsOneTraceFromItsCallOverBothNodesToTheConfirmedBlock() throws Exception {
    var receipt = send("01");

    // Whatever is sent again is in it, too; what has not ended yet is told later.
    await().atMost(PATIENCE).untilAsserted(() -> assertIsOneTrace(collector.spans(), receipt));
    network.close();

    assertThat(collector.spans().toString()).doesNotContain("a-private-word");
  }

  private void assertIsOneTrace(List<Seen> spans, JsonNode receipt) {
    assertThat(spans).allSatisfy(span -> assertThat(span.trace()).isEqualTo(TRACE));
    assertThat(spans).extracting(Seen::instance).contains("node1", "node2");
    var known = ids(spans);
    known.add(CALLER);
    assertThat(known).hasSize(spans.size() + 1);
    assertThat(spans).allSatisfy(span -> assertThat(known).contains(span.parent()));

    var call = one(spans, "ptx_sendTransaction", SpanKind.SPAN_KIND_SERVER);
    assertThat(call.parent()).isEqualTo(CALLER);
    assertThat(call.text("rpc.system")).isEqualTo("jsonrpc");
    var whole = one(spans, "private transaction", SpanKind.SPAN_KIND_INTERNAL);
    assertThat(whole.parent()).isEqualTo(call.id());
    assertThat(whole.text("sequitur.transaction.id")).isEqualTo(receipt.get("id").asText());
    assertThat(whole.text("sequitur.contract.address")).isEqualTo(contract);
    long block = receipt.get("blockNumber").asLong();
    assertThat(whole.number("sequitur.block.height")).isEqualTo(block);
    assertThat(whole.span().getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_OK);
    var delegated = all(spans, "DelegationCommand", SpanKind.SPAN_KIND_CLIENT);
    follow(delegated, List.of(whole));
    var taken = all(spans, "DelegationCommand", SpanKind.SPAN_KIND_SERVER);
    follow(taken, delegated);
    var coordinated = all(spans, "coordinate", SpanKind.SPAN_KIND_INTERNAL);
    follow(coordinated, taken);
    for (var asked : List.of("AssembleRequest", "RequestDispatchConfirmation")) {
      var clients = all(spans, asked, SpanKind.SPAN_KIND_CLIENT);
      follow(clients, coordinated);
      var servers = all(spans, asked, SpanKind.SPAN_KIND_SERVER);
      follow(servers, clients);
      assertThat(servers).extracting(Seen::instance).containsOnly("node1");
    }
    assertThat(all(spans, "EndorsementRequest", SpanKind.SPAN_KIND_SERVER))
        .extracting(Seen::instance)
        .contains("node1", "node2");
    all(spans, "StateDistribution", SpanKind.SPAN_KIND_SERVER);
    var submitted = all(spans, "submit", SpanKind.SPAN_KIND_INTERNAL);
    follow(submitted, coordinated);
    assertThat(submitted)
        .anySatisfy(span -> assertThat(span.number("sequitur.block.height")).isEqualTo(block));
  }

  private static void follow(List<Seen> spans, List<Seen> parents) {
    assertThat(ids(parents)).containsAll(spans.stream().map(Seen::parent).toList());
  }

  private static Set<String> ids(List<Seen> spans) {
    return spans.stream().map(Seen::id).collect(Collectors.toSet());
  }

  private static Seen one(List<Seen> spans, String name, SpanKind kind) {
    var found = all(spans, name, kind);
    assertThat(found).as(name + " " + kind + " of " + names(spans)).hasSize(1);
    return found.get(0);
  }

  private static List<Seen> all(List<Seen> spans, String name, SpanKind kind) {
    var found =
        spans.stream().filter(span -> span.name().equals(name) && span.kind() == kind).toList();
    assertThat(found).as(name + " " + kind + " of " + names(spans)).isNotEmpty();
    return found;
  }

  private static List<String> names(List<Seen> spans) {
    return spans.stream()
        .map(span -> span.instance() + " " + span.name() + " " + span.kind())
        .sorted()
        .toList();
  }

  @Test
  void whatItsCallerDoesNotSampleIsNotTold() throws Exception {
    send("00");
    network.close();

    assertThat(new HashSet<>(collector.spans())).isEmpty();
  }

  @Test
  void aCallThatLooksForItsGroupFirstAndOneOverAWebSocketAreInTheirCallersTraceToo()
      throws Exception {
    var group = node1.result("pgroup_getGroupByAddress", "['" + contract + "']").get("id").asText();
    var call =
        call(
            "pgroup_sendTransaction",
            "{'domain':'record','group':'"
                + group
                + "','from':'alice','function':'increment','input':{'key':'other','by':1}}");
    receipt(post(call, "01"));
    receipt(overWebSocket(call));

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var spans = collector.spans();
              var calls = all(spans, "pgroup_sendTransaction", SpanKind.SPAN_KIND_SERVER);
              assertThat(calls).extracting(Seen::parent).containsExactly(CALLER, CALLER);
              assertThat(all(spans, "private transaction", SpanKind.SPAN_KIND_INTERNAL))
                  .extracting(Seen::parent)
                  .containsExactlyInAnyOrderElementsOf(ids(calls));
            });
  }

  private String overWebSocket(String text) throws Exception {
    var answer = new CompletableFuture<String>();
    var listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            answer.complete(data.toString());
            return null;
          }
        };
    var url = network.nodes().get(0).url().replaceFirst("http", "ws") + "/ws";
    var socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
            .buildAsync(URI.create(url), listener)
            .join();
    socket.sendText(text, true).join();
    var told = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    socket.abort();
    return told;
  }
}

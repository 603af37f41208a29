package dev.sequitur.node.rpc;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.cluster.tls.WatchedCertificates;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.Transport.Link;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator and an orchestrator are told of the node; each reason alone. */
class HealthTest {
  private final RunningRpc rpc = RunningRpc.withDefaults();

  @TempDir private Path directory;

  @BeforeEach
  void withPeers() {
    rpc.node.links =
        Map.of(
            new NodeName("node2"), new Link(true, ""), new NodeName("node3"), new Link(true, ""));
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void aNodeThatLacksNothingIsUpLiveAndReady() {
    assertCodes(200, 200, 200);
    var health = health();
    assertThat(health.get("status").textValue()).isEqualTo("UP");
    assertThat(health.get("troubles")).isEmpty();
  }

  @Test
  void aStoreThatCannotWriteMakesTheNodeUnreadyAndARestartWouldNotHelp() {
    rpc.node
        .store()
        .hinderBy(
            () -> completedFuture(Optional.of(new Hindrance("The disk is full: free it.", false))));
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready")).containsExactly("The disk is full: free it.");
    assertThat(troubles("/health/live")).isEmpty();
    assertThat(health().get("status").textValue()).isEqualTo("DOWN");
  }

  @Test
  void aStoreThatOnlyARestartMendsMakesTheNodeUnreadyAndNotLive() {
    rpc.node
        .store()
        .hinderBy(
            () -> completedFuture(Optional.of(new Hindrance("It must be opened anew.", true))));
    assertCodes(503, 503, 503);
    assertThat(troubles("/health/live")).containsExactly("It must be opened anew.");
  }

  @Test
  void aStoreThatDoesNotAnswerMakesTheNodeUnreadyOnly() {
    rpc.node.store().hinderBy(FakeSequencerNode::never);
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready").get(0)).contains("has not answered");
  }

  @Test
  void aLedgerThatIsAwayMakesTheNodeUnreadyOnly() {
    rpc.node.ledger().reachable = false;
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready").get(0)).contains("cannot be reached", "ledger.remote");
  }

  @Test
  void aLedgerThatLacksWhatTheNodeHasActedUponMakesTheNodeUnreadyOnly() {
    rpc.node.parted = Optional.of("The base ledger has replaced final blocks, 8 to 10.");
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready"))
        .containsExactly("The base ledger has replaced final blocks, 8 to 10.");
  }

  @Test
  void entitiesThatCannotBeLoadedMakeTheNodeUnreadyOnly() {
    rpc.node.notRecovered = Optional.of("1 of this node's entities cannot be loaded.");
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready"))
        .containsExactly("1 of this node's entities cannot be loaded.");
  }

  @Test
  void entitiesThatNobodyFindsMakeTheNodeUnreadyOnly() {
    rpc.node.undealt =
        () -> completedFuture(Optional.of("No JVM of the node deals out the shards of sender."));
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready"))
        .containsExactly("No JVM of the node deals out the shards of sender.");
  }

  /** It may be about to answer: that it does not is no trouble by itself. */
  @Test
  void whoDoesNotSayWhetherEntitiesAreFoundIsNoTrouble() {
    rpc.node.undealt = FakeSequencerNode::never;
    assertCodes(200, 200, 200);
  }

  @Test
  void aJvmOutsideItsClusterIsUnreadyOnly() {
    rpc.node.member = false;
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready").get(0)).contains("not in the cluster of its node");
  }

  @Test
  void aNodeThatIsFarBehindTheLedgerIsUnreadyOnly() {
    // A block counts only with one upon it, and the node has read eight.
    rpc.node.ledger().head = new BlockHeight(109);
    assertCodes(200, 200, 200);
    rpc.node.ledger().head = new BlockHeight(110);
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready").get(0)).contains("101 blocks", "health.blocks-behind");
  }

  /** CHN-3. */
  @Test
  void aLedgerThatTellsOfLessThanWasReadMakesTheNodeUnreadyOnly() {
    rpc.node.height = new BlockHeight(1_000);
    rpc.node.ledger().head = new BlockHeight(900);
    assertCodes(200, 200, 200);
    rpc.node.ledger().head = new BlockHeight(899);
    assertCodes(503, 200, 503);
    assertThat(troubles("/health/ready").get(0)).contains("899", "1000", "backup");
  }

  @Test
  void aCertificateThatEndsSoonIsARemarkAndOneThatHasEndedATrouble() throws IOException {
    assertThat(ofCertificate(Duration.ofDays(13)).at("/status").textValue()).isEqualTo("UP");
    assertThat(ofCertificate(Duration.ofDays(13)).at("/remarks/0").textValue())
        .contains("rpc.tls.certificate", "ends on");
    assertThat(ofCertificate(Duration.ofDays(-1)).at("/status").textValue()).isEqualTo("DEGRADED");
    assertThat(ofCertificate(Duration.ofDays(-1)).at("/troubles/0").textValue())
        .contains("rpc.tls.certificate", "has ended");
  }

  private JsonNode ofCertificate(Duration left) throws IOException {
    var now = Instant.now();
    var name = new NodeName("node1");
    var files = Certificates.files(directory, name);
    Certificates.writeNetwork(
        directory, List.of(name), new Validity(now.minus(Duration.ofDays(30)), now.plus(left)));
    var own =
        OwnCertificate.of(
            OwnCertificate.Use.RPC,
            "rpc.tls.certificate",
            new ServerFiles(files.certificate(), files.privateKey(), Optional.empty()));
    var watched = new WatchedCertificates(List.of(own), () -> now.minus(Duration.ofDays(29)));
    try (var other = RunningRpc.of(watched)) {
      return RunningRpc.parse(other.send(HttpRequest.newBuilder(other.uri("/health"))).body());
    }
  }

  @Test
  void whoHoldsKeysAndDoesNotSignIsARemark() {
    rpc.node.remarksOfKeys = List.of("The signer is silent.");

    assertThat(health().at("/status").textValue()).isEqualTo("UP");
    assertThat(health().at("/remarks/0").textValue()).isEqualTo("The signer is silent.");
  }

  /** FND-4. */
  @Test
  void moneyThatRunsOutIsARemarkAndWaitingForItATrouble() {
    rpc.node.gas = gas(GasReport.Status.RUNS_OUT);
    assertThat(health().get("status").textValue()).isEqualTo("UP");
    assertThat(health().get("remarks").get(0).textValue()).isEqualTo("Send money.");

    rpc.node.gas = gas(GasReport.Status.WAITS_FOR_GAS_MONEY);
    assertCodes(200, 200, 200);
    assertThat(health().get("status").textValue()).isEqualTo("DEGRADED");
    assertThat(health().get("troubles").get(0).textValue()).isEqualTo("Send money.");
  }

  private static GasReport gas(GasReport.Status status) {
    return new GasReport(status, Optional.empty(), BigInteger.ZERO, 1, 1, 1, "Send money.");
  }

  @Test
  void whyTheLedgerIsNotReadIsToldOnce() {
    rpc.node.ledger().remarks = List.of("The node at a is down.", "There is no factory.");
    rpc.node.unread = Optional.of("Nothing was read since 10:00: The node at a is down.");

    assertThat(health().get("remarks").toString())
        .isEqualTo(
            "[\"Nothing was read since 10:00: The node at a is down.\",\"There is no factory.\"]");
  }

  @Test
  void aPeerThatIsAwayIsToldByItsNameAndMakesNobodyUnready() {
    rpc.node.links =
        Map.of(
            new NodeName("node2"),
            new Link(true, ""),
            new NodeName("node3"),
            new Link(false, "connection refused"));
    assertCodes(200, 200, 200);
    var health = health();
    assertThat(health.get("status").textValue()).isEqualTo("DEGRADED");
    assertThat(health.get("troubles").get(0).textValue())
        .contains("no connection to node node3", "connection refused");
    assertThat(health.get("peers").toString())
        .isEqualTo(
            "[{\"node\":\"node2\",\"link\":\"connected\"},"
                + "{\"node\":\"node3\",\"link\":\"not connected\","
                + "\"trouble\":\"connection refused\"}]");
  }

  @Test
  void whatTroublesTheSchedulesIsToldAndMakesNobodyUnready() {
    rpc.scheduler.troubles = List.of("Checkpoints cannot be written: free the disk.");
    assertCodes(200, 200, 200);
    assertThat(health().get("status").textValue()).isEqualTo("DEGRADED");
  }

  @Test
  void healthAndMetricsHaveAPortOfTheirOwnWhereNothingCanBeCalled() {
    int port = rpc.server.healthAddress().orElseThrow().getPort();
    var own = URI.create("http://127.0.0.1:" + port + "/");
    assertThat(rpc.send(HttpRequest.newBuilder(own.resolve("/health/ready"))).statusCode())
        .isEqualTo(200);
    assertThat(rpc.send(HttpRequest.newBuilder(own.resolve("/metrics"))).body())
        .contains("sequitur_of_the_node");
    var call =
        HttpRequest.newBuilder(own)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    RunningRpc.request("transport_nodeName", "[]").toString()));
    assertThat(rpc.send(call).statusCode()).isEqualTo(404);
  }

  /** A web page could have made the name its own, to read here what is of no other origin. */
  @Test
  void thePortOfHealthIsCalledByTheNodesNamesOnly() throws IOException {
    assertThat(healthCalledAs("evil.example")).startsWith("HTTP/1.1 403").contains("host-names");
    assertThat(healthCalledAs("localhost")).startsWith("HTTP/1.1 200");
    assertThat(healthCalledAs("10.1.2.3")).startsWith("HTTP/1.1 200");
  }

  private String healthCalledAs(String host) throws IOException {
    int port = rpc.server.healthAddress().orElseThrow().getPort();
    try (var socket = new Socket("127.0.0.1", port)) {
      var request = "GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void assertCodes(int all, int live, int ready) {
    assertThat(List.of(code("/health"), code("/health/live"), code("/health/ready")))
        .as("all, live, ready")
        .containsExactly(all, live, ready);
  }

  private int code(String path) {
    return rpc.send(HttpRequest.newBuilder(rpc.uri(path))).statusCode();
  }

  private JsonNode health() {
    return RunningRpc.parse(rpc.send(HttpRequest.newBuilder(rpc.uri("/health"))).body());
  }

  private List<String> troubles(String path) {
    var body = RunningRpc.parse(rpc.send(HttpRequest.newBuilder(rpc.uri(path))).body());
    var sentences = new ArrayList<String>();
    body.get("troubles").forEach(sentence -> sentences.add(sentence.textValue()));
    return sentences;
  }
}

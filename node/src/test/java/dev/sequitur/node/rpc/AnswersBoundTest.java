package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A short request does not make a long answer without end. */
class AnswersBoundTest {
  private static final int MOST = 1 << 20;
  private static final String DISCOVER = RunningRpc.request("rpc.discover", "[]").toString();

  private static final String RESOLVE =
      RunningRpc.request(
              "ptx_resolveVerifier", "[\"carol@node2\", \"ecdsa:secp256k1\", \"eth_address\"]")
          .toString();

  private RunningRpc rpc;

  @BeforeEach
  void start() {
    start(MOST);
  }

  private void start(int most) {
    rpc =
        new RunningRpc(
            RpcSettings.loopback(0)
                .withLimits(
                    new RpcSettings.Limits(1 << 20, 500, 10, 100, 800, 64, 64, 3, 10, most)));
  }

  @AfterEach
  void stop() {
    rpc.close();
  }

  private String post(List<String> batch) {
    return rpc.exchange(BodyPublishers.ofString("[" + String.join(",", batch) + "]")).body();
  }

  /** Of answers that are being made. */
  private double heldBytes() {
    var name = "sequitur_rpc_answers_bytes ";
    try (var client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(rpc.uri("/metrics")).build(), BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theAnswersOfABatchHaveABoundTogetherAndTheRestIsRefused() {
    var answer = post(Collections.nCopies(500, DISCOVER));

    assertThat(heldBytes()).as("given back").isZero();
    // An error has less than 500 bytes.
    assertThat(answer.length()).isLessThan(MOST + 500 * 500);
    var responses = RunningRpc.parse(answer);
    assertThat(responses).hasSize(500);
    assertThat(responses.get(0).at("/result/openrpc").isTextual()).isTrue();
    assertThat(responses.get(499).at("/error/message").textValue())
        .startsWith("SQ010109: rpc.discover was not begun")
        .endsWith("Send it again in another batch.");
  }

  /** Whoever reads slowly has it in the node's memory until then. */
  @Test
  void aLongAnswerCountsUntilItIsWrittenToItsReaderOrTheConnectionHasEnded() throws IOException {
    stop();
    start(64 << 20);

    try (var slow = asks(40)) {
      assertThat(slow.getInputStream().read()).isEqualTo('H');
      assertThat(heldBytes()).isGreaterThan(MOST);
      slow.getInputStream().readAllBytes();
      assertThat(heldBytes()).isZero();
    }
    try (var leaving = asks(40)) {
      assertThat(leaving.getInputStream().read()).isEqualTo('H');
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> heldBytes() == 0);
  }

  /** Its answer has more than buffers of connections take. */
  private Socket asks(int discoveries) throws IOException {
    var body = "[" + String.join(",", Collections.nCopies(discoveries, DISCOVER)) + "]";
    var socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.connect(new InetSocketAddress(rpc.uri("/").getHost(), rpc.uri("/").getPort()));
    socket
        .getOutputStream()
        .write(
            "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(body.length(), body)
                .getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  @Test
  void whatComesAfterAnAnswerWithoutRoomIsNotDone() {
    var batch = new ArrayList<>(Collections.nCopies(20, DISCOVER));
    batch.add(RunningRpc.request("ptx_createReceiptListener", "[{\"name\":\"late\"}]").toString());

    var responses = RunningRpc.parse(post(batch));

    assertThat(responses.get(20).at("/error/data/code").textValue()).isEqualTo("SQ010109");
    assertThat(rpc.result("ptx_getReceiptListener", "[\"late\"]").isNull()).isTrue();
  }

  @Test
  void oneAnswerHasTheSameBound() {
    stop();
    start(1_000);

    assertThat(rpc.error("rpc.discover", "[]").get("message").textValue())
        .startsWith("SQ010109: The answer of rpc.discover has no room in 1000 bytes");
    assertThat(rpc.result("transport_nodeName", "[]").textValue()).isEqualTo("node1");
  }

  /** Whoever may operate looks within the same bound, and gets all of it in more answers. */
  @Test
  void whatHasEndedIsAnsweredInFewerLinesIfItIsLong() {
    rpc.node.store().age();
    var whole = rpc.result("node_endedTransactions", "[]").get("lines");
    stop();
    start(whole.toString().length());
    rpc.node.store().age();

    var numbers = new ArrayList<String>();
    int answers = 0;
    var next = "";
    do {
      var page = rpc.result("node_endedTransactions", "[" + next + "]");
      page.get("lines").forEach(line -> numbers.add(line.get("sequence").asText()));
      next = page.path("next").asText();
      answers++;
    } while (!next.isEmpty());

    assertThat(answers).isGreaterThan(1);
    assertThat(numbers).isEqualTo(whole.findValuesAsText("sequence"));
  }

  @Test
  void aLineThatIsTooLongByItselfIsRefused() {
    stop();
    start(300);
    rpc.node.store().age();

    assertThat(rpc.error("node_endedTransactions", "[]").get("message").textValue())
        .startsWith("SQ010109: The answer of node_endedTransactions has no room in 300 bytes");
  }

  @Test
  void whatWasDoneIsAnsweredThoughThereIsNoRoom() {
    stop();
    start(30);

    assertThat(rpc.result("ptx_createReceiptListener", "[{\"name\":\"a\"}]").booleanValue())
        .isTrue();
  }

  /** A caller that is refused sends again, and has it twice. */
  @Test
  void afterALargeReadWhatWasDoneHasItsAnswer() {
    int whole = Bytes.utf8(post(List.of(DISCOVER))).size();
    stop();
    start(whole);
    var transaction =
        "[{\"type\":\"private\",\"from\":\"alice@node1\",\"to\":\"%s\",\"function\":\"transfer\",\"data\":{\"to\":\"bob@node2\",\"amount\":\"1\"}}]"
            .formatted(Sample.CONTRACT);
    var submit = RunningRpc.request("ptx_sendTransaction", transaction).toString();

    var responses = RunningRpc.parse(post(List.of(DISCOVER, submit)));

    assertThat(responses.get(0).has("result")).isTrue();
    var id = responses.get(1).path("result").textValue();
    assertThat(id).as(responses.get(1).toString()).isNotNull();
    assertThat(rpc.result("ptx_getTransaction", "[\"" + id + "\"]").has("id")).isTrue();
  }

  /** Whoever wrote them, and whoever asks for them. */
  @Test
  void longRowsAreRefusedBeforeAnAnswerIsMadeOfThem() {
    acceptLongOnes();

    for (var method : List.of("ptx_queryTransactions", "ptx_queryPendingTransactions")) {
      assertThat(rpc.error(method, "[{\"limit\":40}]").get("message").textValue())
          .startsWith("SQ010109: What the query has found has more than 1048576 bytes together");
      assertThat(rpc.result(method, "[{\"limit\":5}]")).hasSize(5);
      assertThat(heldBytes()).as("given back").isZero();
    }
  }

  /** Each of 50 kB. */
  private void acceptLongOnes() {
    for (int i = 0; i < 40; i++) {
      var small = Sample.intent(Sample.id(200 + i), null, SubmitMode.AUTO);
      var transaction = small.privately().orElseThrow();
      var large =
          transaction
              .with()
              .inputs(Bytes.utf8("{\"memo\":\"" + "x".repeat(50_000) + "\"}"))
              .submitMode(SubmitMode.AUTO)
              .dependsOn(List.of())
              .build();
      rpc.node
          .store()
          .accept(
              List.of(new Intent(0, small.created(), Optional.empty(), small.bodyHash(), large)));
    }
  }

  @Test
  void ofLongDescriptionsOnlyThoseAreReadThatAreAnswered() {
    var padding = "\"" + "x".repeat(50_000) + "\"";
    for (int i = 0; i < 40; i++) {
      var described =
          "[[{\"type\":\"error\",\"name\":\"E%d\",\"inputs\":[],\"padding\":%s}]]"
              .formatted(i, padding);
      rpc.result("ptx_storeABI", described);
    }
    int before = rpc.node.store().abisRead();

    assertThat(rpc.result("ptx_queryStoredABIs", "[{\"limit\":5}]")).hasSize(5);
    assertThat(rpc.node.store().abisRead() - before).isEqualTo(5);
    assertThat(rpc.error("ptx_queryStoredABIs", "[{\"limit\":40}]").get("message").textValue())
        .startsWith("SQ010109: What the query has found has more than 1048576 bytes together");
    assertThat(rpc.node.store().abisRead() - before).isLessThan(5 + 30);

    // The first that was stored is the last that is looked into.
    var selector = Digests.keccak256(Bytes.utf8("E0()")).toString().substring(0, 10);
    for (int i = 0; i < 2; i++) {
      assertThat(
              rpc.result("ptx_decodeError", "[\"" + selector + "\"]").get("signature").textValue())
          .isEqualTo("E0()");
    }
  }

  @Test
  void whatTheCallsOfABatchHaveFoundHasTheBoundTogetherUntilItIsAnswered() throws Exception {
    acceptLongOnes();
    var others = new CompletableFuture<Void>();
    var begun = new CompletableFuture<Void>();
    rpc.node.statusOutcome = () -> others;
    rpc.node.verifierOutcome =
        () -> {
          begun.complete(null);
          return CompletableFuture.completedFuture(Sample.VERIFIER);
        };
    var found = RunningRpc.request("ptx_queryTransactionsFull", "[{\"limit\":6}]").toString();
    var batch = List.of(found, found, RESOLVE);

    var answer = CompletableFuture.supplyAsync(() -> post(batch));
    begun.get(60, TimeUnit.SECONDS);
    others.complete(null);

    var responses = RunningRpc.parse(answer.get(60, TimeUnit.SECONDS));
    assertThat(responses.get(0).path("result")).as(responses.get(0).toString()).hasSize(6);
    assertThat(responses.get(1).at("/error/message").textValue())
        .startsWith("SQ010109: What the query and others of its batch have found has more than");
    assertThat(rpc.result("ptx_queryTransactionsFull", "[{\"limit\":6}]")).hasSize(6);
  }

  @Test
  void whatACallHadFoundThatWasRefusedTakesNoRoomOfOthers() {
    acceptLongOnes();
    var method = "ptx_queryTransactions";
    var tooMuch = RunningRpc.request(method, "[{\"limit\":40}]").toString();
    var some = RunningRpc.request(method, "[{\"limit\":4}]").toString();

    var responses = RunningRpc.parse(post(List.of(tooMuch, some, some)));

    assertThat(responses.get(0).has("error")).isTrue();
    assertThat(responses.get(1).get("result")).hasSize(4);
    assertThat(responses.get(2).get("result")).hasSize(4);
  }

  /** Also once the first of them have ended. */
  @Test
  void ofABatchAtMostEightCallsLookAtOnce() throws Exception {
    var looking = new LinkedBlockingQueue<CompletableFuture<Verifier>>();
    rpc.node.verifierOutcome =
        () -> {
          var one = new CompletableFuture<Verifier>();
          looking.add(one);
          return one;
        };
    var batch = Collections.nCopies(20, RESOLVE);

    var answer = CompletableFuture.supplyAsync(() -> post(batch));

    var begun = new ArrayDeque<CompletableFuture<Verifier>>();
    for (int ended = 0; ended < 20; ended++) {
      while (begun.size() < Math.min(8, 20 - ended)) {
        begun.add(looking.poll(60, TimeUnit.SECONDS));
      }
      assertThat(looking).as("after %d have ended", ended).isEmpty();
      // What begins next does so before this returns.
      begun.remove().complete(Sample.VERIFIER);
    }
    assertThat(RunningRpc.parse(answer.get(60, TimeUnit.SECONDS)))
        .hasSize(20)
        .allSatisfy(each -> assertThat(each.has("result")).isTrue());
  }

  @Test
  void manyCallsThatLookAreAnsweredInTheirOrder() {
    var batch = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      batch.add(
          RunningRpc.request("ptx_queryTransactions", "[{\"limit\":1}]").put("id", i).toString());
    }

    var responses = RunningRpc.parse(post(batch));

    for (int i = 0; i < 100; i++) {
      assertThat(responses.get(i).get("id").intValue()).isEqualTo(i);
      assertThat(responses.get(i).has("result")).isTrue();
    }
  }
}

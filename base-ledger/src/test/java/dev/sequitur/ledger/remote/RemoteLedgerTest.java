package dev.sequitur.ledger.remote;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.Intent;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteLedgerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TestNetwork network =
      new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT.withPoolCapacity(2_000));
  private final LedgerServer server =
      LedgerServer.start(network.ledger, LedgerServerSettings.loopback(0).withRehearsals(true));
  private final RemoteLedger remote = RemoteLedger.at(server.uri(), Optional.empty(), executor);

  @AfterEach
  void close() {
    remote.close();
    server.close();
    network.close();
    executor.shutdownNow();
  }

  @Test
  void everyCallAnswersAsTheLedgerDoes() {
    var deploy = ALICE.signed(0, TestNetwork.deployment());
    var flawed = ALICE.signed(-1, TestNetwork.deployment());

    assertThat(now(remote.submit(List.of(deploy, flawed))))
        .isEqualTo(now(network.ledger.submit(List.of(deploy, flawed))));
    assertThat(now(remote.head())).isEqualTo(BlockHeight.ZERO);
    var block = network.cut();

    assertThat(now(remote.nonce(ALICE.address()))).isEqualTo(1);
    assertThat(now(remote.receipt(deploy.hash()))).contains(block.receipts().get(0));
    assertThat(now(remote.receipt(new TransactionHash(new Hash(0, 0, 0, 0))))).isEmpty();
    assertThat(now(remote.transaction(deploy.hash()))).contains(deploy.transaction());
    assertThat(now(remote.transaction(new TransactionHash(new Hash(0, 0, 0, 0))))).isEmpty();
    awaitHead(1);
    assertThat(now(remote.blocks(BlockHeight.ZERO, 10))).containsExactly(block);
    assertThat(now(remote.blocks(new BlockHeight(2), 10))).isEmpty();
  }

  /** Agrees to a checkpoint, and is told that a block is gone. */
  @Test
  void whatIsSaidOfCheckpointsTravels() {
    var settings =
        LedgerSettings.DEFAULT
            .withFinalityDepth(0)
            .withCheckpointEvery(2)
            .withReaders(Map.of("sally", SALLY.address()))
            .withKeep(Optional.of(0L));
    try (var dropping = new TestNetwork(LedgerStorage.inMemory(), settings);
        var serving = LedgerServer.start(dropping.ledger, LedgerServerSettings.loopback(0));
        var reader = RemoteLedger.at(serving.uri(), Optional.empty(), executor)) {
      for (int i = 0; i < 3; i++) {
        dropping.cut();
      }
      var carrier = dropping.blocks().getLast();
      var checkpoint =
          new Checkpoint(new BlockHeight(2), carrier.hash(), carrier.checkpoint().orElseThrow());
      var words = reader.checkpoints().orElseThrow();

      assertThat(now(words.agree(Agreement.by(SALLY.signer(), checkpoint, BaseLedger.LOCAL_CHAIN))))
          .isEqualTo(Answer.AGREED);
      assertThat(now(words.standing()))
          .isEqualTo(now(dropping.ledger.checkpoints().orElseThrow().standing()));
      dropping.cut();

      assertThat(now(reader.blocks(new BlockHeight(3), 1))).containsExactly(carrier);
      assertThatThrownBy(() -> now(reader.blocks(new BlockHeight(2), 1)))
          .hasCauseInstanceOf(BlocksDroppedException.class)
          .hasMessageContaining("all blocks below 3");
    }
  }

  @Test
  void manyTransactionsGoInSeveralRequestsAndStayInOrder() {
    var many =
        LongStream.range(0, 1_201)
            .mapToObj(nonce -> SALLY.signed(nonce, TestNetwork.deployment()))
            .toList();

    assertThat(now(remote.submit(many)))
        .extracting(SubmitOutcome::hash)
        .isEqualTo(many.stream().map(SignedLedgerTransaction::hash).toList());
    assertThat(network.ledger.poolSize()).isEqualTo(1_201);
  }

  @Test
  void aRehearsedRevertTravels() {
    var contract = network.deployed();
    var transaction =
        SALLY.signed(0, Intent.on(contract, "a").makes("x").endorsedBy(ALICE, BOB, CAROL));
    now(remote.submit(List.of(transaction), Map.of(transaction.hash(), Set.of(0))));
    network.cut();

    assertThat(network.result(transaction)).isInstanceOf(Reverted.class);
  }

  @Test
  void aServerWithoutRehearsalsRefusesThem() {
    try (var strict = LedgerServer.start(network.ledger, LedgerServerSettings.loopback(0));
        var client = RemoteLedger.at(strict.uri(), Optional.empty(), executor)) {
      var deploy = ALICE.signed(0, TestNetwork.deployment());

      assertThatThrownBy(
              () -> now(client.submit(List.of(deploy), Map.of(deploy.hash(), Set.of(0)))))
          .hasCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rehearsals");
      assertThat(network.ledger.poolSize()).isZero();
    }
  }

  @Test
  void theHeadIsFollowedWithoutBeingAskedForAgain() {
    assertThat(now(remote.head())).isEqualTo(BlockHeight.ZERO);
    network.cut();
    awaitHead(1);
    network.cut();
    network.cut();
    awaitHead(3);
  }

  @Test
  void aLedgerThatIsGoneIsUnreachableAndWhenItIsBackEverythingGoesOn() throws Exception {
    network.cut();
    assertThat(now(remote.head())).isEqualTo(new BlockHeight(1));
    int port = server.uri().getPort();
    server.close();
    awaitUnreachable();

    try (var again = LedgerServer.start(network.ledger, LedgerServerSettings.loopback(port))) {
      assertThat(again.uri()).isEqualTo(server.uri());
      network.cut();
      awaitHead(2);
    }
  }

  @Test
  void aClosedConnectionSaysSo() {
    remote.close();

    assertThatThrownBy(() -> now(remote.head()))
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void whatIsNoLedgerIsToldApart() {
    var elsewhere =
        RemoteLedger.at(server.uri().resolve("/elsewhere/"), Optional.empty(), executor);
    // the path of the address is not used: the calls' own paths are absolute
    assertThat(now(elsewhere.head())).isEqualTo(BlockHeight.ZERO);
    elsewhere.close();
  }

  @Test
  void badRequestsAreRefusedWithASentenceAndTheServerGoesOn() throws Exception {
    assertRefused("/ledger/nonce", new byte[0], 400);
    assertRefused("/ledger/nonce", new byte[] {9, 1, 2}, 400);
    assertRefused("/ledger/submit", new byte[] {1, 127, 127, 127, 127}, 400);
    assertRefused("/ledger/blocks", new byte[] {1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 400);
    assertRefused("/ledger/nothing", new byte[0], 404);
    assertRefused("/ledger/nonce/deeper", new byte[0], 404);
    assertRefused("/ledger/submit", new byte[LedgerCall.MAX_REQUEST + 1], 413);
    var random = new Random(1);
    for (int i = 0; i < 50; i++) {
      var garbage = new byte[random.nextInt(300)];
      random.nextBytes(garbage);
      assertRefused("/ledger/submit", garbage, 400);
    }

    assertThat(now(remote.nonce(ALICE.address()))).isZero();
    assertThat(network.ledger.poolSize()).isZero();
  }

  @Test
  void onlyPostIsServed() throws Exception {
    var request = HttpRequest.newBuilder(server.uri().resolve("/ledger/head")).GET().build();

    assertThat(send(request).statusCode()).isEqualTo(405);
  }

  @Test
  void aLongWaitEndsWithTheServer() throws Exception {
    var waiting = new CountDownLatch(1);
    var body = LedgerCall.HEAD.ask(new LedgerCall.HeadAfter(BlockHeight.ZERO, Integer.MAX_VALUE));
    HttpClient.newHttpClient()
        .sendAsync(post("/ledger/head", body), HttpResponse.BodyHandlers.discarding())
        .whenComplete((response, failure) -> waiting.countDown());
    // the JDK's server forgets a connection it is just accepting when it stops
    await().atMost(PATIENCE).until(() -> server.waitingCalls() == 1);

    server.close();

    assertThat(waiting.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void itListensOnThisMachineOnlyUnlessToldOtherwise() {
    assertThat(LedgerServerSettings.loopback(0).address().getAddress().isLoopbackAddress())
        .isTrue();
  }

  @Test
  void aPortThatIsTakenIsSaidInASentence() {
    assertThatThrownBy(
            () ->
                LedgerServer.start(
                    network.ledger, LedgerServerSettings.loopback(server.uri().getPort())))
        .hasMessageContaining("cannot listen on");
  }

  private void assertRefused(String path, byte[] body, int status) throws Exception {
    var response = send(post(path, body));
    assertThat(response.statusCode()).as(path).isEqualTo(status);
    assertThat(response.body()).matches("(?s)[A-Z].*\\.|<h1>404.*");
  }

  private HttpRequest post(String path, byte[] body) {
    return HttpRequest.newBuilder(server.uri().resolve(path))
        .header("content-type", "application/octet-stream")
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private void awaitHead(long height) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(now(remote.head())).isEqualTo(new BlockHeight(height)));
  }

  private void awaitUnreachable() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> now(remote.head()))
                    .hasCauseInstanceOf(LedgerUnreachableException.class));
  }
}

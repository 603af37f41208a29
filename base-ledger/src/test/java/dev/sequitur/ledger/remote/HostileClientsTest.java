package dev.sequitur.ledger.remote;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.now;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.ledger.remote.LedgerServerSettings.Limits;
import dev.sequitur.protocol.id.BlockHeight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Those who are slow, silent, many or no nodes at all. */
class HostileClientsTest {
  private static final String HALF_A_HEAD = "POST /ledger/nonce HTTP/1.1\r\nHost: ledger\r\n";
  private static final String HALF_A_BODY =
      HALF_A_HEAD + "Content-Type: application/octet-stream\r\nContent-Length: 33\r\n\r\n\u0001";
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TestNetwork network =
      new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT);
  private final List<Socket> sockets = new ArrayList<>();
  private LedgerServer server;
  private RemoteLedger remote;

  @AfterEach
  void close() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
    remote.close();
    server.close();
    network.close();
    executor.shutdownNow();
  }

  @Test
  void hundredHalfHeadsAndHalfBodiesKeepNobodyOut() throws Exception {
    start(Limits.DEFAULT);
    for (int i = 0; i < 50; i++) {
      connect("127.0.0.1", HALF_A_HEAD);
      connect("127.0.0.1", HALF_A_BODY);
    }
    await().atMost(PATIENCE).until(() -> server.openConnections() == 100);

    var nonce =
        remote
            .nonce(ALICE.address())
            .toCompletableFuture()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    assertThat(nonce).isZero();
  }

  @Test
  void oneAddressDoesNotTakeThePlacesOfTheOthers() throws Exception {
    start(new Limits(20, 4, LONG, LONG));
    for (int i = 0; i < 20; i++) {
      connect("127.0.0.2", HALF_A_HEAD);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> sockets.stream().filter(HostileClientsTest::isClosed).count() == 16);

    assertThat(now(remote.nonce(ALICE.address()))).isZero();
    assertThat(server.openConnections()).isEqualTo(5);
  }

  @Test
  void aCallIsRefusedWhileTooManyConnectionsMakeCalls() throws Exception {
    start(new Limits(2, 2, LONG, LONG));
    var body = LedgerCall.NONCE.ask(ALICE.address());
    var call =
        "POST /ledger/nonce HTTP/1.1\r\nHost: ledger\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    for (int i = 0; i < 2; i++) {
      assertThat(firstLine(connect("127.0.0.1", call), body)).contains("200");
    }

    var refused = connect("127.0.0.1", call);
    assertThat(firstLine(refused, body)).contains("503");
    sockets.getFirst().close();
    await().atMost(PATIENCE).until(() -> server.openConnections() == 2);

    assertThat(firstLine(connect("127.0.0.1", call), body)).contains("200");
  }

  private static String firstLine(Socket socket, byte[] body) throws IOException {
    socket.getOutputStream().write(body);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    var line = new StringBuilder();
    for (int read = socket.getInputStream().read(); read != '\n'; ) {
      line.append((char) read);
      read = socket.getInputStream().read();
    }
    return line.toString();
  }

  @Test
  void ofThoseWhoOnlyConnectTheOldestGoesForTheNext() throws Exception {
    start(new Limits(8, 8, LONG, LONG));
    for (int i = 2; i < 30; i++) {
      connect("127.0.0." + i, "");
    }

    await().atMost(PATIENCE).until(() -> server.openConnections() == 4);
    assertThat(now(remote.nonce(ALICE.address()))).isZero();
  }

  @Test
  void aHeadThatTricklesHasADeadline() throws Exception {
    start(new Limits(8, 8, Duration.ofMillis(300), LONG));
    var socket = connect("127.0.0.1", HALF_A_HEAD);

    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              trickle(socket);
              return isClosed(socket);
            });
    await().atMost(PATIENCE).until(() -> server.openConnections() == 0);
  }

  @Test
  void whoDoesNotReadItsAnswersHasADeadlineAndHoldsNothingAfterwards() throws Exception {
    // Within this time it must be seen to hold something.
    start(new Limits(8, 8, LONG, Duration.ofSeconds(5)));
    var large =
        LongStream.range(0, 200)
            .mapToObj(nonce -> ALICE.signed(nonce, TestNetwork.deploymentOf64Kilobytes()))
            .toList();
    now(network.ledger.submit(large));
    network.cut();
    var body = LedgerCall.BLOCKS.ask(new LedgerCall.BlocksFrom(new BlockHeight(1), 1));
    var head =
        "POST /ledger/blocks HTTP/1.1\r\nHost: ledger\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    var socket = connect("127.0.0.1", "");
    // One answer is larger than what a system keeps for a socket, so that it sticks in its middle.
    socket.setReceiveBufferSize(1 << 16);
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    socket.getOutputStream().write(body);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> server.heldBytes() > 200L << 16);

    await().atMost(PATIENCE).until(() -> server.openConnections() == 0 && server.heldBytes() == 0);
  }

  @Test
  void aCallOfAWebPageIsRefused() throws Exception {
    start(Limits.DEFAULT);

    assertThat(post("Origin", "http://attacker.example").statusCode()).isEqualTo(403);
    assertThat(post("Origin", "null").statusCode()).isEqualTo(403);
    assertThat(post("Origin", "http://127.0.0.1:8600").body()).contains("no web pages");
    assertThat(post("Content-Type", "text/plain").statusCode()).isEqualTo(415);
    assertThat(post("X-Other", "1").statusCode()).isEqualTo(200);
  }

  @Test
  void whatAClientHoldsIsGivenBackWhenItGoes() throws Exception {
    start(Limits.DEFAULT);
    for (int i = 0; i < 5; i++) {
      connect("127.0.0.1", HALF_A_BODY);
    }
    await().atMost(PATIENCE).until(() -> server.heldBytes() == 5 * 33);

    for (var socket : sockets) {
      socket.close();
    }

    await().atMost(PATIENCE).until(() -> server.heldBytes() == 0 && server.openConnections() == 0);
  }

  private void start(Limits limits) {
    server =
        LedgerServer.start(network.ledger, LedgerServerSettings.loopback(0).withLimits(limits));
    remote = RemoteLedger.at(server.uri(), Optional.empty(), executor);
  }

  private Socket connect(String from, String begin) throws IOException {
    var socket =
        new Socket(
            InetAddress.getByName("127.0.0.1"),
            server.uri().getPort(),
            InetAddress.getByName(from),
            0);
    sockets.add(socket);
    socket.setSoTimeout(1);
    try {
      socket.getOutputStream().write(begin.getBytes(US_ASCII));
    } catch (SocketException refusedAlready) {
      // which is what some tests are about
    }
    return socket;
  }

  private static void trickle(Socket socket) {
    try {
      socket.getOutputStream().write('X');
    } catch (IOException closed) {
      // told by isClosed
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private HttpResponse<String> post(String header, String value) throws Exception {
    var request =
        HttpRequest.newBuilder(server.uri().resolve("/ledger/nonce"))
            .header("Content-Type", "application/octet-stream")
            .setHeader(header, value)
            .POST(HttpRequest.BodyPublishers.ofByteArray(LedgerCall.NONCE.ask(ALICE.address())))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}

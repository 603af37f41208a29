package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.ChainRpc.Limits;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CHN-5: what stands before a chain's node may answer in its place, and is no node. */
final class GatewayAnswersTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer gateway;
  private ScriptedNode node;
  private volatile int status;
  private volatile String said;
  private volatile boolean stopsInTheMiddle;
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final AtomicInteger requests = new AtomicInteger();

  @BeforeEach
  void start() throws IOException {
    node = new ScriptedNode().grow(32, 1);
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext("/", this::answer);
    gateway.setExecutor(threads);
    gateway.start();
  }

  @AfterEach
  void stop() {
    goesOn.countDown();
    gateway.stop(0);
    threads.shutdownNow();
    node.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      requests.incrementAndGet();
      var bytes = said.getBytes(StandardCharsets.UTF_8);
      if (stopsInTheMiddle) {
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
        exchange.getResponseBody().flush();
        goesOn.await();
        return;
      }
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + gateway.getAddress().getPort());
  }

  private static ChainRpc rpc(Limits limits, URI... nodes) {
    return new ChainRpc(
        List.of(nodes), ChainRpc.KEY, ChainAccess.NONE, limits, ForkJoinPool.commonPool());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | {\"message\":\"Forbidden\"}",
        "429 | {\"error\":\"rate limit\"}",
        "502 | {\"error\":\"bad gateway\",\"id\":0}",
        "200 | {}",
        "200 | {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"0x1\"}",
        "200 | {\"jsonrpc\":\"2.0\",\"id\":0,\"error\":null}",
        "200 | [{\"result\":\"0x1\"}]",
      })
  void whatIsNoAnswerToTheCallIsNotTakenForOne(int itsStatus, String itsWords) {
    status = itsStatus;
    said = itsWords;

    var alone = rpc(Limits.DEFAULT, address());
    assertThatThrownBy(() -> alone.ask("eth_blockNumber").toCompletableFuture().join())
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("is no JSON-RPC of a chain (status " + itsStatus + ")");
    var pool = new ChainPool(alone, System::nanoTime);
    assertThatThrownBy(
            () ->
                pool.knows(new TransactionHash(new Hash(1, 2, 3, 4))).toCompletableFuture().join())
        .hasCauseInstanceOf(LedgerUnreachableException.class);
    var several = rpc(Limits.DEFAULT, address(), node.address());
    assertThat(several.ask("eth_chainId").toCompletableFuture().join().asText())
        .isEqualTo(ChainJson.hex(Anvil.CHAIN));
  }

  /** A node that cannot read a call names none. */
  @Test
  void anErrorWithoutAnIdIsTheAnswerToASingleCall() {
    status = 400;
    said = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}";

    assertThatThrownBy(
            () -> rpc(Limits.DEFAULT, address()).ask("eth_chainId").toCompletableFuture().join())
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .hasMessageContaining("refuses eth_chainId: no (-32700)");
  }

  /** CHN-7: else so many of them as may be under way stop all others. */
  @Test
  void halfAnAnswerIsNotWaitedForWithoutEnd() {
    status = 200;
    said = "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x1\"}";
    stopsInTheMiddle = true;
    var rpc = rpc(new Limits(5, 1, Duration.ofMillis(300)), address());

    assertThat(rpc.ask("eth_blockNumber").toCompletableFuture())
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("does not answer (nothing whole came within 300 ms)");
    stopsInTheMiddle = false;
    assertThat(rpc.ask("eth_blockNumber").toCompletableFuture())
        .as("its turn came back")
        .succeedsWithin(Duration.ofSeconds(20));
  }

  /** CHN-7. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500 | no        | 2",
        "502 | no        | 2",
        "503 | no        | 2",
        "200 | {\"id\":null,\"error\":{\"code\":-32005,\"message\":\"no more\"}} | 1",
        "200 | {\"id\":null,\"error\":{\"code\":-1,\"message\":\"Rate limit reached\"}} | 1",
      })
  void oneThatAnswersNotEvenOneCallIsNotAskedForFewerAgainAndAgain(
      int itsStatus, String itsWords, int most) {
    status = itsStatus;
    said = itsWords;
    var rpc = rpc(Limits.DEFAULT, address());

    assertThatThrownBy(() -> rpc.results(calls(100)).toCompletableFuture().join())
        .hasCauseInstanceOf(LedgerUnreachableException.class);
    assertThat(requests.get()).isEqualTo(most);
  }

  @Test
  void oneThatAnswersNothingInTimeIsGivenUpAfterOneCallAlone() {
    status = 200;
    said = "[]";
    stopsInTheMiddle = true;
    var rpc = rpc(new Limits(100, 1, Duration.ofMillis(300)), address());

    assertThat(rpc.results(calls(100)).toCompletableFuture())
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("does not answer");
    assertThat(requests.get()).isEqualTo(2);
  }

  @Test
  void whileNothingIsAnsweredTheSizeOfBatchesStays() {
    status = 503;
    said = "no";
    var rpc = rpc(Limits.DEFAULT, address());
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> rpc.results(calls(100)).toCompletableFuture().join())
          .hasCauseInstanceOf(LedgerUnreachableException.class);
    }

    assertThat(requests.get()).as("each time all together, and one alone").isEqualTo(6);
  }

  private static List<Call> calls(int howMany) {
    return IntStream.rangeClosed(1, howMany)
        .mapToObj(height -> Call.of("eth_getBlockByNumber", ChainJson.hex(height), false))
        .toList();
  }
}

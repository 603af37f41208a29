package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.node.rpc.method.WebhookKey;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens is sent to a receiver, signed, at least once, and only where that is allowed. */
class WebhookTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Receiver receiver = new Receiver();
  private final ScheduleCalls calls = calls(List.of("127.0.0.1/32"));
  private final RunningRpc rpc = calls.rpc();
  private int amount;

  private static ScheduleCalls calls(List<String> allowed) {
    var settings =
        new WebhookSettings(
            AllowedAddresses.of(allowed),
            true,
            8,
            2,
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofSeconds(5));
    var calls = new ScheduleCalls(new RunningRpc(RpcSettings.loopback(0).withWebhooks(settings)));
    calls.fund("alice", "100000");
    return calls;
  }

  @AfterEach
  void stop() {
    calls.close();
    receiver.close();
  }

  /** One that came, as it was sent. */
  private record Request(String id, long timestamp, String signature, byte[] body) {
    JsonNode json() {
      try {
        return RunningRpc.JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    long number() {
      return json().at("/event/number").asLong();
    }

    String schedule() {
      return json().at("/event/schedule").asText();
    }
  }

  /** A receiver on loopback, which answers as it is told. */
  private static final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Request> came = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Integer> answers = any -> 204;

    /** Whether an answer goes on until nobody takes it any more. */
    private volatile boolean isEndless;

    private final AtomicInteger cutOff = new AtomicInteger();

    Receiver() {
      try {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::take);
      server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
      try (exchange) {
        var headers = exchange.getRequestHeaders();
        var request =
            new Request(
                headers.getFirst("webhook-id"),
                Long.parseLong(headers.getFirst("webhook-timestamp")),
                headers.getFirst("webhook-signature"),
                exchange.getRequestBody().readAllBytes());
        came.add(request);
        if (isEndless) {
          answerWithoutEnd(exchange);
          return;
        }
        int status = answers.apply(request);
        if (status == 302) {
          exchange.getResponseHeaders().add("Location", "/elsewhere");
        }
        exchange.sendResponseHeaders(status, -1);
      }
    }

    private void answerWithoutEnd(HttpExchange exchange) throws IOException {
      exchange.sendResponseHeaders(200, 0);
      var body = exchange.getResponseBody();
      try {
        while (true) {
          body.write(new byte[1_024]);
        }
      } catch (IOException e) {
        cutOff.incrementAndGet();
      }
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/events";
    }

    List<Long> numbers() {
      return came.stream().map(Request::number).toList();
    }

    /** The numbers of what came of one schedule, as they came. */
    List<Long> of(String schedule) {
      return came.stream()
          .filter(request -> request.schedule().equals(schedule))
          .map(Request::number)
          .toList();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** Each is cancelled at once, so that it has an outcome. */
  private void end(int number) {
    for (int i = 0; i < number; i++) {
      var id = scheduled();
      calls.result("schedule_cancel", "{\"id\": \"%s\", \"as\": \"alice\"}".formatted(id));
    }
  }

  private String create() {
    return calls
        .result(
            "events_createWebhook",
            "{\"name\": \"books\", \"url\": \"%s\"}".formatted(receiver.url()))
        .asText();
  }

  private JsonNode webhook() {
    return rpc.result("events_getWebhook", "[\"books\"]");
  }

  private String metrics() {
    return rpc.send(HttpRequest.newBuilder(rpc.uri("/metrics")).GET()).body();
  }

  /** Alice's money was booked in before them, and has the first number. */
  private void awaitAcknowledged(long outcomes) {
    await().atMost(PATIENCE).until(() -> webhook().get("acknowledged").asLong() == 1 + outcomes);
  }

  @Test
  void eachEventIsSentSignedWithTheKeyThatWasToldOnce() {
    end(1);
    var key = new WebhookKey(create());
    end(2);
    awaitAcknowledged(3);

    assertThat(receiver.numbers()).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(receiver.came)
        .allSatisfy(
            request -> {
              assertThat(request.id()).isEqualTo("default." + request.number());
              assertThat(request.signature())
                  .isEqualTo(key.signature(request.id(), request.timestamp(), request.body()));
            });
    assertThat(webhook().toString()).doesNotContain(key.written().substring(8)).contains("books");
    assertThat(rpc.result("events_queryWebhooks", "[{\"limit\": 9}]").toString())
        .doesNotContain(key.written().substring(8));
    assertThat(webhook().get("keys").asInt()).isOne();
    assertThat(stored()).contains("books", "keys").doesNotContain(key.written().substring(8));
  }

  /** What whoever has a copy of the store reads. */
  private String stored() {
    return rpc
        .node
        .store()
        .listeners()
        .all(ListenerKind.WEBHOOKS)
        .toCompletableFuture()
        .join()
        .stream()
        .map(listener -> listener.name() + listener.properties().toUtf8())
        .toList()
        .toString();
  }

  @Test
  void bothKeysSignWhileTheyChangeAndTheNewOneAloneThen() {
    var old = new WebhookKey(create());
    var fresh = new WebhookKey(rpc.result("events_rotateWebhookKey", "[\"books\"]").asText());
    end(1);
    awaitAcknowledged(1);
    var both = receiver.came.getLast();
    assertThat(both.signature())
        .isEqualTo(
            fresh.signature(both.id(), both.timestamp(), both.body())
                + " "
                + old.signature(both.id(), both.timestamp(), both.body()));

    assertThat(rpc.result("events_rotateWebhookKey", "[\"books\", true]").isNull()).isTrue();
    // Seen within a second by who sends.
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              end(1);
              var last = receiver.came.getLast();
              return last.signature()
                  .equals(fresh.signature(last.id(), last.timestamp(), last.body()));
            });
  }

  /** Else a receiver would keep a connection, and whatever it likes to send, for ever. */
  @Test
  void anAnswerThatNeverEndsIsCutOffAndItsEventIsTaken() {
    receiver.isEndless = true;
    create();
    end(2);
    awaitAcknowledged(2);
    await().atMost(PATIENCE).until(() -> receiver.cutOff.get() >= 2);
  }

  @Test
  void whatIsRefusedTooOftenIsDeadAndSentAgainWhenSomebodyAsks() {
    receiver.answers = request -> request.number() == 1 ? 400 : 200;
    create();
    end(3);
    awaitAcknowledged(3);
    assertThat(receiver.numbers()).filteredOn(number -> number == 1).hasSize(2);
    assertThat(webhook().get("dead").asInt()).isOne();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(metrics())
                    .contains("sequitur_webhook_dead_letters 1.0")
                    .contains("sequitur_webhook_lag_seconds 0.0"));
    var letters = rpc.result("events_deadLetters", "[\"books\"]");
    assertThat(letters.at("/0/number").asLong()).isOne();
    assertThat(letters.at("/0/outcome").asText()).isEqualTo("cancelled");

    assertThat(rpc.result("events_replay", "[\"books\"]"))
        .isEqualTo(
            RunningRpc.parse("[{\"number\":1,\"delivered\":false,\"why\":\"answered 400\"}]"));
    receiver.answers = any -> 200;
    assertThat(rpc.result("events_replay", "[\"books\"]"))
        .isEqualTo(RunningRpc.parse("[{\"number\":1,\"delivered\":true,\"why\":\"\"}]"));
    assertThat(webhook().get("dead").asInt()).isZero();
    assertThat(rpc.result("events_deadLetters", "[\"books\"]")).isEmpty();
  }

  /** It could lead the node where it may not go. */
  @Test
  void noRedirectIsFollowed() {
    receiver.answers = any -> 302;
    create();
    end(1);
    awaitAcknowledged(1);

    assertThat(receiver.came).hasSize(2);
    assertThat(webhook().get("dead").asInt()).isOne();
  }

  @Test
  void whileTheReceiverIsBusyNothingDiesAndItGoesOnThen() {
    receiver.answers = any -> 503;
    create();
    end(5);
    await().atMost(PATIENCE).until(() -> receiver.came.size() > 6);
    assertThat(webhook().get("dead").asInt()).isZero();
    assertThat(webhook().get("acknowledged").asInt()).isZero();

    receiver.answers = any -> 200;
    awaitAcknowledged(5);
    assertThat(webhook().get("dead").asInt()).isZero();
  }

  @Test
  void oneThatIsStoppedIsSentNothingUntilItIsStartedAndOneThatIsDeletedNothingAtAll() {
    create();
    end(1);
    awaitAcknowledged(1);
    rpc.result("events_stopWebhook", "[\"books\"]");
    assertThat(webhook().get("started").asBoolean()).isFalse();
    rpc.result("events_startWebhook", "[\"books\"]");
    end(1);
    awaitAcknowledged(2);

    assertThat(rpc.result("events_deleteWebhook", "[\"books\"]").asBoolean()).isTrue();
    assertThat(webhook().isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest",
        "http://user:secret@books.example/",
        "ftp://books.example/",
        "books.example",
        "http://192.168.1.1:8080/#there"
      })
  void whatMayNotBeDialledIsRefusedWhenItIsMade(String url) {
    var sent = "[{\"name\": \"books\", \"url\": \"%s\"}]".formatted(url);
    assertThat(rpc.error("events_createWebhook", sent).get("message").asText())
        .startsWith("SQ010206: ");
    assertThat(webhook().isNull()).isTrue();
  }

  /** Its name is as good as any, and means loopback when it is looked up. */
  @Test
  void aNameThatMeansAnAddressThatIsNotAllowedIsNotDialled() {
    try (var strict = calls(List.of())) {
      strict.result(
          "events_createWebhook",
          "{\"name\": \"books\", \"url\": \"http://localhost:%s/\"}"
              .formatted(receiver.server.getAddress().getPort()));
      var id = List.of("books");
      strict.result("schedule_shutdown", "{\"family\": \"gas-priority\"}");
      strict.rpc().scheduler.pass(Duration.ofSeconds(1));

      await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> receiver.came.isEmpty());
      assertThat(
              strict
                  .rpc()
                  .result("events_getWebhook", RunningRpc.JSON.valueToTree(id).toString())
                  .get("acknowledged")
                  .asLong())
          .isZero();
    }
  }

  /** A receiver that is slow over one schedule keeps nobody else waiting. */
  @Test
  void eventsOfOneScheduleAreSentInOrderAndThoseOfOthersMeanwhile() {
    var slow = scheduled();
    var other = scheduled();
    var held = new CountDownLatch(1);
    receiver.answers =
        request -> {
          if (request.schedule().equals(slow) && receiver.of(slow).size() == 1) {
            awaitUninterruptibly(held);
          }
          return 204;
        };
    create();
    for (var id : List.of(slow, other)) {
      for (var method : List.of("schedule_pauseSchedule", "schedule_resumeSchedule")) {
        calls.result(method, "{\"id\": \"%s\", \"as\": \"alice\"}".formatted(id));
      }
    }
    await().atMost(PATIENCE).until(() -> receiver.of(other).size() == 2);
    assertThat(receiver.of(slow)).hasSize(1);

    held.countDown();
    awaitAcknowledged(4);
    assertThat(receiver.of(slow)).hasSize(2).isSorted();
  }

  private String scheduled() {
    return calls
        .result(
            "gasPriority_insert",
            """
            {"senderAddr": "alice", "scheduledTimeMs": "2026-11-21T10:20:00Z", "maxGasAmount": "10",
             "maxGasUnitPrice": "1", "target": {"type": "transfer", "to": "bob", "amount": "%d"}}
            """
                .formatted(++amount))
        .get("id")
        .asText();
  }

  private static void awaitUninterruptibly(CountDownLatch held) {
    try {
      assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void eachOfThousandsIsSentOnce() {
    int all = 3_000;
    end(all);
    create();
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(60))
        .until(() -> receiver.came.size() >= all);
    awaitAcknowledged(all);
    assertThat(new ArrayList<>(receiver.numbers())).doesNotHaveDuplicates().hasSize(all);
  }
}

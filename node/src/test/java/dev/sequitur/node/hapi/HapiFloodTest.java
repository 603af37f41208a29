package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.hapi.FrontUnderTest.Answered;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.ResponseCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody asks for more than the front puts up with; others are served as ever. */
class HapiFloodTest {
  private static final String BALANCE = "/proto.CryptoService/cryptoGetBalance";
  private static final Bytes QUESTION = HapiFrontTest.questionOf(7, 2);
  private static final HapiSettings.Limits MANY =
      new HapiSettings.Limits(
          16_384, 256, 200, 100, 400, 1_000, Duration.ofSeconds(30), Duration.ofMinutes(5));

  @TempDir private Path directory;

  private FrontUnderTest front(HapiSettings.Limits limits) {
    var configured =
        FrontUnderTest.configured(directory, SigningClient.publicKey(new SigningClient().operator));
    var settings = configured.hapi().orElseThrow();
    return new FrontUnderTest(configured.withHapi(Optional.of(settings.withLimits(limits))));
  }

  private static void assertServes(FrontUnderTest front) throws IOException {
    assertThat(HapiFrontTest.code(front.call(BALANCE, QUESTION), "7.1.1"))
        .isEqualTo(ResponseCode.OK);
  }

  @Test
  void ofManyCallsAtOnceFromOneAddressSomeAreToldBusyAndLaterOnesAreAnswered() throws IOException {
    var few =
        new HapiSettings.Limits(
            16_384, 256, 200, 100, 400, 1, Duration.ofSeconds(30), Duration.ofMinutes(5));
    try (var front = front(few)) {
      var codes = new HashSet<ResponseCode>();
      // A front may answer each before it reads the next.
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                for (var message : front.callAtOnce(500, BALANCE, QUESTION)) {
                  codes.add(code(message));
                }
                return codes.contains(ResponseCode.BUSY);
              });

      assertThat(codes).containsExactlyInAnyOrder(ResponseCode.OK, ResponseCode.BUSY);
      assertServes(front);
    }
  }

  @Test
  void ofTheConnectionsOfOneAddressOneTooManyIsClosedAndTakenOnceAnotherHasEnded()
      throws IOException {
    var few =
        new HapiSettings.Limits(
            16_384, 256, 2, 100, 400, 1_000, Duration.ofSeconds(30), Duration.ofMinutes(5));
    try (var front = front(few);
        var first = new RawHttp2(front.port());
        var second = new RawHttp2(front.port())) {
      assertThat(first.await(RawHttp2.SETTINGS)).isEqualTo(RawHttp2.SETTINGS);
      assertThat(second.await(RawHttp2.SETTINGS)).isEqualTo(RawHttp2.SETTINGS);
      assertThat(isTaken(front)).isFalse();

      first.close();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> isTaken(front));
    }
  }

  private static boolean isTaken(FrontUnderTest front) throws IOException {
    try (var another = new RawHttp2(front.port())) {
      return another.await(RawHttp2.SETTINGS) == RawHttp2.SETTINGS;
    }
  }

  @Test
  void whoTakesTooManyCallsBackLosesItsConnection() throws IOException {
    var few =
        new HapiSettings.Limits(
            16_384, 256, 200, 100, 5, 1_000, Duration.ofSeconds(30), Duration.ofMinutes(5));
    try (var front = front(few);
        var rapid = new RawHttp2(front.port())) {
      var frames = new ByteArrayOutputStream();
      for (int stream = 1; stream < 40; stream += 2) {
        frames.writeBytes(RawHttp2.call(stream, BALANCE));
        frames.writeBytes(RawHttp2.reset(stream));
      }
      rapid.send(frames.toByteArray());

      assertThat(rapid.await(RawHttp2.GO_AWAY)).isIn(RawHttp2.GO_AWAY, RawHttp2.END);
      assertServes(front);
    }
  }

  /** It reads nothing of what it is answered: the front soon reads nothing of it, either. */
  @Test
  void whoFloodsWithKeepAlivesHoldsNobodyUp() throws Exception {
    try (var front = front(MANY);
        var flooding = new RawHttp2(front.port())) {
      assertThat(flooding.await(RawHttp2.SETTINGS)).isEqualTo(RawHttp2.SETTINGS);
      var thread = Thread.ofVirtual().start(() -> flood(flooding));

      for (int i = 0; i < 20; i++) {
        assertServes(front);
      }
      flooding.close();
      thread.join();
    }
  }

  /** Until it is closed. */
  private static void flood(RawHttp2 connection) {
    var pings = new ByteArrayOutputStream();
    for (int i = 0; i < 1_000; i++) {
      pings.writeBytes(RawHttp2.ping());
    }
    while (connection.send(pings.toByteArray())) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whoDoesNotFinishItsMessageIsNotWaitedForLonger() throws IOException {
    var quick =
        new HapiSettings.Limits(
            16_384, 256, 200, 100, 400, 1_000, Duration.ofMillis(100), Duration.ofMinutes(5));
    try (var front = front(quick);
        var slow = new RawHttp2(front.port())) {
      slow.send(RawHttp2.call(1, BALANCE));
      slow.send(RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[] {0, 0, 0, 0, 9}));

      assertThat(slow.await(RawHttp2.RESET, RawHttp2.END)).isEqualTo(RawHttp2.RESET);
    }
  }

  private static ResponseCode code(Bytes message) throws IOException {
    return HapiFrontTest.code(new Answered("0", "", message), "7.1.1");
  }
}

package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.hapi.FrontUnderTest.Answered;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.ResponseCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody asks for more than the front puts up with. */
class HapiFloodTest {
  private static final String BALANCE = "/proto.CryptoService/cryptoGetBalance";

  @Test
  void ofManyCallsAtOnceFromOneAddressSomeAreToldBusyAndLaterOnesAreAnswered(
      @TempDir Path directory) throws IOException {
    var configured =
        FrontUnderTest.configured(directory, SigningClient.publicKey(new SigningClient().operator));
    var settings = configured.hapi().orElseThrow();
    var few =
        new HapiSettings.Limits(16_384, 256, 100, 1, Duration.ofSeconds(30), Duration.ofMinutes(5));
    try (var front =
        new FrontUnderTest(configured.withHapi(Optional.of(settings.withLimits(few))))) {
      var question = HapiFrontTest.questionOf(7, 2);

      var codes = new HashSet<ResponseCode>();
      for (var message : front.callAtOnce(500, BALANCE, question)) {
        codes.add(code(message));
      }

      assertThat(codes).containsExactlyInAnyOrder(ResponseCode.OK, ResponseCode.BUSY);
      assertThat(HapiFrontTest.code(front.call(BALANCE, question), "7.1.1"))
          .isEqualTo(ResponseCode.OK);
    }
  }

  private static ResponseCode code(Bytes message) throws IOException {
    return HapiFrontTest.code(new Answered("0", "", message), "7.1.1");
  }
}

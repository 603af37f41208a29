package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.body.ExchangeRates;
import dev.sequitur.scheduler.body.KeyText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's file says of the front for Hedera's clients. */
class HapiConfigurationTest {
  private static final String KEY =
      "ed25519:0aa8e21064c61eab86e2a9c164565b4e7a9a4146106e0a6cd03a8c395a110e92";

  @TempDir Path directory;

  private Optional<HapiSettings> read(String said) throws IOException {
    var file = directory.resolve("node.conf");
    Files.writeString(file, "node { name = node1, data-directory = data }\n" + said);
    return NodeConfiguration.read(file).hapi();
  }

  private HapiSettings front(String said) throws IOException {
    return read("scheduler.multi-signature.profile = current\nhapi { enabled = true\n" + said + "}")
        .orElseThrow();
  }

  @Test
  void theExampleHasAFrontWithAnOperatorAndAMirror() throws IOException {
    var example = Path.of("..", "examples", "hedera-release", "node.conf");

    var front = NodeConfiguration.read(example).hapi().orElseThrow();

    assertThat(front.operator()).isPresent();
    assertThat(front.mirrorPort()).hasValue(5551);
  }

  @Test
  void withoutAWordThereIsNone() throws IOException {
    assertThat(read("")).isEmpty();
  }

  @Test
  void switchedOnItListensOnLoopbackWithItsDefaults() throws IOException {
    assertThat(front("")).isEqualTo(HapiSettings.at("127.0.0.1", 50211));
  }

  @Test
  void eachSettingIsTaken() throws IOException {
    var front =
        front(
            "port = 7, queue = other, account = \"0.0.5\", operator { key = \""
                + KEY
                + "\", account = \"0.0.9\", balance = 11 }, limits { message-bytes = 100, connections = 3,"
                + " connections-of-address = 2, calls = 4, resets = 9, calls-of-address = 8 }, timeouts { call = 5s, idle = 6s }");

    assertThat(front.port()).isEqualTo(7);
    assertThat(front.queue()).isEqualTo(new QueueName("other"));
    assertThat(front.account()).isEqualTo(new EntityId(5));
    assertThat(front.operator())
        .contains(new HapiSettings.Operator(new EntityId(9), KeyText.parse(KEY), new Amount(11)));
    assertThat(front.limits())
        .isEqualTo(
            new HapiSettings.Limits(
                100, 3, 2, 4, 9, 8, Duration.ofSeconds(5), Duration.ofSeconds(6)));
  }

  @Test
  void theMirrorsViewIsServedWhereThatIsWritten() throws IOException {
    assertThat(front("").mirrorPort()).isEmpty();
    assertThat(front("mirror.enabled = true").mirrorPort()).hasValue(5551);
    assertThat(front("mirror { enabled = true, port = 0 }").mirrorPort()).hasValue(0);
  }

  @Test
  void theFrontsOfOtherJvmsAreNamedWithThisOne() throws IOException {
    var nodes = front("mirror.nodes { \"0.0.4\" = \"there:2\", \"0.0.3\" = \"here:1\" }").nodes();

    assertThat(nodes)
        .containsExactly(
            Map.entry(new EntityId(3), InetSocketAddress.createUnresolved("here", 1)),
            Map.entry(new EntityId(4), InetSocketAddress.createUnresolved("there", 2)));
    assertThatThrownBy(() -> front("mirror.nodes { \"0.0.4\" = \"there:2\" }"))
        .hasMessageContaining("hapi.mirror.nodes", "0.0.3");
  }

  @Test
  void theRateOfReceiptsIsWrittenAndTheOneAfterIt() throws IOException {
    var now = new ExchangeRates.Rate(2, 25);
    assertThat(front("exchange-rate { hbars = 2, cents = 25 }").rates())
        .isEqualTo(new ExchangeRates(now, Optional.empty()));
    assertThat(
            front(
                    "exchange-rate { hbars = 2, cents = 25, next { from = \"2027-01-01T00:00:00Z\", cents = 13 } }")
                .rates())
        .isEqualTo(
            new ExchangeRates(
                now,
                Optional.of(
                    new ExchangeRates.Next(
                        new ExchangeRates.Rate(1, 13), ConsensusTime.ofSeconds(1_798_761_600)))));
    assertThatThrownBy(() -> front("exchange-rate.next.from = \"tomorrow\""))
        .hasMessageContaining("hapi.exchange-rate.next.from", "2027-01-01T00:00:00Z");
    assertThatThrownBy(() -> front("exchange-rate.next.from = \"2262-01-01T00:00:00Z\""))
        .hasMessageContaining("between 1970 and 2262");
    assertThatThrownBy(() -> front("exchange-rate.cents = 0"))
        .hasMessageContaining("hapi.exchange-rate.cents");
  }

  @Test
  void itServesTheProfileCurrentAlone() {
    assertThatThrownBy(() -> read("hapi.enabled = true"))
        .hasMessageContaining("scheduler.multi-signature.profile = current");
  }

  @Test
  void beyondLoopbackItWantsTls() {
    assertThatThrownBy(
            () ->
                read(
                    "scheduler.multi-signature.profile = current\nrpc.authentication = none\n"
                        + "hapi { enabled = true, host = \"0.0.0.0\" }"))
        .hasMessageContaining("hapi.tls = true");
    assertThatThrownBy(() -> front("host = \"0.0.0.0\"")).hasMessageContaining("hapi.tls = true");
    assertThatThrownBy(() -> front("tls = true")).hasMessageContaining("rpc.tls");
  }

  @Test
  void anOperatorIsNoAccountThatAQueueGives() {
    assertThatThrownBy(() -> front("operator { account = \"0.0.1001\", key = \"" + KEY + "\" }"))
        .hasMessageContaining("hapi.operator.account");
    assertThatThrownBy(() -> front("operator.key = nonsense"))
        .hasMessageContaining("hapi.operator.key");
  }

  @Test
  void norIsAFrontAndTheyAreTwo() {
    assertThatThrownBy(() -> front("account = \"0.0.1001\""))
        .hasMessageContaining("hapi.account is a number from 0.0.1 to 0.0.1000");
    assertThatThrownBy(() -> front("account = \"0.0.98\""))
        .hasMessageContaining("hapi.account is another one than 0.0.98");
    assertThatThrownBy(
            () ->
                front(
                    "account = \"0.0.9\", operator { account = \"0.0.9\", key = \"" + KEY + "\" }"))
        .hasMessageContaining("give 0.0.9 to one of them");
  }
}

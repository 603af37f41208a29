package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.transaction.PrivateState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
  @TempDir Path temporary;
  private final RecordedConsole console = new RecordedConsole();
  private final StopSignal stop = new StopSignal();
  private ScriptedNetwork network;

  @BeforeEach
  void startNetwork() {
    network = new ScriptedNetwork(temporary.resolve("keys"));
  }

  @AfterEach
  void endNetwork() {
    network.end();
  }

  @Test
  void aRunEndsWithASummaryWhoseDoubleCheckHolds() throws IOException {
    boolean holds = demo().run(options(60));

    assertThat(console.out()).contains("transactions submitted", "The double-check");
    assertThat(holds).as(console.out()).isTrue();
    var report = report();
    assertThat(report.get("submitted").asInt()).isEqualTo(60);
    assertThat(report.get("confirmed").asInt()).isEqualTo(60);
    assertThat(report.get("duplicates").asInt()).isZero();
    assertThat(report.get("doubleSpends").asInt()).isZero();
    assertThat(report.get("lost").asInt()).isZero();
    assertThat(report.get("latencyMillis").get("p99").asDouble()).isPositive();
    assertThat(report.get("throughput").asDouble()).isPositive();
    assertThat(report.get("switchovers").asInt()).isZero();
  }

  @Test
  void bothDomainsTakePartEvenIfOneContractIsAskedFor() {
    demo().run(options(10));

    assertThat(network.sequencer().confirmedGroups())
        .extracting(group -> group.domain())
        .containsExactly("token", "record");
  }

  @Test
  void aRunThatWasStoppedInTheMiddleIsFinishedByTheNextStart() throws IOException {
    network.sequencer().mayFulfil = 16 + 20;
    network.sequencer().onWaiting = stop::request;
    assertThatThrownBy(() -> demo().run(options(60))).isInstanceOf(DemoStopped.class);

    network.sequencer().resume();
    boolean holds = new Demo(network, console.console(), new StopSignal()).run(options(1000));

    assertThat(holds).as(console.out()).isTrue();
    assertThat(console.out()).contains("resumed");
    var report = report();
    assertThat(report.get("resumed").asBoolean()).isTrue();
    assertThat(report.get("submitted").asInt()).isEqualTo(60);
    assertThat(report.get("confirmed").asInt()).isEqualTo(60);
  }

  @Test
  void aFinishedDirectoryIsGivenANewRunOnTheSameGroups() throws IOException {
    demo().run(options(20));
    boolean holds = demo().run(options(30));

    assertThat(holds).as(console.out()).isTrue();
    assertThat(report().get("run").asInt()).isEqualTo(2);
    assertThat(report().get("confirmed").asInt()).isEqualTo(30);
    assertThat(network.sequencer().confirmedGroups()).hasSize(2);
  }

  @Test
  void anotherNumberOfNodesThanTheDirectoryHasIsRefused() {
    demo().run(options(10));

    var other =
        new DemoOptions(
            OptionalInt.empty(),
            OptionalInt.of(3),
            OptionalInt.empty(),
            Duration.ofMillis(100),
            10,
            0,
            Optional.of(temporary.resolve("data")),
            Optional.empty(),
            false,
            new DemoOptions.Ledger.Embedded());
    assertThatThrownBy(() -> demo().run(other))
        .isInstanceOf(WrongOption.class)
        .hasMessageContaining("--nodes 2")
        .hasMessageContaining("--data");
  }

  @Test
  void aReportThatCannotBeWrittenIsToldBeforeTheWork() {
    var options =
        new DemoOptions(
            OptionalInt.of(5),
            OptionalInt.of(2),
            OptionalInt.empty(),
            Duration.ofMillis(100),
            10,
            0,
            Optional.of(temporary.resolve("data")),
            Optional.of(temporary.resolve("missing").resolve("report.json")),
            false,
            new DemoOptions.Ledger.Embedded());

    assertThatThrownBy(() -> demo().run(options))
        .isInstanceOf(WrongOption.class)
        .hasMessageContaining("name a file in a directory that is there");
    assertThat(network.plan).isNull();
  }

  @Test
  void anIntentThatNoNodeKnowsAnyMoreIsLost() throws IOException {
    var forgotten = new AtomicBoolean();
    network.shownLedger =
        ledger -> {
          if (forgotten.compareAndSet(false, true)) {
            network.sequencer().scripted("node1").forgetNewest();
          }
          return ledger;
        };

    assertThat(demo().run(options(20))).isFalse();
    assertThat(report().get("lost").asInt()).isPositive();
  }

  @Test
  void aContentThatDoesNotFitItsIdFailsTheDoubleCheck() {
    network.sequencer().shownState =
        state ->
            new PrivateState(
                state.id(),
                state.contract(),
                state.schema(),
                state.lookup(),
                Bytes.utf8(state.data().toUtf8().replace("1", "2")),
                state.distribution());

    assertThat(demo().run(options(20))).isFalse();
    assertThat(console.out()).contains("FAILS").contains("no node shows a content that fits");
  }

  @Test
  void aRefusedIntentIsCountedAndDoesNotKeepTheOthersFromBeingSubmitted() throws IOException {
    network.sequencer().refused =
        intent -> intent.idempotencyKey().orElseThrow().name().equals("demo-1-7");

    assertThat(demo().run(options(40))).as(console.out()).isTrue();
    assertThat(report().get("refused").asInt()).isEqualTo(1);
    assertThat(report().get("confirmed").asInt()).isEqualTo(39);
  }

  @Test
  void withoutADataDirectoryATemporaryOneIsRemoved() {
    var options =
        new DemoOptions(
            OptionalInt.of(5),
            OptionalInt.of(2),
            OptionalInt.empty(),
            Duration.ofMillis(100),
            10,
            0,
            Optional.empty(),
            Optional.empty(),
            false,
            new DemoOptions.Ledger.Embedded());
    demo().run(options);

    assertThat(((NetworkLedger.InProcess) network.plan.ledger()).directory().getParent())
        .doesNotExist();
    assertThat(console.out()).contains("removed at the end");
  }

  private Demo demo() {
    return new Demo(network, console.console(), stop);
  }

  private DemoOptions options(int transactions) {
    return new DemoOptions(
        OptionalInt.of(transactions),
        OptionalInt.of(2),
        OptionalInt.of(1),
        Duration.ofMillis(100),
        10,
        0,
        Optional.of(temporary.resolve("data")),
        Optional.of(temporary.resolve("report.json")),
        false,
        new DemoOptions.Ledger.Embedded());
  }

  private JsonNode report() throws IOException {
    return new JsonMapper().readTree(Files.readString(temporary.resolve("report.json")));
  }
}

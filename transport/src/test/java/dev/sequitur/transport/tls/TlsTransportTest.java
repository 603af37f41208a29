package dev.sequitur.transport.tls;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static dev.sequitur.transport.Envelopes.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.LogLines;
import dev.sequitur.links.tls.KeyForm;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.transport.TransportCounter;
import dev.sequitur.transport.tls.TlsNetwork.Running;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(180)
class TlsTransportTest {
  @TempDir Path directory;
  private TlsNetwork network;

  @BeforeEach
  void makeNetwork() throws IOException {
    network = new TlsNetwork(directory, NODE1, NODE2, NODE3);
  }

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  private static List<Integer> range(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  private static void awaitConnected(Running node, int connections) {
    await().until(() -> node.count(TransportCounter.CONNECTIONS_OPENED) >= connections);
  }

  @Test
  void threeNodesSendToEachOther() {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    var node3 = network.start(NODE3);

    node1.transport().send(List.of(numbered(NODE1, NODE2, 12), numbered(NODE1, NODE3, 13)));
    node2.transport().send(List.of(numbered(NODE2, NODE1, 21), numbered(NODE2, NODE3, 23)));
    node3.transport().send(List.of(numbered(NODE3, NODE1, 31), numbered(NODE3, NODE2, 32)));

    await()
        .untilAsserted(
            () -> {
              assertThat(node1.arrived()).containsExactlyInAnyOrder(21, 31);
              assertThat(node2.arrived()).containsExactlyInAnyOrder(12, 32);
              assertThat(node3.arrived()).containsExactlyInAnyOrder(13, 23);
            });
    assertThat(node1.transport().peers()).containsExactlyInAnyOrder(NODE2, NODE3);
    assertThat(Shown.in(node1.registry()))
        .containsEntry("sequitur_transport_envelopes_total{direction=\"sent\"}", 2.0);
  }

  @Test
  void whetherAPeerIsConnectedIsShownFromTheStart() {
    var node1 = network.start(NODE1);
    assertThat(Shown.in(node1.registry()))
        .containsEntry("sequitur_transport_peer_up{peer=\"node2\"}", 0.0)
        .containsEntry("sequitur_transport_peer_up{peer=\"node3\"}", 0.0);

    network.start(NODE2);
    node1.transport().send(List.of(numbered(NODE1, NODE2, 12)));

    await()
        .untilAsserted(
            () ->
                assertThat(Shown.in(node1.registry()))
                    .containsEntry("sequitur_transport_peer_up{peer=\"node2\"}", 1.0)
                    .containsEntry("sequitur_transport_peer_up{peer=\"node3\"}", 0.0));
  }

  @ParameterizedTest
  @EnumSource
  void nodesSpeakWhateverTheFormOfTheirKeys(KeyForm form) throws IOException {
    form.replace(directory, NODE1);
    form.replace(directory, NODE2);
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);

    node1.transport().send(List.of(numbered(NODE1, NODE2, 12)));

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(12));
  }

  /** Only node2 is a peer of node1. */
  private Running startWithNode2Alone() {
    var all = network.configuration(NODE1);
    return network.start(
        new TlsConfiguration(
            NODE1,
            all.bind(),
            all.files(),
            Map.of(NODE2, network.address(NODE2)),
            all.limits(),
            all.times()));
  }

  @Test
  void aPeerThatIsAddedIsTalkedToWithoutARestart() {
    var node1 = startWithNode2Alone();
    var node3 = network.start(NODE3);
    await().until(() -> !node3.transport().links().get(NODE1).trouble().isEmpty());
    node1.transport().send(List.of(numbered(NODE1, NODE3, 1)));
    assertThat(node1.count(TransportCounter.DROPPED_UNKNOWN_RECEIVER)).isEqualTo(1);

    node1.transport().change(Map.of(NODE2, network.address(NODE2), NODE3, network.address(NODE3)));
    node1.transport().send(List.of(numbered(NODE1, NODE3, 13)));
    node3.transport().send(List.of(numbered(NODE3, NODE1, 31)));

    assertThat(node1.transport().peers()).containsExactlyInAnyOrder(NODE2, NODE3);
    await().untilAsserted(() -> assertThat(node3.arrived()).containsExactly(13));
    await().untilAsserted(() -> assertThat(node1.arrived()).containsExactly(31));
  }

  @Test
  void ofAPeerThatIsRemovedNothingArrivesAnyMoreAndItsConnectionsEnd() {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    node2.transport().send(List.of(numbered(NODE2, NODE1, 1)));
    await().untilAsserted(() -> assertThat(node1.arrived()).containsExactly(1));

    node1.transport().change(Map.of(NODE3, network.address(NODE3)));
    node2.transport().send(List.of(numbered(NODE2, NODE1, 2)));

    await().until(() -> !node2.transport().links().get(NODE1).connected());
    await()
        .untilAsserted(
            () ->
                assertThat(node2.transport().links().get(NODE1).trouble())
                    .contains("Node node1 has no peer node2"));
    assertThat(node1.arrived()).containsExactly(1);
    assertThat(node1.transport().links()).containsOnlyKeys(NODE3);
    assertThat(Shown.in(node1.registry()))
        .doesNotContainKey("sequitur_transport_peer_up{peer=\"node2\"}");
  }

  @Test
  void aPeerThatHasMovedIsFoundWhereItIsSaidToBe() {
    var node1 = network.start(NODE1);
    var moved = new PeerAddress("127.0.0.1", FreePorts.inARow(1));
    var all = network.configuration(NODE2);
    var node2 =
        network.start(
            new TlsConfiguration(
                NODE2, moved, all.files(), all.peers(), all.limits(), all.times()));

    node1.transport().change(Map.of(NODE2, moved, NODE3, network.address(NODE3)));
    node1.transport().send(List.of(numbered(NODE1, NODE2, 12)));

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(12));
  }

  @Test
  void whatIsFollowedIsLookedAtAgainThoughALookHasFailed() {
    var node1 = network.start(NODE1);
    var looks = new AtomicInteger();
    node1
        .transport()
        .follow(
            () -> {
              if (looks.getAndIncrement() == 0) {
                throw new IllegalStateException("not now");
              }
              return Map.of(NODE3, network.address(NODE3));
            });

    await().untilAsserted(() -> assertThat(node1.transport().peers()).containsExactly(NODE3));
    assertThatThrownBy(() -> node1.transport().change(Map.of(NODE1, network.address(NODE1))))
        .hasMessageContaining("is named as its own peer");
  }

  @Test
  void manyBatchesArriveInOrder() {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);

    for (int first = 1_000; first < 9_000; first += 10) {
      node1.transport().send(numbered(NODE1, NODE2, first, first + 10));
    }

    await().untilAsserted(() -> assertThat(node2.arrived()).isEqualTo(range(1_000, 9_000)));
  }

  @Test
  void whatIsSentToTheOwnNodeArrivesWithoutTravelling() {
    var node1 = network.start(NODE1);

    node1.transport().send(List.of(numbered(NODE1, NODE1, 1)));

    assertThat(node1.arrived()).containsExactly(1);
  }

  @Test
  void whatCannotBeSentIsCounted() {
    var node1 = network.start(NODE1);
    node1.transport().send(List.of(numbered(NODE1, new NodeName("nobody"), 1)));
    node1.transport().send(List.of(numbered(NODE2, NODE3, 2)));
    node1.transport().close();
    node1.transport().send(List.of(numbered(NODE1, NODE2, 3)));

    assertThat(node1.count(TransportCounter.DROPPED_UNKNOWN_RECEIVER)).isEqualTo(1);
    assertThat(node1.count(TransportCounter.DROPPED_WRONG_NODE)).isEqualTo(1);
    assertThat(node1.count(TransportCounter.DROPPED_CLOSED)).isEqualTo(1);
  }

  @Test
  void whatWasSentWhileThePeerWasAwayArrivesWhenItComes() {
    var node1 = network.start(NODE1);
    node1.transport().send(numbered(NODE1, NODE2, 0, 10));
    await().until(() -> node1.count(TransportCounter.CONNECTIONS_FAILED) > 2);

    var node2 = network.start(NODE2);

    await().untilAsserted(() -> assertThat(node2.arrived()).isEqualTo(range(0, 10)));
  }

  @Test
  void aPeerThatComesAndGoesFillsNoLog() {
    var node1 = network.start(NODE1);
    try (var lines = new LogLines(OutgoingLink.class)) {
      for (int time = 1; time <= 5; time++) {
        var node2 = network.startAgain(NODE2);
        awaitConnected(node1, time);
        node2.transport().close();
      }

      assertThat(lines.lines("node1 is connected to node2")).hasSize(1);
      assertThat(lines.lines("node1 has no connection to node2")).doesNotHaveDuplicates();
    }
  }

  @Test
  void whatCannotBeSentAgainAndAgainIsOneLine() {
    var node1 = network.start(NODE1);
    try (var lines = new LogLines(OutgoingLink.class)) {
      network.start(NODE2);
      for (int i = 0; i < 20; i++) {
        node1.transport().send(List.of(numbered(NODE1, NODE2, -1)));
      }
      await().until(() -> node1.count(TransportCounter.DROPPED_UNENCODABLE) == 20);

      assertThat(lines.lines("node1 cannot send")).hasSize(1);
    }
  }

  @Test
  void aPeerThatRestartsIsFoundAgain() {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    awaitConnected(node1, 1);
    node2.transport().close();

    var restarted = network.startAgain(NODE2);

    awaitConnected(node1, 2);
    node1.transport().send(numbered(NODE1, NODE2, 0, 10));
    await().untilAsserted(() -> assertThat(restarted.arrived()).isEqualTo(range(0, 10)));
  }

  /**
   * From the peer's own address, even: each holds its place for as long as a handshake may take.
   */
  @Test
  void silentConnectionsDoNotKeepAPeerOut() throws IOException {
    var given = network.configuration(NODE2, TlsNetwork.PATIENT);
    var node2 = network.start(given);
    var silent = new ArrayList<Socket>();
    try {
      for (int each = 0; each < 80; each++) {
        silent.add(new Socket(given.bind().host(), given.bind().port()));
      }
      var node1 = network.start(NODE1);
      node1.transport().send(numbered(NODE1, NODE2, 0, 10));

      // Sooner than any of the silent ones is given up.
      await().untilAsserted(() -> assertThat(node2.arrived()).isEqualTo(range(0, 10)));
      // All but eight, and one for each of the two peers; each counts when its thread has ended.
      await()
          .untilAsserted(
              () ->
                  assertThat(node2.count(TransportCounter.CONNECTIONS_REFUSED))
                      .isGreaterThanOrEqualTo(70));
    } finally {
      for (var socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void theQueueOfAPeerThatIsAwayIsBoundedAndTheOldestGo() {
    var configuration = network.configuration(NODE1);
    var node1 =
        network.start(withLimits(configuration, new TlsConfiguration.Limits(1_024, 100, 16, 1)));
    for (int first = 0; first < 250; first += 10) {
      node1.transport().send(numbered(NODE1, NODE2, first, first + 10));
    }
    assertThat(node1.count(TransportCounter.DROPPED_QUEUE_FULL)).isEqualTo(150);
    assertThat(Shown.in(node1.registry())).containsEntry("sequitur_transport_queued", 100.0);

    var node2 = network.start(NODE2);

    await().untilAsserted(() -> assertThat(node2.arrived()).isEqualTo(range(150, 250)));
  }

  private static TlsConfiguration withLimits(TlsConfiguration of, TlsConfiguration.Limits limits) {
    return new TlsConfiguration(
        of.self(), of.bind(), of.files(), of.peers(), limits, TlsNetwork.QUICK);
  }

  @Test
  void ofABatchThatIsTooLargeOnlyTheOneEnvelopeAtFaultIsDropped() {
    var small = new TlsConfiguration.Limits(1_000_000, 100, 16, 4);
    var node1 = network.start(withLimits(network.configuration(NODE1), small));
    node1
        .transport()
        .send(
            List.of(
                numbered(NODE1, NODE2, 1),
                numbered(NODE1, NODE2, 1_000_000),
                numbered(NODE1, NODE2, -1),
                numbered(NODE1, NODE2, 2)));

    var node2 = network.start(NODE2);

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(1, 2));
    assertThat(node1.count(TransportCounter.DROPPED_OVERSIZED)).isEqualTo(1);
    assertThat(node1.count(TransportCounter.DROPPED_UNENCODABLE)).isEqualTo(1);
  }

  @Test
  void aFrameLargerThanTheReceiverAllowsEndsTheConnectionAndTheNextOneWorks() {
    var small = new TlsConfiguration.Limits(1_024, 100, 16, 4);
    var node2 = network.start(withLimits(network.configuration(NODE2), small));
    var node1 = network.start(NODE1);
    node1.transport().send(List.of(numbered(NODE1, NODE2, 1_000_000)));
    await().until(() -> node2.count(TransportCounter.CONNECTIONS_ABUSED) == 1);
    awaitConnected(node1, 2);

    node1.transport().send(List.of(numbered(NODE1, NODE2, 1)));

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(1));
  }

  @Test
  void aFrameThatCannotBeDecodedIsCountedAndTheConnectionGoesOn() {
    var node1 = network.start(NODE1);
    var node2 = network.start(NODE2);
    node1.transport().send(List.of(numbered(NODE1, NODE2, NumberCodec.UNREADABLE)));
    await().until(() -> node2.count(TransportCounter.DROPPED_UNDECODABLE) == 1);

    node1.transport().send(List.of(numbered(NODE1, NODE2, 1)));

    await().untilAsserted(() -> assertThat(node2.arrived()).containsExactly(1));
    assertThat(node1.count(TransportCounter.CONNECTIONS_OPENED)).isEqualTo(1);
  }

  @Test
  void aConnectionWithNothingToSendStaysOpenByItsPings() {
    var silence = Duration.ofSeconds(5);
    var quick = TlsNetwork.QUICK;
    var times =
        new TlsConfiguration.Times(
            quick.handshake(),
            quick.ping(),
            silence,
            quick.firstRetry(),
            quick.lastRetry(),
            quick.goBack());
    var node1 = network.start(network.configuration(NODE1, times));
    var node2 = network.start(network.configuration(NODE2, times));
    awaitConnected(node1, 1);

    // Longer than the silence after which a dead connection is given up.
    await()
        .during(silence.plusMillis(500))
        .until(() -> node1.count(TransportCounter.CONNECTIONS_OPENED) == 1);

    assertThat(node2.count(TransportCounter.CONNECTIONS_REFUSED)).isZero();
  }

  @Test
  void anAddressInUseIsToldInASentence() {
    network.start(NODE1);
    var again = network.configuration(NODE1);

    assertThatThrownBy(() -> TlsTransport.open(again, new NumberCodec(), new PrometheusRegistry()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Node 'node1' cannot listen on 127.0.0.1:")
        .hasMessageEndingWith("stop what uses it, or set transport.port to another.");
  }

  /** Two JVMs of one node listen at two addresses, in the order that node 1 likes them. */
  private List<TlsConfiguration> jvmsOfNode2() {
    var of = network.configuration(NODE2);
    var other = new PeerAddress(of.bind().host(), FreePorts.inARow(1));
    return AddressChoice.order(NODE1, 0, NODE2, List.of(of.bind(), other)).stream()
        .map(
            bind ->
                new TlsConfiguration(NODE2, bind, of.files(), of.peers(), of.limits(), of.times()))
        .toList();
  }

  private TlsConfiguration node1With(List<TlsConfiguration> jvms) {
    var of = network.configuration(NODE1);
    var first = jvms.get(0).bind();
    var both = new PeerAddress(first.host(), first.port(), List.of(jvms.get(1).bind()));
    return new TlsConfiguration(
        NODE1, of.bind(), of.files(), Map.of(NODE2, both), of.limits(), of.times());
  }

  @Test
  void aJvmThatReturnsIsDialledAgainAndNothingIsLostOrDoubledOrOvertaken() {
    var jvms = jvmsOfNode2();
    var second = network.start(jvms.get(1));
    var node1 = network.start(node1With(jvms));
    awaitConnected(node1, 1);

    var first = network.start(jvms.get(0));
    int begin = 1_000;
    int sent = begin;
    while (first.arrived().size() < 100) {
      assertThat(sent).as("sent before the first is found").isLessThan(1_000_000);
      for (int batch = 0; batch < 50; batch++) {
        node1.transport().send(numbered(NODE1, NODE2, sent, sent + 10));
        sent += 10;
      }
      // Some are on their way at any moment, and none has to wait so long that it goes.
      int soFar = sent;
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(() -> second.arrived().size() + first.arrived().size() >= soFar - begin - 1_000);
    }

    int all = sent;
    await().until(() -> second.arrived().size() + first.arrived().size() >= all - begin);
    var arrived = new ArrayList<>(second.arrived());
    arrived.addAll(first.arrived());
    assertThat(arrived).isEqualTo(range(begin, all));
    assertThat(node1.count(TransportCounter.DROPPED_CONNECTION_LOST)).isZero();
  }

  /** Or what is sent later would overtake it, and what is left of it be lost. */
  @Test
  void theNewConnectionWaitsUntilThePeerHasReadAllThatWasBefore() {
    var jvms = jvmsOfNode2();
    var held = new CompletableFuture<Void>();
    var second = network.start(jvms.get(1), held::join);
    var node1 = network.start(node1With(jvms));
    awaitConnected(node1, 1);
    var sent = new AtomicInteger(1_000);
    Runnable send =
        () -> node1.transport().send(List.of(numbered(NODE1, NODE2, sent.getAndIncrement())));
    send.run();
    var first = network.start(jvms.get(0));

    // Many times as long as until it looks, and not so long that the connection is given up.
    await()
        .during(Duration.ofSeconds(1))
        .until(
            () -> {
              send.run();
              return first.arrived().isEmpty();
            });
    held.complete(null);

    await()
        .until(
            () -> {
              send.run();
              return !first.arrived().isEmpty();
            });
    await()
        .untilAsserted(
            () -> {
              var arrived = new ArrayList<>(second.arrived());
              arrived.addAll(first.arrived());
              assertThat(arrived).isEqualTo(range(1_000, sent.get()));
            });
  }

  @Test
  void whoeverIsAtItsFirstChoiceStaysThere() {
    var jvms = jvmsOfNode2();
    network.start(jvms.get(0));
    network.start(jvms.get(1));
    var node1 = network.start(node1With(jvms));
    awaitConnected(node1, 1);

    // Many times as long as until it would go back.
    await()
        .during(Duration.ofSeconds(1))
        .until(() -> node1.count(TransportCounter.CONNECTIONS_OPENED) == 1);
  }

  @Test
  void aFirstChoiceThatIsAwayHoldsUpNothingAndIsNoFailedConnection() {
    var jvms = jvmsOfNode2();
    var second = network.start(jvms.get(1));
    var node1 = network.start(node1With(jvms));
    awaitConnected(node1, 1);
    long failed = node1.count(TransportCounter.CONNECTIONS_FAILED);

    await()
        .during(Duration.ofSeconds(1))
        .until(() -> node1.count(TransportCounter.CONNECTIONS_OPENED) == 1);
    node1.transport().send(List.of(numbered(NODE1, NODE2, 12)));

    await().untilAsserted(() -> assertThat(second.arrived()).containsExactly(12));
    assertThat(node1.count(TransportCounter.CONNECTIONS_FAILED)).isEqualTo(failed);
  }
}

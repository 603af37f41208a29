package dev.sequitur.transport;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static dev.sequitur.transport.Envelopes.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.LogLines;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessTransportTest {
  private final InProcessNetwork network = new InProcessNetwork();
  private final List<List<Envelope>> at2 = new ArrayList<>();
  private final List<List<Envelope>> at3 = new ArrayList<>();
  private final InProcessTransport node1 = join(NODE1, new ArrayList<>());
  private final InProcessTransport node2 = join(NODE2, at2);
  private final InProcessTransport node3 = join(NODE3, at3);

  private InProcessTransport join(NodeName name, List<List<Envelope>> arrived) {
    var transport = network.join(name, new PrometheusRegistry());
    transport.receive(arrived::add);
    return transport;
  }

  @Test
  void envelopesOfOneCallArriveAsOneBatchAtEachReceiverInOrder() {
    var first = numbered(NODE1, NODE2, 1);
    var second = numbered(NODE1, NODE3, 2);
    var third = numbered(NODE1, NODE2, 3);

    node1.send(List.of(first, second, third));

    assertThat(at2).containsExactly(List.of(first, third));
    assertThat(at3).containsExactly(List.of(second));
    assertThat(at2.get(0).get(0)).isSameAs(first);
  }

  @Test
  void whatIsSentToTheOwnNodeArrivesThere() {
    var envelope = numbered(NODE2, NODE2, 1);

    node2.send(List.of(envelope));

    assertThat(at2).containsExactly(List.of(envelope));
  }

  @Test
  void anUnknownReceiverIsCountedAndTheOthersAreServed() {
    var envelope = numbered(NODE1, NODE2, 2);

    node1.send(List.of(numbered(NODE1, new NodeName("nobody"), 1), envelope));

    assertThat(at2).containsExactly(List.of(envelope));
    assertThat(node1.counters().get(TransportCounter.DROPPED_UNKNOWN_RECEIVER)).isEqualTo(1);
    assertThat(node1.counters().get(TransportCounter.SENT)).isEqualTo(1);
  }

  @Test
  void aNodeCannotSpeakForAnother() {
    node1.send(List.of(numbered(NODE3, NODE2, 1)));

    assertThat(at2).isEmpty();
    assertThat(node1.counters().get(TransportCounter.DROPPED_WRONG_NODE)).isEqualTo(1);
  }

  @Test
  void aReceiverThatFailsAgainAndAgainIsOneLine() {
    network.join(new NodeName("broken"), new PrometheusRegistry()).receive(batch -> failure());

    try (var lines = new LogLines(Inbox.class)) {
      for (int i = 0; i < 100; i++) {
        node1.send(List.of(numbered(NODE1, new NodeName("broken"), i)));
      }

      assertThat(lines.lines("broken failed to take 1 envelopes: ")).hasSize(1);
    }
  }

  @Test
  void aReceiverThatFailsDoesNotHurtTheSender() {
    network.join(new NodeName("broken"), new PrometheusRegistry()).receive(batch -> failure());

    node1.send(List.of(numbered(NODE1, new NodeName("broken"), 1), numbered(NODE1, NODE2, 2)));

    assertThat(at2).hasSize(1);
  }

  private static void failure() {
    throw new IllegalStateException("broken");
  }

  @Test
  void aClosedNodeIsUnknownUntilItJoinsAgain() {
    node2.close();
    node1.send(List.of(numbered(NODE1, NODE2, 1)));
    assertThat(node1.peers()).containsExactly(NODE3);

    join(NODE2, at2);
    node1.send(List.of(numbered(NODE1, NODE2, 2)));

    assertThat(at2).hasSize(1);
    assertThat(node1.peers()).containsExactly(NODE2, NODE3);
  }

  @Test
  void aNodeThatHasClosedSendsNothing() {
    node1.close();

    node1.send(List.of(numbered(NODE1, NODE3, 1)));

    assertThat(at3).isEmpty();
    assertThat(node3.counters().get(TransportCounter.RECEIVED)).isZero();
  }

  @Test
  void twoNodesOfOneNameCannotJoin() {
    assertThatThrownBy(() -> network.join(NODE1, new PrometheusRegistry()))
        .hasMessage("A node named 'node1' has joined this network already.");
  }

  @Test
  void metricsBearPrometheusNames() {
    node1.send(List.of(numbered(NODE1, NODE2, 1)));

    assertThat(node1.counters().get(TransportCounter.SENT)).isEqualTo(1);
  }
}

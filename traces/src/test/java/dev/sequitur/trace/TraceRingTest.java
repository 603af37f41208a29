package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.transport.Envelopes;
import dev.sequitur.transport.InProcessNetwork;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TraceRingTest {
  private static final TransactionId TRANSACTION = Conversation.transaction(1);

  private final Conversation conversation = new Conversation(TRANSACTION);
  private Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;
  private final TraceRing ring = new TraceRing(TraceLimits.DEFAULT, clock);

  @Test
  void aTransactionIsTracedInOrderWithRolesAndAcknowledgements() {
    ring.sent(conversation.messages());

    assertThat(ring.trace(TRANSACTION))
        .extracting(message -> message.fromRole() + " " + message.type() + " " + message.toRole())
        .containsExactly(
            "sender DelegationCommand coordinator",
            "coordinator DelegationAccepted sender",
            "coordinator AssembleRequest sender",
            "sender AssembleResponse coordinator",
            "coordinator EndorsementRequest endorser",
            "endorser EndorsementError coordinator",
            "store StateDistribution store",
            "store StateDistributionAcknowledgement store",
            "submitter Dispatched sender",
            "coordinator CoordinatorHeartbeatNotification sender");
    assertThat(ring.trace(TRANSACTION))
        .extracting(TracedMessage::number)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void detailsTellCountsAndHeightsAndReasonsButNothingPrivate() {
    ring.sent(conversation.messages());
    ring.sent(List.of(conversation.reverted(Optional.empty())));

    assertThat(ring.trace(TRANSACTION))
        .extracting(TracedMessage::detail)
        .contains(
            "1 transaction, block height 42",
            "0 inputs, 1 output",
            "carol@node3: Refused",
            "can be tried again");
    assertThat(ring.trace(TRANSACTION).toString()).doesNotContain(Conversation.SECRET);
  }

  @Test
  void otherTransactionsAreLeftOut() {
    ring.sent(conversation.messages());

    assertThat(ring.trace(Conversation.transaction(2))).isEmpty();
  }

  @Test
  void whoeverToldOfTheRevertIsAcknowledged() {
    var hash = new TransactionHash(Hash.sha256(new byte[0]));
    var reverted = conversation.reverted(Optional.of(hash));
    ring.sent(List.of(reverted, conversation.revertedAcknowledgement(reverted)));

    assertThat(ring.trace(TRANSACTION))
        .extracting(TracedMessage::fromRole, TracedMessage::toRole)
        .containsExactly(tuple("submitter", "sender"), tuple("sender", "submitter"));
  }

  @Test
  void theOldestMessagesMakeRoomForNewOnes() {
    var small = new TraceRing(new TraceLimits(3, 1_000, 1, 1, 1), clock);

    small.sent(conversation.messages().subList(0, 5));

    assertThat(small.trace(TRANSACTION))
        .extracting(TracedMessage::type)
        .containsExactly("AssembleRequest", "AssembleResponse", "EndorsementRequest");
  }

  @Test
  void heartbeatsDoNotPushOutOtherMessages() {
    var small = new TraceRing(new TraceLimits(3, 1_000, 1, 2, 1), clock);
    small.sent(conversation.messages().subList(0, 2));

    IntStream.range(0, 10).forEach(i -> small.sent(List.of(conversation.submitterHeartbeat())));

    assertThat(small.heartbeats(CONTRACT)).hasSize(2);
    assertThat(small.trace(TRANSACTION)).hasSize(4);
  }

  @Test
  void underLoadAShareOfTheTransactionsIsTracedWholeAndTheOthersNotAtAll() {
    var limited = new TraceRing(new TraceLimits(100_000, 1_000, 1, 1, 1), clock);
    sendAll(limited, 1, 201);
    now = now.plusSeconds(1);

    sendAll(limited, 201, 401);

    assertThat(limited.share()).isBetween(0.49, 0.51);
    var lengths =
        LongStream.range(201, 401)
            .map(number -> limited.trace(Conversation.transaction(number)).size())
            .boxed()
            .toList();
    assertThat(lengths).allMatch(length -> length == 9 || length == 0);
    assertThat(lengths.stream().filter(length -> length == 9).count()).isBetween(70L, 130L);
  }

  /** 9 messages and a heartbeat each; the heartbeats' ring holds none of them but the last. */
  private static void sendAll(TraceRing ring, long first, long end) {
    LongStream.range(first, end)
        .mapToObj(number -> new Conversation(Conversation.transaction(number)))
        .forEach(conversation -> ring.sent(conversation.messages()));
    ring.sent(List.of(new Conversation(Conversation.transaction(0)).coordinatorHeartbeat()));
  }

  @Test
  void aTransactionUnderWayKeepsBeingTracedWhenTheLoadRises() {
    var limited = new TraceRing(new TraceLimits(100_000, 1, 1, 1, 1), clock);
    var messages = conversation.messages();
    limited.sent(messages.subList(0, 5));
    now = now.plusSeconds(1);

    limited.sent(messages.subList(5, 9));

    assertThat(limited.share()).isLessThan(1);
    assertThat(limited.trace(TRANSACTION)).hasSize(9);
  }

  @Test
  void processesUnderDifferentLoadChooseNestedSetsOfTransactions() {
    for (long number = 0; number < 1_000; number++) {
      var id = Conversation.transaction(number).value();
      if (TraceSampler.wouldTake(id, 0.1)) {
        assertThat(TraceSampler.wouldTake(id, 0.3)).isTrue();
      }
    }
  }

  @Test
  void severalThreadsRecordWithoutLosingAnything() throws Exception {
    var threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> tasks =
          LongStream.range(0, 100)
              .<Callable<Void>>mapToObj(
                  number ->
                      () -> {
                        ring.sent(new Conversation(Conversation.transaction(number)).messages());
                        return null;
                      })
              .toList();
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(LongStream.range(0, 100).mapToObj(Conversation::transaction))
        .allSatisfy(transaction -> assertThat(ring.trace(transaction)).hasSizeGreaterThan(8));
  }

  @Test
  void nodesOfOneProcessRecordAMessageOnce() {
    var network = new InProcessNetwork();
    var node1 = new TracedTransport(network.join(NODE1, new PrometheusRegistry()), ring, NODE1);
    var node2 = new TracedTransport(network.join(NODE2, new PrometheusRegistry()), ring, NODE2);
    node2.receive(batch -> {});

    node1.send(List.of(conversation.messages().get(0)));

    assertThat(ring.trace(TRANSACTION)).hasSize(1);
  }

  @Test
  void whatComesFromAnotherProcessIsRecordedWhenItArrives() {
    var network = new InProcessNetwork();
    var foreign = network.join(NODE1, new PrometheusRegistry());
    var node2 = new TracedTransport(network.join(NODE2, new PrometheusRegistry()), ring, NODE2);
    node2.receive(batch -> {});

    foreign.send(List.of(conversation.messages().get(0)));

    assertThat(ring.trace(TRANSACTION)).hasSize(1);
  }

  @Test
  void messagesAboutNoTransactionAreNotKept() {
    ring.sent(List.of(Envelopes.numbered(NODE1, NODE2, 1)));

    assertThat(ring.trace(TRANSACTION)).isEmpty();
  }
}

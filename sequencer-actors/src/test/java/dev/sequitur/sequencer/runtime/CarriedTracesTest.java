package dev.sequitur.sequencer.runtime;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Envelope.Traced;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.trace.SpanIds;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.trace.TracedTransport;
import dev.sequitur.trace.TransactionSpans;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two actor systems of one node in this process: the entities are in the second one. */
@Execution(ExecutionMode.CONCURRENT)
class CarriedTracesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final JvmsOfOneNode jvms = new JvmsOfOneNode();
  private final Jvm here = new Jvm("proxy");
  private final Jvm there = new Jvm("host");
  private final Arbitrary random = new Arbitrary(1);
  private TestProbe<Object> delivered;

  /** A JVM of the node, and the spans that it has told. */
  private final class Jvm {
    private final List<ReadableSpan> told = new CopyOnWriteArrayList<>();
    private final TransactionSpans spans =
        TransactionSpans.of(
            NODE2,
            SdkTracerProvider.builder()
                .setIdGenerator(new SpanIds())
                .addSpanProcessor(telling())
                .build()
                .get("test"),
            System::nanoTime);
    private final ActorTestKit kit;

    private Jvm(String role) {
      kit =
          jvms.start(
              """
              akka.cluster.roles = [%s]
              akka.cluster.sharding { state-store-mode = ddata, remember-entities = off }
              """
                  .formatted(role));
      CarriedTraces.carry(kit.system(), spans);
    }

    private SpanProcessor telling() {
      return new SpanProcessor() {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
          return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
          told.add(span);
        }

        @Override
        public boolean isEndRequired() {
          return true;
        }
      };
    }
  }

  @BeforeEach
  void start() {
    delivered = there.kit.createTestProbe();
    for (var jvm : List.of(there, here)) {
      Cluster.get(jvm.kit.system())
          .manager()
          .tell(Join.create(Cluster.get(there.kit.system()).selfMember().address()));
      init(jvm, SenderActor.KEY, new SenderActor.Stop());
      init(jvm, CoordinatorActor.KEY, new CoordinatorActor.Stop());
    }
  }

  private <C> void init(Jvm jvm, EntityTypeKey<C> key, C stop) {
    ClusterSharding.get(jvm.kit.system())
        .init(
            Entity.of(
                    key,
                    context ->
                        Behaviors.<C>receiveMessage(
                            message -> {
                              delivered.ref().tell(message);
                              return message.equals(stop) ? Behaviors.stopped() : Behaviors.same();
                            }))
                .withStopMessage(stop)
                .withRole("host"));
  }

  @AfterEach
  void stop() {
    jvms.stop();
  }

  private <C> void tellAcross(EntityTypeKey<C> key, C message) {
    ClusterSharding.get(here.kit.system()).entityRefFor(key, CONTRACT.value()).tell(message);
    assertThat(delivered.receiveMessage(PATIENCE)).isInstanceOf(message.getClass());
  }

  @Test
  void theSpanOfWhatOneJvmAcceptsEndsInTheJvmOfItsSender() {
    var transaction = random.next(PrivateTransaction.class);
    var call = here.spans.tracer().spanBuilder("ptx_sendTransaction").startSpan();
    var intent =
        new Intent(0, Instant.EPOCH, Optional.empty(), Hash.sha256(new byte[2]), transaction);
    here.spans.accepting(List.of(intent), Context.root().with(call));
    TestProbe<IntentHandover.Taken> taken = here.kit.createTestProbe();

    tellAcross(
        SenderActor.KEY,
        new SenderActor.IntentsHanded(List.of(transaction), 1, false, taken.ref()));
    there.spans.ended(
        List.of(
            new NumberedReceipt(
                1,
                new Receipt(
                    transaction.id(),
                    CONTRACT,
                    "record",
                    true,
                    Optional.empty(),
                    Optional.empty(),
                    Instant.EPOCH))));

    assertThat(here.told).isEmpty();
    assertThat(there.told)
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.getName()).isEqualTo("private transaction");
              assertThat(span.getParentSpanContext().getSpanId())
                  .isEqualTo(call.getSpanContext().getSpanId());
              assertThat(span.getSpanContext().getTraceId())
                  .isEqualTo(call.getSpanContext().getTraceId());
            });
  }

  @Test
  void aRequestThatOneJvmTakesIsInItsTraceWhereTheCoordinatorIs() {
    var command =
        new DelegationCommand(
            new DelegationId(NODE1, 1, 1),
            NODE2,
            CONTRACT,
            List.of(random.next(PrivateTransaction.class)),
            new BlockHeight(42));
    var id = command.transactions().get(0);
    var envelope =
        new Envelope(
            ProtocolVersion.CURRENT,
            new MessageId(UUID.randomUUID()),
            Optional.empty(),
            NODE1,
            NODE2,
            List.of(new Traced(id, new UUID(7, 9), 5)),
            command);
    take(here, envelope);

    tellAcross(
        CoordinatorActor.KEY,
        new CoordinatorActor.Deliver(
            List.of(new Received<>(NODE1, envelope.messageId(), command))));

    assertThat(there.spans.traceId(id)).contains("00000000000000070000000000000009");
  }

  /** As its listener does. */
  private static void take(Jvm jvm, Envelope envelope) {
    var transport =
        new Transport() {
          private Consumer<List<Envelope>> receiver;

          @Override
          public void send(List<Envelope> envelopes) {}

          @Override
          public void receive(Consumer<List<Envelope>> theReceiver) {
            receiver = theReceiver;
          }

          @Override
          public Set<NodeName> peers() {
            return Set.of(NODE1);
          }

          @Override
          public void close() {}
        };
    var ring = new TraceRing(TraceLimits.DEFAULT, InstantSource.system());
    new TracedTransport(transport, ring, jvm.spans, NODE2).receive(taken -> {});
    transport.receiver.accept(List.of(envelope));
  }
}

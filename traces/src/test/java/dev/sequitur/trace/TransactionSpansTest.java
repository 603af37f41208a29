package dev.sequitur.trace;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Envelope.Traced;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a node believes of the traces that another one names, and what it tells of its own. */
class TransactionSpansTest {
  private static final UUID TRACE = new UUID(7, 9);

  private final List<ReadableSpan> begun = new ArrayList<>();
  private final List<ReadableSpan> ended = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final TransactionSpans spans = TransactionSpans.of(NODE2, tracer(), nanos::get);

  /** Of another JVM of the same node. */
  private final TransactionSpans elsewhere = TransactionSpans.of(NODE2, tracer(), nanos::get);

  private final Arbitrary random = new Arbitrary(1);

  private Tracer tracer() {
    var seeing =
        new SpanProcessor() {
          @Override
          public void onStart(Context parent, ReadWriteSpan span) {
            begun.add(span);
          }

          @Override
          public boolean isStartRequired() {
            return true;
          }

          @Override
          public void onEnd(ReadableSpan span) {
            ended.add(span);
          }

          @Override
          public boolean isEndRequired() {
            return true;
          }
        };
    return SdkTracerProvider.builder()
        .setIdGenerator(new SpanIds())
        .addSpanProcessor(seeing)
        .build()
        .get("test");
  }

  private DelegationCommand delegation(int transactions) {
    return new DelegationCommand(
        new DelegationId(NODE1, 1, 1),
        NODE2,
        CONTRACT,
        IntStream.range(0, transactions)
            .mapToObj(each -> random.next(PrivateTransaction.class))
            .toList(),
        new BlockHeight(42));
  }

  private static Envelope envelope(
      NodeName from, NodeName to, Optional<MessageId> inReplyTo, Message payload) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        new MessageId(UUID.randomUUID()),
        inReplyTo,
        from,
        to,
        List.of(),
        payload);
  }

  private static Envelope delegated(Message payload, List<Traced> traced) {
    return envelope(NODE1, NODE2, Optional.empty(), payload).withTraced(traced);
  }

  private static List<Traced> traced(List<TransactionId> transactions) {
    return transactions.stream().map(id -> new Traced(id, TRACE, 5)).toList();
  }

  private List<String> names(List<ReadableSpan> which) {
    return which.stream().map(ReadableSpan::getName).toList();
  }

  @Test
  void aRequestOfAnotherNodeGoesOnInItsTraceUntilTheAnswerLeaves() {
    var command = delegation(2);
    var first = command.transactions().get(0);
    var asked = delegated(command, traced(List.of(first)));

    spans.received(List.of(asked));

    assertThat(names(begun)).containsExactly("DelegationCommand", "coordinate");
    assertThat(begun.get(0).getParentSpanContext().getTraceId())
        .isEqualTo("00000000000000070000000000000009");
    assertThat(begun.get(0).getParentSpanContext().getSpanId()).isEqualTo("0000000000000005");
    assertThat(spans.traceId(first)).contains("00000000000000070000000000000009");
    assertThat(spans.traceId(command.transactions().get(1))).isEmpty();
    assertThat(ended).isEmpty();
    spans.sent(List.of(envelope(NODE2, NODE1, Optional.of(asked.messageId()), accepted(command))));
    assertThat(names(ended)).containsExactly("DelegationCommand");
  }

  @Test
  void whatANodeSendsOnNamesItsOwnSpanForThoseThatAreTraced() {
    var command = delegation(2);
    var first = command.transactions().get(0);
    spans.received(List.of(delegated(command, traced(List.of(first)))));

    var sent = spans.sent(List.of(envelope(NODE2, NODE1, Optional.empty(), command)));

    assertThat(sent.get(0).traced())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.transaction()).isEqualTo(first);
              assertThat(it.trace()).isEqualTo(TRACE);
              assertThat(it.span()).isNotEqualTo(5);
            });
  }

  @Test
  void ofOneMessageNoMoreTracesAreBelievedThanANodeNames() {
    var command = delegation(100);

    spans.received(List.of(delegated(command, traced(command.transactions()))));

    assertThat(begun).hasSize(2 * TransactionSpans.MOST_TRACED);
  }

  @Test
  void aTraceOfWhatTheMessageIsNotAboutAndOneThatIsNoneArePassedOver() {
    var command = delegation(1);
    var id = command.transactions().get(0);
    var other = new Traced(new TransactionId(UUID.randomUUID()), TRACE, 5);
    var noTrace = new Traced(id, new UUID(0, 0), 5);
    var noSpan = new Traced(id, TRACE, 0);

    spans.received(List.of(delegated(command, List.of(other, noTrace, noSpan))));

    assertThat(begun).isEmpty();
    assertThat(spans.traceId(other.transaction())).isEmpty();
  }

  @Test
  void aRequestThatIsNotAnsweredEndsAfterAMinute() {
    var command = delegation(1);
    spans.received(List.of(delegated(command, traced(command.transactions()))));
    spans.sent(List.of(envelope(NODE2, NODE1, Optional.empty(), command)));
    nanos.addAndGet(61_000_000_000L);

    var next = delegation(1);
    spans.received(List.of(delegated(next, traced(next.transactions()))));

    assertThat(ended)
        .hasSize(2)
        .allSatisfy(
            span ->
                assertThat(span.getAttribute(AttributeKey.booleanKey("sequitur.unanswered")))
                    .isTrue());
  }

  private static Intent intent(PrivateTransaction transaction) {
    return new Intent(0, Instant.EPOCH, Optional.empty(), Hash.sha256(new byte[2]), transaction);
  }

  private static NumberedReceipt confirmed(TransactionId id) {
    return new NumberedReceipt(
        1,
        new Receipt(
            id, CONTRACT, "record", true, Optional.empty(), Optional.empty(), Instant.EPOCH));
  }

  private DelegationAccepted accepted(DelegationCommand command) {
    return new DelegationAccepted(
        command.delegationId(),
        NODE2,
        CONTRACT,
        command.transactions(),
        new HeartbeatSequence(1, 1));
  }

  @Test
  void whatIsAcceptedInOneJvmIsToldOnceByTheOneOfItsSender() {
    var intent = intent(random.next(PrivateTransaction.class));
    var id = intent.transaction().id();
    spans.accepting(List.of(intent), Context.root());

    var carried = spans.leaving(MessageRole.SENDER, List.of(id), List.of()).orElseThrow();
    var again = spans.leaving(MessageRole.SENDER, List.of(id), List.of()).orElseThrow();
    elsewhere.arrived(carried);
    elsewhere.arrived(again);
    elsewhere.ended(List.of(confirmed(id)));

    assertThat(names(begun)).containsExactly("private transaction", "private transaction");
    var first = begun.get(0);
    assertThat(ended)
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.getSpanContext()).isEqualTo(first.getSpanContext());
              assertThat(span.getAttributes()).isEqualTo(first.getAttributes());
              assertThat(span.toSpanData().getStartEpochNanos())
                  .isEqualTo(first.toSpanData().getStartEpochNanos());
              assertThat(span.getParentSpanContext().isValid()).isFalse();
            });
  }

  @Test
  void whatTheSenderSendsInAnotherJvmFollowsFromWhatWasAccepted() {
    var command = delegation(1);
    var transaction = command.privateTransactions().get(0);
    var id = transaction.id();
    spans.accepting(List.of(intent(transaction)), Context.root());
    elsewhere.arrived(spans.leaving(MessageRole.SENDER, List.of(id), List.of()).orElseThrow());

    elsewhere.sent(List.of(envelope(NODE2, NODE1, Optional.empty(), command)));

    assertThat(begun.getLast().getName()).isEqualTo("DelegationCommand");
    assertThat(begun.getLast().getParentSpanContext().getSpanId())
        .isEqualTo(begun.get(0).getSpanContext().getSpanId());
  }

  /** Its sender was taken up again where it was accepted. */
  @Test
  void ifTheJvmOfItsSenderDiesTheOneThatAcceptedItTellsIt() {
    var intent = intent(random.next(PrivateTransaction.class));
    var id = intent.transaction().id();
    spans.accepting(List.of(intent), Context.root());
    spans.leaving(MessageRole.SENDER, List.of(id), List.of());

    spans.ended(List.of(confirmed(id)));

    assertThat(names(ended)).containsExactly("private transaction");
  }

  @Test
  void aRequestIsAnsweredAndGoesOnInTheJvmWhereItsEntityIs() {
    var command = delegation(1);
    var id = command.transactions().get(0);
    var asked = delegated(command, traced(List.of(id)));
    spans.received(List.of(asked));

    elsewhere.arrived(
        spans
            .leaving(MessageRole.COORDINATOR, List.of(id), List.of(asked.messageId()))
            .orElseThrow());
    elsewhere.sent(
        List.of(envelope(NODE2, NODE1, Optional.of(asked.messageId()), accepted(command))));
    elsewhere.sent(List.of(envelope(NODE2, NODE1, Optional.empty(), command)));

    assertThat(ended)
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.getName()).isEqualTo("DelegationCommand");
              assertThat(span.getSpanContext()).isEqualTo(begun.get(0).getSpanContext());
              assertThat(span.getParentSpanContext().getSpanId()).isEqualTo("0000000000000005");
            });
    nanos.addAndGet(61_000_000_000L);
    spans.received(List.of(delegated(delegation(1), traced(List.of(id)))));
    assertThat(ended).hasSize(1);
  }

  @Test
  void anAnswerThatAnotherJvmTakesEndsTheRequestWhereItWasSent() {
    var command = delegation(1);
    var ids = command.transactions();
    var asked = envelope(NODE2, NODE1, Optional.empty(), command);
    elsewhere.received(List.of(delegated(command, traced(ids))));
    var sent = elsewhere.sent(List.of(asked)).get(0);
    var atPeer = TransactionSpans.of(NODE1, tracer(), nanos::get);
    atPeer.received(List.of(sent));
    begun.clear();
    ended.clear();

    var answer =
        atPeer
            .sent(
                List.of(envelope(NODE1, NODE2, Optional.of(asked.messageId()), accepted(command))))
            .get(0);
    ended.clear();
    spans.received(List.of(answer));
    assertThat(ended).isEmpty();
    elsewhere.arrived(
        spans.leaving(MessageRole.SENDER, ids, List.of(answer.messageId())).orElseThrow());

    assertThat(ended)
        .singleElement()
        .satisfies(
            span ->
                assertThat(span.toSpanData().getSpanId())
                    .isEqualTo("%016x".formatted(sent.traced().get(0).span())));
  }

  @Test
  void ofWhatIsNotTracedNothingGoesAlong() {
    var command = delegation(1);
    var asked = delegated(command, List.of());
    spans.received(List.of(asked));

    var ids = command.transactions();
    assertThat(spans.leaving(MessageRole.COORDINATOR, ids, List.of(asked.messageId()))).isEmpty();
    assertThat(TransactionSpans.OFF.leaving(MessageRole.SENDER, ids, List.of())).isEmpty();
  }

  @Test
  void withoutATraceEnvelopesGoOnAsTheyAre() {
    var envelopes = List.of(envelope(NODE2, NODE1, Optional.empty(), delegation(3)));

    assertThat(spans.sent(envelopes)).isSameAs(envelopes);
    assertThat(TransactionSpans.OFF.sent(envelopes)).isSameAs(envelopes);
    assertThat(begun).isEmpty();
  }
}

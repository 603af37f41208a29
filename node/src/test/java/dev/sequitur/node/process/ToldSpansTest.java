package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.node.process.Tracing.ToldSeldom;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.trace.TransactionSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What of a node's spans is told, without a network. */
class ToldSpansTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));

  private final List<SpanData> told = new ArrayList<>();
  private boolean away;

  private final SpanExporter exporter =
      new SpanExporter() {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
          told.addAll(spans);
          return away ? CompletableResultCode.ofFailure() : CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
          return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
          return CompletableResultCode.ofSuccess();
        }
      };

  private final AtomicLong nanos = new AtomicLong();
  private final TransactionSpans spans =
      TransactionSpans.of(
          new NodeName("node1"),
          SdkTracerProvider.builder()
              .addSpanProcessor(SimpleSpanProcessor.create(exporter))
              .build()
              .get("test"),
          nanos::get);

  private static Intent intent(Optional<String> key) {
    var transaction =
        new PrivateTransaction(
            new TransactionId(UUID.randomUUID()),
            CONTRACT,
            "record",
            "increment",
            Identity.parse("alice@node1"),
            Bytes.EMPTY,
            SubmitMode.AUTO,
            List.of(),
            Hash.sha256(new byte[1]));
    return new Intent(
        0,
        Instant.EPOCH,
        key.map(name -> new IdempotencyKey(Owner.SCHEDULES, name)),
        Hash.sha256(new byte[2]),
        transaction);
  }

  private static NumberedReceipt confirmed(Intent intent) {
    var place =
        new Receipt.OnLedger(
            new TransactionHash(Hash.sha256(new byte[3])),
            new BlockHeight(7),
            0,
            List.of(),
            List.of(),
            List.of());
    return new NumberedReceipt(
        1,
        new Receipt(
            intent.transaction().id(),
            CONTRACT,
            "record",
            true,
            Optional.of(place),
            Optional.empty(),
            Instant.EPOCH));
  }

  @Test
  void whatAScheduleRunsIsATraceOfItsOwnThatNamesTheSchedule() {
    var schedule = new ScheduleId(FamilyKind.RECURRING, Hash.sha256(new byte[4]));
    var intent =
        intent(Optional.of(new OccurrenceKey(schedule, 1, 0, 1).idempotencyKey("default")));

    spans.accepting(List.of(intent), Context.root());
    var id = intent.transaction().id();
    assertThat(spans.traceId(id)).isPresent();
    spans.accepted(
        List.of(intent), Optional.of(new Acceptance.Accepted(List.of(id), List.of(intent))));
    spans.ended(List.of(confirmed(intent)));

    assertThat(told).hasSize(1);
    var span = told.get(0);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getAttributes().get(AttributeKey.stringKey("sequitur.schedule.id")))
        .isEqualTo("default/" + schedule);
    assertThat(span.getAttributes().get(AttributeKey.longKey("sequitur.block.height")))
        .isEqualTo(7);
  }

  @Test
  void whatAScheduleRunsIsLinkedToTheCallThatMadeIt() {
    var schedule = new ScheduleId(FamilyKind.RECURRING, Hash.sha256(new byte[4]));
    var call = spans.tracer().spanBuilder("recurring_scheduleNotifyTask").startSpan();
    spans.scheduled("default/" + schedule, call);
    call.end();
    for (int occurrence = 0; occurrence < 2; occurrence++) {
      var key = new OccurrenceKey(schedule, 1, occurrence, 1).idempotencyKey("default");
      var intent = intent(Optional.of(key));
      spans.accepting(List.of(intent), Context.root());
      spans.ended(List.of(confirmed(intent)));
    }

    assertThat(told).hasSize(3);
    assertThat(told.get(0).getAttributes().get(AttributeKey.stringKey("sequitur.schedule.id")))
        .isEqualTo("default/" + schedule);
    for (var run : told.subList(1, 3)) {
      assertThat(run.getTraceId()).isNotEqualTo(told.get(0).getTraceId());
      assertThat(run.getLinks())
          .singleElement()
          .satisfies(
              link -> assertThat(link.getSpanContext()).isEqualTo(told.get(0).getSpanContext()));
    }
  }

  @Test
  void aPublicTransactionIsASpanFromItsAcceptanceToItsReceipt() {
    var caller = spans.tracer().spanBuilder("ptx_sendTransaction").startSpan();
    var sent =
        new PublicTransaction(
            new TransactionId(UUID.randomUUID()),
            Identity.parse("alice@node1"),
            Optional.of(CONTRACT),
            Bytes.EMPTY,
            BigInteger.ZERO,
            0,
            PublicTransaction.Source.NONE);
    var intent = new Intent(0, Instant.EPOCH, Optional.empty(), Hash.sha256(new byte[2]), sent);

    spans.accepting(List.of(intent), Context.root().with(caller));
    spans.accepted(
        List.of(intent), Optional.of(new Acceptance.Accepted(List.of(sent.id()), List.of(intent))));
    spans.ended(List.of(confirmed(intent)));

    assertThat(told).hasSize(1);
    var span = told.get(0);
    assertThat(span.getName()).isEqualTo("public transaction");
    assertThat(span.getParentSpanContext().getSpanId())
        .isEqualTo(caller.getSpanContext().getSpanId());
    assertThat(span.getAttributes().get(AttributeKey.stringKey("sequitur.transaction.id")))
        .isEqualTo(sent.id().toString());
    assertThat(span.getAttributes().get(AttributeKey.longKey("sequitur.block.height")))
        .isEqualTo(7);
  }

  @Test
  void whatWasNotAcceptedOrWasThereBeforeIsNotTold() {
    var intent = intent(Optional.empty());

    spans.accepting(List.of(intent), Context.root());
    spans.accepted(List.of(intent), Optional.empty());
    spans.ended(List.of(confirmed(intent)));

    assertThat(told).isEmpty();
    assertThat(spans.traceId(intent.transaction().id())).isEmpty();
  }

  @Test
  void whatNeverEndsIsToldAsUnfinishedAndForgotten() {
    var forgotten = intent(Optional.empty());
    spans.accepting(List.of(forgotten), Context.root());
    nanos.addAndGet(16 * 60_000_000_000L);

    spans.accepting(List.of(intent(Optional.empty())), Context.root());

    assertThat(told).hasSize(1);
    assertThat(told.get(0).getAttributes().get(AttributeKey.booleanKey("sequitur.unfinished")))
        .isTrue();
    assertThat(spans.traceId(forgotten.transaction().id())).isEmpty();
  }

  @Test
  void beyondItsRoomATransactionHasNoSpansAndNothingElseChanges() {
    for (int i = 0; i < 10_001; i++) {
      var intent = intent(Optional.empty());
      spans.accepting(List.of(intent), Context.root());
      assertThat(spans.traceId(intent.transaction().id()).isPresent()).isEqualTo(i < 10_000);
    }
  }

  @Test
  void aCollectorThatIsAwayIsALineAMinute() {
    var log = (Logger) LoggerFactory.getLogger(Tracing.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    log.addAppender(lines);
    try {
      away = true;
      var seldom = new ToldSeldom(exporter, "http://collector/v1/traces", nanos::get);
      for (int second = 0; second < 120; second++) {
        seldom.export(List.of());
        nanos.addAndGet(1_000_000_000L);
      }
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list).hasSize(2);
    assertThat(lines.list.get(0).getFormattedMessage())
        .contains("The collector at http://collector/v1/traces does not take spans")
        .contains("tracing.endpoint");
  }
}

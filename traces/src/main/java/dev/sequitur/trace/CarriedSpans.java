package dev.sequitur.trace;

import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.TransactionId;
import io.opentelemetry.api.common.AttributeType;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.LinkData;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * What goes along with a message to an entity in another JVM of the node, of what is sampled only.
 *
 * @param to whom the message is for
 */
record CarriedSpans(
    MessageRole to,
    List<OfTransaction> transactions,
    List<OfRequest> requests,
    List<OfReply> replies) {
  private static final Codec<CarriedSpans> CODEC =
      Codecs.framed().values(TransactionId.class, MessageId.class).build().of(CarriedSpans.class);

  /**
   * What of a transaction has begun.
   *
   * @param first of this node
   * @param begun of each role that is known of
   * @param lasting that of the role which the message is for
   */
  record OfTransaction(
      TransactionId transaction, Point first, List<InRole> begun, Optional<Moved> lasting) {}

  record InRole(MessageRole role, Point span) {}

  /** Another node's request, which is answered from there. */
  record OfRequest(MessageId request, List<OfOne> spans) {}

  record OfOne(TransactionId transaction, Moved span) {}

  /**
   * Another node's answer to a request that was sent from there.
   *
   * @param about empty if it is of all that was asked
   */
  record OfReply(MessageId request, List<TransactionId> about) {}

  /** A span of a trace, sampled. */
  record Point(UUID trace, long span) {
    static Point of(SpanContext context) {
      var bytes = ByteBuffer.wrap(HexFormat.of().parseHex(context.getTraceId()));
      return new Point(
          new UUID(bytes.getLong(), bytes.getLong()),
          HexFormat.fromHexDigitsToLong(context.getSpanId()));
    }

    SpanContext context() {
      var hex = HexFormat.of();
      return SpanContext.createFromRemoteParent(
          hex.toHexDigits(trace.getMostSignificantBits())
              + hex.toHexDigits(trace.getLeastSignificantBits()),
          hex.toHexDigits(span),
          TraceFlags.getSampled(),
          TraceState.getDefault());
    }
  }

  /**
   * A span that has begun in one JVM and ends in another, which alone tells it.
   *
   * @param texts its attributes; it has no others before it moves
   */
  record Moved(
      Point ids,
      Optional<Point> parent,
      String name,
      SpanKind kind,
      long begunNanos,
      Map<String, String> texts,
      List<Point> links) {

    /** Empty for one that is told nowhere. */
    static Optional<Moved> of(Span span) {
      if (!(span instanceof ReadableSpan readable)) {
        return Optional.empty();
      }
      var data = readable.toSpanData();
      var texts = new TreeMap<String, String>();
      data.getAttributes()
          .forEach(
              (key, value) -> {
                if (key.getType() == AttributeType.STRING) {
                  texts.put(key.getKey(), (String) value);
                }
              });
      var parent = data.getParentSpanContext();
      return Optional.of(
          new Moved(
              Point.of(data.getSpanContext()),
              parent.isValid() ? Optional.of(Point.of(parent)) : Optional.empty(),
              data.getName(),
              data.getKind(),
              data.getStartEpochNanos(),
              texts,
              data.getLinks().stream().map(LinkData::getSpanContext).map(Point::of).toList()));
    }

    Span again(Tracer tracer) {
      var parents =
          parent.map(it -> Context.root().with(Span.wrap(it.context()))).orElseGet(Context::root);
      var builder =
          tracer
              .spanBuilder(name)
              .setSpanKind(kind)
              .setParent(parents)
              .setStartTimestamp(begunNanos, TimeUnit.NANOSECONDS);
      links.forEach(link -> builder.addLink(link.context()));
      texts.forEach(builder::setAttribute);
      return SpanIds.again(ids.context(), builder);
    }
  }

  boolean isEmpty() {
    return transactions.isEmpty() && requests.isEmpty() && replies.isEmpty();
  }

  byte[] bytes() {
    return CODEC.encode(this);
  }

  static CarriedSpans read(byte[] bytes) {
    return CODEC.decode(bytes);
  }
}

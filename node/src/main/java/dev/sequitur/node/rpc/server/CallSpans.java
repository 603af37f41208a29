package dev.sequitur.node.rpc.server;

import dev.sequitur.node.guard.Quotas.Begun;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.trace.TransactionSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The span of a call, within the trace that its caller names. Thread-safe. */
final class CallSpans {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
  private static final AttributeKey<String> VERSION = AttributeKey.stringKey("rpc.jsonrpc.version");
  private static final AttributeKey<String> CODE = AttributeKey.stringKey("error.type");

  private static final TextMapGetter<String> HEADER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String header) {
          return List.of("traceparent");
        }

        @Override
        public String get(String header, String name) {
          return "traceparent".equals(name) ? header : null;
        }
      };

  private final TransactionSpans spans;
  private final Tracer tracer;

  CallSpans(TransactionSpans spans) {
    this.spans = spans;
    this.tracer = spans.tracer();
  }

  /**
   * @param method of the table: callers cannot make names
   * @param traceParent the header as it was sent; one that cannot be read is passed over
   */
  Span begin(String method, Optional<String> traceParent) {
    var parent =
        traceParent
            .map(
                header ->
                    W3CTraceContextPropagator.getInstance().extract(Context.root(), header, HEADER))
            .orElse(Context.root());
    return tracer
        .spanBuilder(method)
        .setSpanKind(SpanKind.SERVER)
        .setParent(parent)
        .setAttribute(SYSTEM, "jsonrpc")
        .setAttribute(METHOD, method)
        .setAttribute(VERSION, "2.0")
        .startSpan();
  }

  /** What is asked within it follows from it, if it asks before it returns. */
  static <T> T within(Span span, Supplier<T> answer) {
    try (var scope = span.makeCurrent()) {
      return answer.get();
    }
  }

  /**
   * What a call has begun: what a schedule runs later is a trace of its own, linked to the call.
   */
  void began(Span span, Supplier<List<Begun>> begun) {
    if (!span.getSpanContext().isSampled()) {
      return;
    }
    for (var each : begun.get()) {
      switch (each) {
        case Begun.Scheduled(var queue, var id) -> spans.scheduled(queue + "/" + id, span);
        case Begun.Sent ignored -> {}
      }
    }
  }

  /** The trace that a call is in, if that is sampled. */
  static Optional<String> traceId(Span span) {
    var context = span.getSpanContext();
    return context.isSampled() ? Optional.of(context.getTraceId()) : Optional.empty();
  }

  static void ended(Span span, Optional<RpcFailure> failure) {
    failure.ifPresent(
        it -> {
          span.setAttribute(CODE, it.code());
          span.setStatus(StatusCode.ERROR);
        });
    span.end();
  }
}

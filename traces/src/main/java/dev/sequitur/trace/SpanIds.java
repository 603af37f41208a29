package dev.sequitur.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * The ids of new spans: by chance, but for one that goes on in another JVM of its node, which keeps
 * its own. What was told to follow from it still does. Thread-safe.
 */
public final class SpanIds implements IdGenerator {
  private static final IdGenerator BY_CHANCE = IdGenerator.random();

  /** What this thread begins at this moment; empty but during {@link #again}. */
  private static final ThreadLocal<SpanContext> GIVEN = new ThreadLocal<>();

  /**
   * Begins a span under the ids that it had elsewhere, if its tracer takes ids from here.
   *
   * @param span whose parent, if it has one, is of the same trace
   */
  static Span again(SpanContext ids, SpanBuilder span) {
    GIVEN.set(ids);
    try {
      return span.startSpan();
    } finally {
      GIVEN.remove();
    }
  }

  @Override
  public String generateSpanId() {
    var given = GIVEN.get();
    return given == null ? BY_CHANCE.generateSpanId() : given.getSpanId();
  }

  @Override
  public String generateTraceId() {
    var given = GIVEN.get();
    return given == null ? BY_CHANCE.generateTraceId() : given.getTraceId();
  }
}

package dev.sequitur.node.hapi;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;

/** Counts what the front answers. Thread-safe, cheap. */
final class HapiMetrics {
  private static final double NANOS = 1e9;

  /** What was called: never by a caller's own words. */
  enum Called {
    TRANSACTION,
    BALANCE,
    ACCOUNT_INFO,
    SCHEDULE_INFO,
    RECEIPT,
    RECORD,
    VERSION,
    OTHER;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a call ended. */
  enum Outcome {
    /** With what was asked for, or taken. */
    OK,
    /** With a code that says why not: the caller's doing. */
    REFUSED,
    /** There is too much to do, or too much from one address. */
    BUSY,
    /** The node could not do what it should. */
    FAILED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Counter calls;
  private final Histogram seconds;

  HapiMetrics(PrometheusRegistry registry) {
    calls =
        Counter.builder()
            .name("sequitur_hapi_calls")
            .help(
                "Calls of Hedera's clients, by what was called: ok, refused with a code, busy, or"
                    + " failed since the node could not do it.")
            .labelNames("call", "outcome")
            .register(registry);
    for (var called : Called.values()) {
      for (var outcome : Outcome.values()) {
        calls.initLabelValues(called.word(), outcome.word());
      }
    }
    seconds =
        Histogram.builder()
            .name("sequitur_hapi_call_duration_seconds")
            .help("From a call of one of Hedera's clients to its answer.")
            .classicOnly()
            .classicUpperBounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30)
            .register(registry);
  }

  void answered(Called called, Outcome outcome, long startNanos) {
    calls.labelValues(called.word(), outcome.word()).inc();
    seconds.observe((System.nanoTime() - startNanos) / NANOS);
  }
}

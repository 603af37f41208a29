package dev.sequitur.node.rpc.server;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.metrics.LabelledCounter;
import dev.sequitur.console.Release;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.RpcMethod;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmCompilationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryPoolAllocationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts what the endpoint answers, and writes it with the node's and the JVM's own figures, in
 * OpenMetrics' or Prometheus' text format. Labels come from the tables of methods and errors, never
 * from a caller. Thread-safe; to count an answer takes no lock and looks up no labels.
 */
final class RpcMetrics {
  private static final double NANOS = 1e9;

  /** Codes of what is not the caller's doing, beside those that say so by their number. */
  private static final Set<String> FAULTS =
      Stream.of(ErrorCode.values())
          .filter(ErrorCode::isFault)
          .map(ErrorCode::code)
          .collect(Collectors.toUnmodifiableSet());

  /** How a call ended. */
  private enum Outcome {
    OK,
    /** The caller asked for what it should not, or too often. */
    REFUSED,
    /** The node could not do what it should. */
    FAILED
  }

  /** What is held for one method. */
  private record OfMethod(Map<Outcome, CounterDataPoint> requests, DistributionDataPoint seconds) {}

  private final PrometheusRegistry registry;
  private final ExpositionFormats formats = ExpositionFormats.init();
  private final Counter requests;
  private final Counter errors;
  private final Histogram seconds;
  private final Map<String, OfMethod> methods = new ConcurrentHashMap<>();
  private final Counter connectionsRefused;
  private final Gauge webSockets;

  /**
   * @param registry of the node, with what its parts count and measure
   */
  RpcMetrics(PrometheusRegistry registry) {
    this.registry = registry;
    registerThoseOfTheJvm(registry);
    Info.builder()
        .name("sequitur_build_info")
        .help("The release that runs.")
        .labelNames("version")
        .register(registry)
        .setLabelValues(Release.name());
    requests =
        Counter.builder()
            .name("sequitur_rpc_requests")
            .help(
                "Requests answered, by method: ok, refused since the caller asked for what it"
                    + " should not, or failed since the node could not do it.")
            .labelNames("method", "outcome")
            .register(registry);
    errors =
        Counter.builder()
            .name("sequitur_rpc_errors")
            .help(
                "Errors answered, by their code; also to what was refused before its method was"
                    + " known.")
            .labelNames("code")
            .register(registry);
    for (var error : ErrorCode.values()) {
      errors.initLabelValues(error.code());
    }
    seconds =
        Histogram.builder()
            .name("sequitur_rpc_request_duration_seconds")
            .help("From the request to its answer, by namespace: what a method's name begins with.")
            .labelNames("namespace")
            .classicOnly()
            .classicUpperBounds(
                0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30)
            .register(registry);
    connectionsRefused =
        Counter.builder()
            .name("sequitur_rpc_connections_refused")
            .help("Connections that came beyond a limit and were answered health and metrics only.")
            .register(registry);
    webSockets =
        Gauge.builder()
            .name("sequitur_rpc_websockets")
            .help("WebSockets that are open.")
            .register(registry);
  }

  /**
   * All but those of native memory: there are none without a flag of the JVM, and to ask whether
   * there are sets up all the management beans of the JVM, which makes the start longer.
   */
  private static void registerThoseOfTheJvm(PrometheusRegistry registry) {
    JvmThreadsMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmClassLoadingMetrics.builder().register(registry);
    JvmCompilationMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmMemoryPoolAllocationMetrics.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
    ProcessMetrics.builder().register(registry);
  }

  /** Shows each method from the start, so that a rate is known from its first request on. */
  void methods(Collection<RpcMethod> all) {
    for (var method : all) {
      var counters = new EnumMap<Outcome, CounterDataPoint>(Outcome.class);
      for (var outcome : Outcome.values()) {
        counters.put(outcome, requests.labelValues(method.name(), LabelledCounter.word(outcome)));
      }
      methods.put(
          method.name(), new OfMethod(counters, seconds.labelValues(namespace(method.name()))));
    }
  }

  /**
   * A histogram for each of more than a hundred methods was most of what an idle node was scraped
   * for.
   */
  private static String namespace(String method) {
    return method.split("[._]", 2)[0];
  }

  /**
   * @param method one of the table
   * @param trace in which it was answered, if that is sampled: shown as an example of its duration
   */
  void answered(
      String method, Optional<RpcFailure> failure, long startNanos, Optional<String> trace) {
    failure.ifPresent(it -> errors.labelValues(it.code()).inc());
    var of = methods.get(method);
    of.requests().get(failure.map(RpcMetrics::outcome).orElse(Outcome.OK)).inc();
    double took = (System.nanoTime() - startNanos) / NANOS;
    if (trace.isPresent()) {
      of.seconds().observeWithExemplar(took, Labels.of("trace_id", trace.get()));
    } else {
      of.seconds().observe(took);
    }
  }

  private static Outcome outcome(RpcFailure failure) {
    return FAULTS.contains(failure.code()) ? Outcome.FAILED : Outcome.REFUSED;
  }

  /** Something was refused before its method was known. */
  void unreadable(String code) {
    errors.labelValues(code).inc();
  }

  void connectionRefused() {
    connectionsRefused.inc();
  }

  /** Shows how many connections are open. */
  void connections(IntSupplier open) {
    Gauges.show(
        registry,
        "sequitur_rpc_connections",
        "Connections that are open, WebSockets included.",
        open::getAsInt);
  }

  /** Shows what is held of answers that are being made. */
  void answers(LongSupplier bytes) {
    Gauges.show(
        registry,
        "sequitur_rpc_answers_bytes",
        "Bytes of the answers that are being made, and of the rows that were found for them.",
        bytes::getAsLong);
  }

  void webSocketOpened() {
    webSockets.inc();
  }

  void webSocketClosed() {
    webSockets.dec();
  }

  /**
   * All figures as text.
   *
   * @param contentType of it
   */
  record Page(String contentType, byte[] text) {}

  /**
   * @param accept the header: OpenMetrics, which shows examples too, for who asks for it, as
   *     Prometheus does; else Prometheus' text format
   */
  Page scrape(Optional<String> accept) {
    var writer = formats.findWriter(accept.orElse(null));
    var out = new ByteArrayOutputStream();
    try {
      writer.write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed.", e);
    }
    return new Page(writer.getContentType(), out.toByteArray());
  }
}

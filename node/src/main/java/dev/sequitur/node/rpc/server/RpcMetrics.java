package dev.sequitur.node.rpc.server;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.node.rpc.method.RpcMethod;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.function.IntSupplier;

/**
 * Counts what the endpoint answers, and writes it with the node's and the JVM's own figures in
 * Prometheus' text format. Labels come from the tables of methods and errors, never from a caller.
 */
final class RpcMetrics {
  private static final double NANOS = 1e9;

  private final PrometheusRegistry registry;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final Counter requests;
  private final Counter unreadable;
  private final Histogram seconds;
  private final Counter connectionsRefused;
  private final Gauge webSockets;

  /**
   * @param registry of the node, with what its parts count and measure
   */
  RpcMetrics(PrometheusRegistry registry) {
    this.registry = registry;
    registerThoseOfTheJvm(registry);
    requests =
        Counter.builder()
            .name("sequitur_rpc_requests")
            .help("Requests answered, by method and by ok or the code of the error.")
            .labelNames("method", "outcome")
            .register(registry);
    unreadable =
        Counter.builder()
            .name("sequitur_rpc_unreadable")
            .help("What was refused before its method was known, by the code of the error.")
            .labelNames("outcome")
            .register(registry);
    seconds =
        Histogram.builder()
            .name("sequitur_rpc_seconds")
            .help("From the request to its answer, by method.")
            .labelNames("method")
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
  void methods(Collection<RpcMethod> methods) {
    for (var method : methods) {
      requests.initLabelValues(method.name(), "ok");
      seconds.initLabelValues(method.name());
    }
  }

  void answered(String method, String outcome, long startNanos) {
    requests.labelValues(method, outcome).inc();
    seconds.labelValues(method).observe((System.nanoTime() - startNanos) / NANOS);
  }

  void unreadable(String code) {
    unreadable.labelValues(code).inc();
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

  void webSocketOpened() {
    webSockets.inc();
  }

  void webSocketClosed() {
    webSockets.dec();
  }

  String contentType() {
    return writer.getContentType();
  }

  byte[] scrape() {
    var out = new ByteArrayOutputStream();
    try {
      writer.write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed.", e);
    }
    return out.toByteArray();
  }
}

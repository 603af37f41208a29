package dev.sequitur.node.rpc.server;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.util.Map;
import java.util.function.Supplier;

/** The node's own figures: what ends in {@code _total} is a counter, the rest are gauges. */
final class NodeCollector implements MultiCollector {
  private static final String COUNTER = "_total";
  private static final String HELP = "A figure of the node.";

  private final Supplier<Map<String, Double>> figures;

  /**
   * @param figures by name
   */
  NodeCollector(Supplier<Map<String, Double>> figures) {
    this.figures = figures;
  }

  @Override
  public MetricSnapshots collect() {
    var snapshots = MetricSnapshots.builder();
    figures
        .get()
        .forEach(
            (name, value) -> {
              var snapshot = snapshot(name, value);
              if (!snapshots.containsMetricName(snapshot.getMetadata().getName())) {
                snapshots.metricSnapshot(snapshot);
              }
            });
    return snapshots.build();
  }

  private static MetricSnapshot snapshot(String name, double value) {
    if (name.endsWith(COUNTER) && value >= 0) {
      var base = name.substring(0, name.length() - COUNTER.length());
      return CounterSnapshot.builder()
          .name(PrometheusNaming.sanitizeMetricName(base))
          .help(HELP)
          .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
          .build();
    }
    return GaugeSnapshot.builder()
        .name(PrometheusNaming.sanitizeMetricName(name))
        .help(HELP)
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }
}

package dev.sequitur.cluster.metrics;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The counters, gauges and histograms (their count and sum) of a registry, by name and labels as
 * Prometheus' text format has them.
 */
public final class Shown {
  private Shown() {}

  public static Map<String, Double> in(PrometheusRegistry registry) {
    var shown = new TreeMap<String, Double>();
    registry.scrape().forEach(snapshot -> read(snapshot, shown));
    return shown;
  }

  private static void read(MetricSnapshot snapshot, Map<String, Double> shown) {
    var name = snapshot.getMetadata().getPrometheusName();
    if (snapshot instanceof CounterSnapshot counter) {
      counter
          .getDataPoints()
          .forEach(point -> shown.put(name + "_total" + labels(point), point.getValue()));
    } else if (snapshot instanceof GaugeSnapshot gauge) {
      gauge.getDataPoints().forEach(point -> shown.put(name + labels(point), point.getValue()));
    } else if (snapshot instanceof HistogramSnapshot histogram) {
      histogram
          .getDataPoints()
          .forEach(
              point -> {
                shown.put(name + "_count" + labels(point), (double) point.getCount());
                shown.put(name + "_sum" + labels(point), point.getSum());
              });
    }
  }

  private static String labels(DataPointSnapshot point) {
    return point.getLabels().isEmpty()
        ? ""
        : point.getLabels().stream().map(Shown::label).collect(Collectors.joining(",", "{", "}"));
  }

  private static String label(Label label) {
    return label.getName() + "=\"" + label.getValue() + "\"";
  }
}

package dev.sequitur.transport;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Map;

/** The counters of one transport since it was made. Thread-safe and cheap to add to. */
public final class TransportCounters {
  private final Map<TransportCounter, CounterDataPoint> counters =
      new EnumMap<>(TransportCounter.class);

  /**
   * @param registry of the transport's node; it has none of these names yet
   */
  public TransportCounters(PrometheusRegistry registry) {
    var families = new EnumMap<TransportCounter.Family, Counter>(TransportCounter.Family.class);
    for (var family : TransportCounter.Family.values()) {
      families.put(
          family,
          Counter.builder()
              .name(family.metricName())
              .help(family.help)
              .labelNames(family.label)
              .register(registry));
    }
    for (var counter : TransportCounter.values()) {
      counters.put(counter, families.get(counter.family()).labelValues(counter.word()));
    }
  }

  public void add(TransportCounter counter, long amount) {
    counters.get(counter).inc(amount);
  }

  public long get(TransportCounter counter) {
    return counters.get(counter).getLongValue();
  }
}

package dev.sequitur.cluster.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * A counter with one label, whose values are the constants of an enum in lower case. All are shown
 * from the start: a counter that is not there before it counts is one whose first step no alert
 * sees. Thread-safe, cheap.
 */
public final class LabelledCounter<E extends Enum<E>> {
  private final Map<E, CounterDataPoint> points;

  /**
   * @param name without {@code _total}, which Prometheus adds
   * @param help a sentence for operators
   * @throws IllegalArgumentException if the registry has such a name already
   */
  public LabelledCounter(
      PrometheusRegistry registry, String name, String help, String label, Class<E> values) {
    var counter = Counter.builder().name(name).help(help).labelNames(label).register(registry);
    points = new EnumMap<>(values);
    for (var value : values.getEnumConstants()) {
      points.put(value, counter.labelValues(word(value)));
    }
  }

  /** A constant as the value of a label. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public void add(E value, long howMany) {
    points.get(value).inc(howMany);
  }

  /** Of amounts, which a long does not hold. */
  public void add(E value, double howMuch) {
    points.get(value).inc(howMuch);
  }

  public void increment(E value) {
    add(value, 1);
  }

  /** Since the registry was made. */
  public long get(E value) {
    return points.get(value).getLongValue();
  }
}

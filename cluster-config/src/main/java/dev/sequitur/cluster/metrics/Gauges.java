package dev.sequitur.cluster.metrics;

import static java.util.stream.Collectors.toMap;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Shows what is asked for only when somebody looks. */
public final class Gauges {
  private Gauges() {}

  /**
   * @param help a sentence for operators
   * @param value asked by the thread that answers {@code /metrics}; must not block
   */
  public static void show(
      PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  /**
   * @param values by the label's value, bounded in number; as for {@link #show(PrometheusRegistry,
   *     String, String, DoubleSupplier)}
   */
  public static void showNamed(
      PrometheusRegistry registry,
      String name,
      String help,
      String label,
      Supplier<Map<String, Double>> values) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(callback -> values.get().forEach((word, value) -> callback.call(value, word)))
        .register(registry);
  }

  /**
   * @param values by the constant that is, in lower case, the label's value; as for {@link
   *     #show(PrometheusRegistry, String, String, DoubleSupplier)}
   */
  public static <E extends Enum<E>> void show(
      PrometheusRegistry registry,
      String name,
      String help,
      String label,
      Supplier<Map<E, Double>> values) {
    showNamed(
        registry,
        name,
        help,
        label,
        () ->
            values.get().entrySet().stream()
                .collect(
                    toMap(entry -> LabelledCounter.word(entry.getKey()), Map.Entry::getValue)));
  }
}

package dev.sequitur.cluster.metrics;

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
   * @param values by the constant that is, in lower case, the label's value; as for {@link
   *     #show(PrometheusRegistry, String, String, DoubleSupplier)}
   */
  public static <E extends Enum<E>> void show(
      PrometheusRegistry registry,
      String name,
      String help,
      String label,
      Supplier<Map<E, Double>> values) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(
            callback ->
                values
                    .get()
                    .forEach(
                        (constant, value) -> callback.call(value, LabelledCounter.word(constant))))
        .register(registry);
  }
}

package dev.sequitur.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private enum Fate {
    TAKEN,
    NOT_TAKEN
  }

  private final PrometheusRegistry registry = new PrometheusRegistry();

  @Test
  void eachConstantIsShownBeforeItCountsAndCountsByItself() {
    var counter = new LabelledCounter<>(registry, "parcels", "Parcels.", "fate", Fate.class);
    assertThat(Shown.in(registry))
        .isEqualTo(
            Map.of("parcels_total{fate=\"taken\"}", 0.0, "parcels_total{fate=\"not_taken\"}", 0.0));

    counter.increment(Fate.NOT_TAKEN);
    counter.add(Fate.NOT_TAKEN, 2);

    assertThat(counter.get(Fate.NOT_TAKEN)).isEqualTo(3);
    assertThat(counter.get(Fate.TAKEN)).isZero();
    assertThat(Shown.in(registry))
        .containsEntry("parcels_total{fate=\"not_taken\"}", 3.0)
        .containsEntry("parcels_total{fate=\"taken\"}", 0.0);
  }

  @Test
  void aGaugeIsAskedWhenSomebodyLooks() {
    var height = new AtomicInteger(4);
    Gauges.show(registry, "height", "Height.", height::get);
    var heights = new EnumMap<Fate, Double>(Map.of(Fate.TAKEN, 2.5));
    Gauges.show(registry, "heights", "Heights.", "fate", () -> heights);
    height.set(5);

    assertThat(Shown.in(registry)).isEqualTo(Map.of("height", 5.0, "heights{fate=\"taken\"}", 2.5));
  }
}

package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.transaction.TransactionStep;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SequencerMetricsTest {
  private static final String STEP = "sequitur_transaction_step_duration_seconds";
  private static final String CONFIRMATION = "sequitur_transaction_confirmation_seconds";

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SequencerMetrics metrics = new SequencerMetrics(registry);

  @Test
  void eachStepIsThereFromTheStartAndSoAreTheGroupsWithoutANameOfTheirOwn() {
    assertThat(Shown.in(registry))
        .containsEntry(CONFIRMATION + "_count{group=\"other\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"delegated\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"assembled\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"endorsed\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"dispatched\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"submitted\"}", 0.0)
        .containsEntry(STEP + "_count{step=\"confirmed\"}", 0.0);
  }

  @Test
  void timesAreInSecondsAndAClockThatWasSetBackMakesNoneNegative() {
    metrics.took(TransactionStep.ENDORSED, Duration.ofMillis(1_500), Optional.empty());
    metrics.took(TransactionStep.ENDORSED, Duration.ofMillis(-700), Optional.empty());

    assertThat(Shown.in(registry))
        .containsEntry(STEP + "_count{step=\"endorsed\"}", 2.0)
        .containsEntry(STEP + "_sum{step=\"endorsed\"}", 1.5);
  }

  @Test
  void theHundredFirstGroupsHaveALineOfTheirOwnAndAllFurtherOnesShareOne() {
    for (int number = 0; number < 300; number++) {
      metrics.confirmed(group(number), Duration.ofSeconds(2), Optional.empty());
    }

    var shown = Shown.in(registry);
    assertThat(shown)
        .containsEntry(CONFIRMATION + "_count{group=\"" + group(99) + "\"}", 1.0)
        .containsEntry(CONFIRMATION + "_count{group=\"other\"}", 200.0)
        .doesNotContainKey(CONFIRMATION + "_count{group=\"" + group(100) + "\"}");
  }

  @Test
  void aTransactionWhoseTraceIsKnownIsTheExampleOfItsBucket() {
    metrics.confirmed(group(1), Duration.ofMillis(700), Optional.of(TRACE));

    var examples =
        registry.scrape(name -> name.equals(CONFIRMATION)).stream()
            .flatMap(histogram -> histogram.getDataPoints().stream())
            .flatMap(point -> exemplars(point).stream())
            .toList();
    assertThat(examples).hasSize(1);
    assertThat(examples.get(0).getValue()).isEqualTo(0.7);
    assertThat(examples.get(0).getLabels().get("trace_id")).isEqualTo(TRACE);
  }

  private static List<Exemplar> exemplars(DataPointSnapshot point) {
    var all = new ArrayList<Exemplar>();
    ((HistogramSnapshot.HistogramDataPointSnapshot) point).getExemplars().forEach(all::add);
    return all;
  }

  private static ContractAddress group(int number) {
    return new ContractAddress("0x%040x".formatted(number));
  }
}

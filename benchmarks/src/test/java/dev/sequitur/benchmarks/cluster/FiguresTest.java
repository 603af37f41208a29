package dev.sequitur.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final String PAGE =
      """
      # TYPE parcels_total counter
      parcels_total{fate="taken"} 12.0
      parcels_total{fate="taken_back"} 3.0
      parcels 1.5E3
      """;

  @Test
  void aFigureIsFoundByItsNameAndLabels() {
    assertThat(Figures.of(PAGE, "parcels_total{fate=\"taken\"}")).isEqualTo(12);
    assertThat(Figures.of(PAGE, "parcels")).isEqualTo(1500);
  }

  @Test
  void oneThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Figures.of(PAGE, "letters"))
        .hasMessage("The node does not tell letters.");
  }
}

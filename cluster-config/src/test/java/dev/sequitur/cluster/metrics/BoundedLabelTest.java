package dev.sequitur.cluster.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedLabelTest {
  private final List<String> made = new ArrayList<>();
  private final BoundedLabel<Integer, String> label =
      new BoundedLabel<>(
          2,
          value -> {
            made.add(value);
            return "point of " + value;
          });

  @Test
  void theFirstValuesStandForThemselves() {
    assertThat(label.of(7)).isEqualTo("point of 7");
    assertThat(label.of(8)).isEqualTo("point of 8");
    assertThat(label.of(7)).isEqualTo("point of 7");
  }

  @Test
  void allLaterValuesShareOneThatIsThereFromTheStart() {
    assertThat(made).containsExactly("other");

    for (int value = 0; value < 1_000; value++) {
      label.of(value);
    }

    assertThat(label.of(999)).isEqualTo("point of other");
    assertThat(label.of(1)).isEqualTo("point of 1");
    assertThat(made).containsExactly("other", "0", "1");
  }
}

package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessorAdviceTest {
  @Test
  void fewProcessorsWithoutTheSettingAreWarnedOf() {
    assertThat(ProcessorAdvice.of(Optional.empty(), 2)).get().asString().contains("parallelism=2");
    assertThat(ProcessorAdvice.of(Optional.of("2"), 2)).isEmpty();
    assertThat(ProcessorAdvice.of(Optional.empty(), 3)).isEmpty();
  }
}

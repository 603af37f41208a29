package dev.sequitur.node.rpc.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventFiltersTest {
  private static EventFilters stored(String field, String word) {
    return EventFilters.of(
        Bytes.utf8("{\"queue\":\"default\",\"from\":0,\"%s\":\"%s\"}".formatted(field, word)));
  }

  @Test
  void whatWasStoredIsReadAgain() {
    assertThat(stored("type", "parked").type()).contains(EventType.PARKED);
    assertThat(stored("outcome", "failed").toBytes())
        .isEqualTo(stored("outcome", "failed").toBytes())
        .isNotEqualTo(stored("outcome", "run").toBytes());
  }

  /** A listener would be told of more than it asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"family", "type", "outcome"})
  void aStoredWordThatIsUnknownIsNotPassedOver(String field) {
    assertThatThrownBy(() -> stored(field, "eaten"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eaten");
  }
}

package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionIdTest {
  private static final String WHOLE = "6f1c6f0e-12ab-4000-8000-00c000000001";

  @Test
  void aUuidIsReadWhateverTheCaseOfItsDigits() {
    assertThat(TransactionId.parse(WHOLE)).hasToString(WHOLE);
    assertThat(TransactionId.parse(WHOLE.toUpperCase(Locale.ROOT))).hasToString(WHOLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "1-1-1-1-1",
        "6f1c6f0e-12ab-4000-8000-c000000001",
        "6f1c6f0e12ab4000800000c000000001",
        "6f1c6f0e-12ab-4000-8000-00c0000000011",
        " 6f1c6f0e-12ab-4000-8000-00c000000001",
        "gf1c6f0e-12ab-4000-8000-00c000000001",
      })
  void whatIsNotWrittenOutIsNone(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransactionId.parse(text))
        .withMessage("A transaction id is a UUID, not '" + text + "'.");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, TransactionId.SERIES - 1})
  void aSeriesHasEachOfItsPlaces(int place) {
    var id = TransactionId.parse(WHOLE);

    assertThat(id.at(place).place()).isEqualTo(place);
    assertThat(id.at(place).series()).isEqualTo(id.series());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, TransactionId.SERIES})
  void aSeriesHasNoOtherPlaces(int place) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransactionId.parse(WHOLE).at(place))
        .withMessage("A series of ids has no place " + place + ".");
  }
}

package dev.sequitur.protocol.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdinalTest {
  @ParameterizedTest
  @CsvSource({
    "1,1st",
    "2,2nd",
    "3,3rd",
    "4,4th",
    "10,10th",
    "11,11th",
    "12,12th",
    "13,13th",
    "21,21st",
    "102,102nd",
    "113,113th",
    "1003,'1,003rd'"
  })
  void aPlaceIsReadAsPeopleSayIt(long place, String words) {
    assertThat(Ordinal.of(place)).isEqualTo(words);
  }
}

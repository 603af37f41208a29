package dev.sequitur.node.rpc.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {
  @ParameterizedTest
  @CsvSource({
    "abc,abc,true",
    "abc,abd,false",
    "a%,abc,true",
    "%c,abc,true",
    "%b%,abc,true",
    "%bd%,abc,false",
    "a_c,abc,true",
    "a_c,ac,false",
    "%,'',true",
    "_,'',false",
    "'','',true",
    "'',a,false",
    "%a%b,xxaybzb,true",
    "a%b%c,abbbcbc,true",
    ".*,abc,false",
    "a\\%,a%,true",
    "a\\%,ab,false",
    "a\\_c,a_c,true",
    "a\\_c,abc,false",
    "%\\%,50%,true",
    "a\\\\%,a\\b,true",
    "a\\,a\\,true"
  })
  void percentIsAnyTextAndUnderscoreOneCharacter(String pattern, String text, boolean matches) {
    assertThat(LikePattern.matches(pattern, text)).isEqualTo(matches);
  }

  @Test
  void aPatternOfAStrangerTakesNoExponentialTime() {
    var pattern = "%a".repeat(200) + "%b";
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> assertThat(LikePattern.matches(pattern, "a".repeat(20_000))).isFalse());
  }
}

package dev.sequitur.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.protocol.id.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
  private static final int LIMIT = 10_000;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "` { \"b\" : 1 , \"a\" : [ true , null ] } `|{\"a\":[true,null],\"b\":1}",
        "1.0|1",
        "1.50|1.5",
        "1e2|100",
        "-0|0",
        "-0.0|0",
        "0.00|0",
        "1E-2|0.01",
        "12345678901234567890123|12345678901234567890123",
        "\"\\u00e9\\/\"|\"é/\"",
        "\"\\ud83d\\ude00\"|\"😀\"",
        "{\"a\":{\"d\":1,\"c\":2}}|{\"a\":{\"c\":2,\"d\":1}}",
        "{}|{}",
        "[]|[]",
      })
  void hasOneEncodingForEachValue(String json, String canonical) {
    assertThat(canonical(json)).isEqualTo(canonical);
    assertThat(canonical(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{'a':1}",
        "{\"a\":1,\"a\":2}",
        "1 2",
        "[1,]",
        "NaN",
        "01",
        "+1",
        "1e101",
        "1e-101",
        "1e1000000000",
        "1e99999999999",
        "\"\\ud800\"",
        "{\"\\udc00\":1}",
        "// comment\n1"
      })
  void refusesWhatIsNoJsonOrHasNoPlainEncoding(String json) {
    assertThatThrownBy(() -> canonical(json))
        .isInstanceOf(RuleViolation.class)
        .hasMessageStartingWith("It ")
        .hasMessageEndingWith(".");
  }

  @Test
  void refusesWhatIsTooLongOrTooDeep() {
    assertThatThrownBy(() -> canonical("[" + "1,".repeat(LIMIT) + "1]"))
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("at most");
    assertThatThrownBy(() -> canonical("[".repeat(2_000) + "]".repeat(2_000)))
        .isInstanceOf(RuleViolation.class);
    assertThatThrownBy(() -> canonical("1".repeat(101))).isInstanceOf(RuleViolation.class);
  }

  @Test
  void readsBackWhatItWroteForAnyValue() {
    var random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      var text = new StringBuilder();
      append(random, text, 3);

      var canonical = canonical(text.toString());

      assertThat(canonical(canonical)).as(text.toString()).isEqualTo(canonical);
    }
  }

  private static void append(Random random, StringBuilder out, int depth) {
    switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0 -> out.append(random.nextInt(2_000) - 1_000);
      case 1 -> out.append(random.nextInt(100)).append('.').append(random.nextInt(1_000) * 10);
      case 2 -> out.append(random.nextInt(9)).append("E").append(random.nextInt(60) - 30);
      case 3 -> out.append(JsonNodeFactory.instance.textNode(word(random)));
      case 4 -> {
        out.append("[null");
        for (int i = random.nextInt(4); i > 0; i--) {
          append(random, out.append(','), depth - 1);
        }
        out.append(']');
      }
      default -> {
        out.append("{\"first\":true");
        for (int i = random.nextInt(4); i > 0; i--) {
          out.append(",").append(JsonNodeFactory.instance.textNode(i + word(random))).append(':');
          append(random, out, depth - 1);
        }
        out.append('}');
      }
    }
  }

  private static String word(Random random) {
    return random
        .ints(random.nextInt(6), 0, 0x1_0000)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String canonical(String json) {
    return CanonicalJson.write(CanonicalJson.read(Bytes.utf8(json), LIMIT, "It")).toUtf8();
  }
}

package dev.sequitur.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDigestTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"b\":[true,null]} | { \"b\" : [ true , null ], \"a\" : 1.0 }",
        "100 | 1e2",
        "1e999999999 | 10e999999998",
        "\"\\u0061\" | \"a\""
      })
  void theSameContentHasTheSameDigest(String one, String other) {
    assertThat(digest(one)).isEqualTo(digest(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1,2] | [2,1]",
        "[[1],2] | [[1,2]]",
        "1 | \"1\"",
        "null | \"null\"",
        "true | \"true\"",
        "{} | []",
        "{\"a\":\"b\"} | [\"a\",\"b\"]",
        "{\"a\":1} | {\"a\":2}",
        "{\"a\":{\"b\":1}} | {\"a\":{},\"b\":1}"
      })
  void otherContentHasAnotherDigest(String one, String other) {
    assertThat(digest(one)).isNotEqualTo(digest(other));
  }

  private static Hash digest(String json) {
    var digest = new CanonicalDigest();
    JsonDigest.add(digest, JsonText.parse(json.getBytes(StandardCharsets.UTF_8)));
    return digest.finish();
  }
}

package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ResponseCodeTest {
  @Test
  void aNumberMeansOneThingInAProfile() {
    for (var profile : Profile.values()) {
      var numbers = new HashSet<Integer>();
      for (var code : ResponseCode.values()) {
        code.number(profile)
            .ifPresent(number -> assertThat(numbers.add(number)).as("%s", code).isTrue());
      }
    }
  }

  @Test
  void someNumbersWereGivenOtherMeanings() {
    assertThat(ResponseCode.SOME_SIGNATURES_WERE_INVALID.number(Profile.MVP)).hasValue(209);
    assertThat(ResponseCode.SOME_SIGNATURES_WERE_INVALID.number(Profile.CURRENT)).hasValue(208);
    assertThat(ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED.number(Profile.CURRENT)).hasValue(209);
    assertThat(ResponseCode.UNPARSEABLE_SCHEDULED_TRANSACTION.number(Profile.MVP)).hasValue(207);
    assertThat(ResponseCode.UNPARSEABLE_SCHEDULED_TRANSACTION.number(Profile.CURRENT))
        .isEqualTo(OptionalInt.empty());
  }

  @Test
  void eachSaysItsNameAndWhatToDo() {
    for (var profile : Profile.values()) {
      for (var code : ResponseCode.values()) {
        code.number(profile)
            .ifPresent(
                number ->
                    assertThat(code.refusal(profile).sentence())
                        .isEqualTo(code.name() + " (" + number + "): " + code.sentence())
                        .endsWith("."));
      }
    }
    assertThatThrownBy(() -> ResponseCode.SCHEDULE_DELETED.refusal(Profile.CURRENT))
        .hasMessageContaining("SCHEDULE_DELETED");
  }

  /** A row that nobody gives, or that no test has seen given, is no row. */
  @Test
  void eachIsGivenSomewhereAndSeenByATest() throws IOException {
    var rules =
        sources("src/main/java", "../scheduler-actors/src/main/java", "../node/src/main/java");
    var tests =
        sources("src/test/java", "../scheduler-actors/src/test/java", "../node/src/test/java");
    for (var code : ResponseCode.values()) {
      var given = Pattern.compile("ResponseCode\\." + code.name() + "\\b").asPredicate();
      assertThat(rules.stream().anyMatch(given)).as("who gives %s", code).isTrue();
      assertThat(tests.stream().anyMatch(given)).as("who has seen %s", code).isTrue();
    }
  }

  private static List<String> sources(String... roots) throws IOException {
    var sources = new ArrayList<String>();
    for (var root : roots) {
      try (var files = Files.walk(Path.of(root, "dev/sequitur"))) {
        for (var file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          if (!file.endsWith("ResponseCodeTest.java")) {
            sources.add(Files.readString(file));
          }
        }
      }
    }
    return sources;
  }
}

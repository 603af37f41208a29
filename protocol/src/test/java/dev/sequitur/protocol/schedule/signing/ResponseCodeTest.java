package dev.sequitur.protocol.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.OptionalInt;
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
    for (var code : ResponseCode.values()) {
      assertThat(code.refusal().sentence()).startsWith(code.name() + ": ").endsWith(".");
    }
  }
}

package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is signed is what runs, to the last digit. */
class CallParametersTest {
  private static final ContractAddress GROUP = new ContractAddress("0x" + "0a".repeat(20));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123456789012345678901234567890",
        "-123456789012345678901234567890",
        "0.123456789012345678901234567891",
        "123456789012345.678901234567890",
        "1.50",
        "9007199254740993.0",
        "18446744073709551617"
      })
  void numbersKeepTheirDigits(String number) {
    var inputs = Bytes.utf8("{\"amount\":" + number + "}");

    assertThat(CallParameters.read(GROUP, parameters(number)).call().inputs()).isEqualTo(inputs);
    assertThat(CallParameters.write(Action.PrivateTransaction.once(call(inputs))).toUtf8())
        .contains("\"amount\":" + number + "}");
  }

  @Test
  void aNumberWhoseExponentIsTooLargeToBeReadIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CallParameters.read(GROUP, parameters("1e99999999999")));
  }

  private static String parameters(String number) {
    return "{\"domain\":\"token\",\"function\":\"transfer\",\"from\":\"alice@node1\",\"inputs\":"
        + "{\"amount\":"
        + number
        + "}}";
  }

  private static Target.PrivateCall call(Bytes inputs) {
    return new Target.PrivateCall(
        GROUP, "token", "transfer", Identity.parse("alice@node1"), inputs);
  }
}

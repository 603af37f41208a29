package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PublicTransaction.Source;
import java.math.BigInteger;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TargetTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "ab".repeat(20));
  private static final Identity BOB = Identity.parse("bob@a");
  private static final Target.Notify NOTICE = new Target.Notify(Bytes.utf8("hello"));

  private static Target.PublicCall call(Optional<ContractAddress> to, Source source) {
    return new Target.PublicCall(BOB, to, Bytes.utf8("data"), BigInteger.ZERO, 0, source);
  }

  private static Target.PrivateCall privately(String inputs) {
    return new Target.PrivateCall(CONTRACT, "token", "transfer", BOB, Bytes.utf8(inputs));
  }

  private static Stream<Arguments> sizes() {
    var written =
        new Source(
            Optional.of("f()"), Optional.of(Bytes.utf8("[1]")), Optional.of(Bytes.utf8("abi = 9")));
    return Stream.of(
        Arguments.of(NOTICE, 5),
        Arguments.of(new Target.Repeat(NOTICE, 1, 1), 5),
        Arguments.of(new Target.Transfer(new AccountId("bob"), new Amount(7)), 0),
        Arguments.of(new Target.ByFamily(), 0),
        Arguments.of(privately("{}"), 2),
        Arguments.of(call(Optional.of(CONTRACT), Source.NONE), 4),
        Arguments.of(call(Optional.of(CONTRACT), written), 4 + 3 + 7));
  }

  /** Families limit it. */
  @ParameterizedTest
  @MethodSource("sizes")
  void aTargetIsAsLargeAsAllThatItsCallerWrote(Target target, int bytes) {
    assertThat(target.size()).isEqualTo(bytes);
  }

  @Test
  void callsStandInTheLineOfWhatTheyCallAndThoseThatMakeContractsInOneOfTheirOwn() {
    var making = call(Optional.empty(), Source.NONE).line();

    assertThat(privately("{}").line()).isEqualTo(CONTRACT);
    assertThat(call(Optional.of(CONTRACT), Source.NONE).line()).isEqualTo(CONTRACT);
    assertThat(making).isNotNull().isNotEqualTo(CONTRACT);
    assertThat(call(Optional.empty(), Source.NONE).withGas(9).line()).isEqualTo(making);
  }
}

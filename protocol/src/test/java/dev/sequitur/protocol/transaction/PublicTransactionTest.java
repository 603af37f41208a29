package dev.sequitur.protocol.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PublicTransactionTest {
  /** It may be long, and the node store has it. */
  @Test
  void withoutWhatItsCallerWroteItDoesTheSame() {
    var whole =
        written(
            new PublicTransaction.Source(Optional.of("pay"), Optional.empty(), Optional.empty()));

    assertThat(whole.bare()).isEqualTo(written(PublicTransaction.Source.NONE));
  }

  private static PublicTransaction written(PublicTransaction.Source source) {
    return new PublicTransaction(
        Contract.transaction(Contract.A, 1).id(),
        Contract.party(Contract.A),
        Optional.of(Contract.ADDRESS),
        Bytes.utf8("data"),
        BigInteger.ONE,
        21_000,
        source);
  }
}

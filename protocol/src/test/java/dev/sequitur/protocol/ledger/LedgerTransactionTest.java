package dev.sequitur.protocol.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is signed is all that a transaction does. */
class LedgerTransactionTest {
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));

  /** Of each kind some, no two of which do the same. */
  private static final List<Call> CALLS =
      List.of(
          new UseNonce(),
          new Deploy("token", genesis("one")),
          new Deploy("record", genesis("one")),
          new Deploy("token", genesis("another")),
          Invoke.of(prepared(1, "made")),
          Invoke.of(prepared(2, "made")),
          Invoke.of(prepared(1, "made otherwise")),
          new Invoke(List.of(prepared(1, "made"), prepared(2, "made"))),
          new Invoke(List.of(prepared(2, "made"), prepared(1, "made"))));

  @Test
  void everyKindOfCallIsAmongTheExamples() {
    assertThat(CALLS)
        .<Class<?>>extracting(Call::getClass)
        .contains(Call.class.getPermittedSubclasses());
  }

  @Test
  void noTwoCallsHaveTheSameHash() {
    assertThat(CALLS)
        .extracting(
            call ->
                CanonicalSigning.digest(new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, call)))
        .doesNotHaveDuplicates();
  }

  @Test
  void aCallOfNoKnownKindHasNoHash() {
    assertThatThrownBy(
            () -> CanonicalSigning.digest(new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, null)))
        .isNotNull();
  }

  private static ContractGenesis genesis(String name) {
    return new ContractGenesis(
        new GroupId(Contract.hash("group")), name, Contract.GROUP.committee(), 1, Bytes.EMPTY);
  }

  private static PreparedTransaction prepared(long number, String output) {
    return new PreparedTransaction(
        Contract.transaction(Contract.A, number).key(),
        Contract.ADDRESS,
        List.of(),
        List.of(),
        List.of(Contract.state(output, Contract.A).id()),
        MerklePath.ALONE,
        List.of());
  }
}

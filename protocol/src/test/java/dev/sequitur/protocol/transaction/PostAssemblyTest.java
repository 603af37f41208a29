package dev.sequitur.protocol.transaction;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is signed, and what leave is given for, is the whole of an assembly. */
class PostAssemblyTest {
  private static final List<PrivateState> ONE = List.of(Contract.state("one", A));
  private static final List<PrivateState> OTHER = List.of(Contract.state("other", A));
  private static final List<PrivateState> NONE = List.of();
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);
  private static final DelegationId DELEGATION = new DelegationId(A, 1, 1);

  @Test
  void noTwoAssembliesAreTheSameTransition() {
    var key = TRANSACTION.key();
    var transitions =
        List.of(
            assembly(NONE, NONE, NONE, 1).transition(key),
            assembly(ONE, NONE, NONE, 1).transition(key),
            assembly(OTHER, NONE, NONE, 1).transition(key),
            assembly(NONE, ONE, NONE, 1).transition(key),
            assembly(NONE, NONE, ONE, 1).transition(key),
            assembly(ONE, NONE, NONE, 1).transition(Contract.transaction(A, 2).key()),
            // Another sender's intent of the same id.
            assembly(ONE, NONE, NONE, 1).transition(Contract.transaction(B, 1).key()));

    assertThat(transitions).doesNotHaveDuplicates();
  }

  @Test
  void noTwoRequestsForLeaveHaveTheSameHash() {
    var id = TRANSACTION.id();
    var hashes =
        List.of(
            assembly(NONE, NONE, NONE, 1).confirmationHash(id, DELEGATION),
            assembly(ONE, NONE, NONE, 1).confirmationHash(id, DELEGATION),
            assembly(OTHER, NONE, NONE, 1).confirmationHash(id, DELEGATION),
            assembly(NONE, ONE, NONE, 1).confirmationHash(id, DELEGATION),
            assembly(NONE, NONE, ONE, 1).confirmationHash(id, DELEGATION),
            assembly(ONE, NONE, NONE, 2).confirmationHash(id, DELEGATION),
            assembly(ONE, NONE, NONE, 1)
                .confirmationHash(Contract.transaction(A, 2).id(), DELEGATION),
            assembly(ONE, NONE, NONE, 1).confirmationHash(id, new DelegationId(A, 1, 2)),
            assembly(ONE, NONE, NONE, 1).confirmationHash(id, new DelegationId(A, 2, 1)),
            assembly(ONE, NONE, NONE, 1).confirmationHash(id, new DelegationId(B, 1, 1)));

    assertThat(hashes).doesNotHaveDuplicates();
  }

  private static PostAssembly assembly(
      List<PrivateState> inputs, List<PrivateState> reads, List<PrivateState> outputs, int signed) {
    var value = new byte[64];
    value[0] = (byte) signed;
    var signature =
        new Signature(Contract.party(A), new Verifier(Bytes.of(new byte[33])), Bytes.of(value));
    return new PostAssembly(
        inputs,
        reads,
        outputs,
        List.of(),
        Bytes.EMPTY,
        List.of(),
        new Proof(MerklePath.ALONE, List.of(signature)));
  }
}

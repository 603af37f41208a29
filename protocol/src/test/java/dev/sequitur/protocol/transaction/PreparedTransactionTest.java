package dev.sequitur.protocol.transaction;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.attestation.SharedPaths;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has endorsed a transition, and what an intent and a plan may say. */
class PreparedTransactionTest {
  private static final long CHAIN = 7;
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);

  private final List<Hash> looked = new ArrayList<>();

  private static PreparedTransaction prepared(MerklePath path, Signature... endorsements) {
    return new PreparedTransaction(
        TRANSACTION.key(),
        ADDRESS,
        List.of(),
        List.of(),
        List.of(),
        new Proof(path, List.of(endorsements)));
  }

  private static Signature signature(NodeName by, int value) {
    return new Signature(Contract.party(by), verifier(), Bytes.of(new byte[] {(byte) value}));
  }

  private static Verifier verifier() {
    return new Verifier(Bytes.of(new byte[33]));
  }

  /** A signature of value 1 is valid. */
  private boolean valid(Hash digest, Signature signature) {
    looked.add(digest);
    return signature.value().toByteArray()[0] == 1;
  }

  private List<Member> endorsers(PreparedTransaction of) {
    return List.copyOf(of.endorsers(CHAIN, new SharedPaths(), this::valid));
  }

  @Test
  void thoseHaveEndorsedWhoseSignaturesAreValidEachOnce() {
    var endorsed =
        prepared(
            MerklePath.ALONE,
            signature(A, 2),
            signature(B, 1),
            signature(B, 1),
            signature(Contract.C, 0));

    assertThat(endorsers(endorsed)).containsExactly(new Member(Contract.party(B), verifier()));
    assertThat(looked).as("a second one of the same party is not looked at").hasSize(3);
  }

  @Test
  void whatEndorsersSignIsTheRootThatThePathLeadsTo() {
    var digest = Attestation.transition(TRANSACTION.key(), List.of(), List.of(), List.of());
    var tree = MerkleTree.of(List.of(Contract.hash("another"), digest));
    var endorsed = prepared(tree.path(1), signature(A, 1));

    endorsers(endorsed);

    var root = new Attestation(Purpose.ENDORSEMENT, CHAIN, ADDRESS).digest(tree);
    assertThat(looked).containsExactly(root);
    assertThat(endorsed.endorsed(CHAIN)).isEqualTo(root);
    assertThat(prepared(tree.path(0)).endorsed(CHAIN)).isNotEqualTo(root);
    assertThat(endorsed.transaction()).isEqualTo(TRANSACTION.id());
  }

  @Test
  void aPlanAsksForOneAtLeastAndForNoMoreThanThereAre() {
    var parties = List.of(Contract.party(A), Contract.party(B));
    assertThat(new AttestationRequest("all", parties, 2).threshold()).isEqualTo(2);
    assertThat(new AttestationRequest("one", parties, 1).threshold()).isEqualTo(1);
    for (int wrong : List.of(0, 3)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AttestationRequest("wrong", parties, wrong))
          .withMessageContaining("Of 2 parties " + wrong);
    }
  }

  @Test
  void anIntentDependsOnABoundedNumberOfOthersAndIsTriedAtLeastOnce() {
    assertThat(like(PrivateTransaction.MAX_DEPENDENCIES, 1).dependsOn()).hasSize(256);
    assertThat(like(0, 1).maxAttempts()).contains(1);
    assertThatIllegalArgumentException().isThrownBy(() -> like(257, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> like(0, 0))
        .withMessage("A transaction is tried at least once, not 0 times.");
  }

  private static PrivateTransaction like(int dependencies, int attempts) {
    return TRANSACTION
        .with()
        .contract(ADDRESS)
        .dependsOn(Collections.nCopies(dependencies, TRANSACTION.id()))
        .maxAttempts(Optional.of(attempts))
        .build();
  }

  @Test
  void anAssemblyThatIsSignedIsTheSameOtherwise() {
    var made = Contract.state("made", A);
    var assembly =
        new PostAssembly(
            List.of(),
            List.of(),
            List.of(made),
            List.of(),
            Bytes.utf8("specification"),
            List.of(),
            Proof.NONE);
    var proof = new Proof(MerklePath.ALONE, List.of(signature(A, 1)));

    assertThat(assembly.proved(proof).proof()).isEqualTo(proof);
    assertThat(assembly.proved(proof).proved(Proof.NONE)).isEqualTo(assembly);
  }

  @Test
  void whatIsSpentOfWhatIsMadeInFlightIsOfferedNoLonger() {
    var made = Contract.state("made", A);
    var makes = assembly(List.of(), List.of(made));
    var spends = assembly(List.of(made), List.of());

    assertThat(StateLocks.NONE.with(makes).created()).containsOnlyKeys(made.id());
    assertThat(StateLocks.NONE.withoutOutputs(makes).created()).isEmpty();
    for (var locks :
        List.of(
            StateLocks.NONE.with(makes).with(spends),
            StateLocks.NONE.with(makes).withoutOutputs(spends))) {
      assertThat(locks.created()).isEmpty();
      assertThat(locks.spent()).containsExactly(made.id());
    }
  }

  private static PostAssembly assembly(List<PrivateState> inputs, List<PrivateState> outputs) {
    return new PostAssembly(
        inputs, List.of(), outputs, List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }

  @Test
  void aRevertedIntentSaysWhyAndWhatItsSenderSawOfIt() {
    var now = Instant.EPOCH;
    var reverted = Receipt.reverted(TRANSACTION.id(), ADDRESS, "test", "No money.", now);
    var course = new Receipt.Course(3, Optional.of(B), Optional.empty(), List.of());

    assertThat(reverted.success()).isFalse();
    assertThat(reverted.failureMessage()).contains("No money.");
    assertThat(reverted.onLedger()).isEmpty();
    assertThat(reverted.after(course).course()).contains(course);
    assertThat(reverted.after(course).failureMessage()).contains("No money.");
  }

  @Test
  void whatAContractSaidTakesThePlaceOfTheReasonAndOfNothingElse() {
    var course = new Receipt.Course(3, Optional.of(B), Optional.empty(), List.of());
    var reverted =
        Receipt.reverted(TRANSACTION.id(), ADDRESS, "test", "It reverted.", Instant.EPOCH)
            .after(course);

    assertThat(reverted.because("No money."))
        .isEqualTo(
            Receipt.reverted(TRANSACTION.id(), ADDRESS, "test", "No money.", Instant.EPOCH)
                .after(course));
  }

  @Test
  void aPublicTransactionSendsAValueFromZeroToLessThanTwoToThePowerOf256() {
    var most = BigInteger.TWO.pow(256).subtract(BigInteger.ONE);

    assertThat(sending(BigInteger.ZERO).value()).isZero();
    assertThat(sending(most).value()).isEqualTo(most);
    for (var wrong : List.of(BigInteger.ONE.negate(), most.add(BigInteger.ONE))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sending(wrong))
          .withMessageContaining("" + wrong);
    }
  }

  @Test
  void withAnotherLimitAPublicTransactionIsTheSameOtherwise() {
    var sent = sending(BigInteger.TEN);

    assertThat(sent.withGas(50_000).gas()).isEqualTo(50_000);
    assertThat(sent.withGas(50_000).withGas(sent.gas())).isEqualTo(sent);
  }

  private static PublicTransaction sending(BigInteger value) {
    return new PublicTransaction(
        TRANSACTION.id(),
        TRANSACTION.from(),
        Optional.of(ADDRESS),
        Bytes.utf8("call"),
        value,
        21_000,
        PublicTransaction.Source.NONE);
  }
}

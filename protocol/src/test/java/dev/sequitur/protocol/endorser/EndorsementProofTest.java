package dev.sequitur.protocol.endorser;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A proof holds if as many members as the policy asks for have signed just this (ATT-8). */
class EndorsementProofTest {
  private static final Signatures SIGNATURES = new DigestIsShown();
  private static final EndorsementPolicy TWO_OF_THREE =
      new EndorsementPolicy(GROUP.chainId(), ADDRESS, new Quorum(GROUP.committee(), 2));

  @Test
  void itHoldsIfAsManyMembersHaveSignedAsMust() {
    var proof = signedBy(C, A);

    assertThat(proof.flaw(SIGNATURES)).isEmpty();
    assertThat(proof.endorsers(SIGNATURES))
        .as("in the committee's order")
        .containsExactly(member(A), member(C));
    assertThat(signedBy(A, B, C).flaw(SIGNATURES)).isEmpty();
  }

  @Test
  void withOneTooFewItSaysHowManyHaveSigned() {
    assertThat(signedBy(B).flaw(SIGNATURES))
        .contains(
            "1 of the 3 members have signed it on chain " + GROUP.chainId() + ", and 2 must.");
  }

  @Test
  void oneWhoHasSignedTwiceCountsOnce() {
    assertThat(signedBy(A, A).flaw(SIGNATURES)).isPresent();
  }

  @Test
  void whatIsNoSignatureOfAMemberDoesNotCount() {
    var good = signature(B, digest(GROUP.chainId()));
    var otherKey = new byte[33];
    otherKey[0] = 1;
    var wrong =
        List.of(
            signature(new NodeName("stranger"), digest(GROUP.chainId())),
            new Signature(good.party(), new Verifier(Bytes.of(otherKey)), good.value()),
            signature(B, digest(GROUP.chainId() + 1)),
            new Signature(good.party(), good.verifier(), Bytes.EMPTY));

    for (var signature : wrong) {
      var proof = proof(List.of(signature(A, digest(GROUP.chainId())), signature));
      assertThat(proof.endorsers(SIGNATURES)).containsExactly(member(A));
      assertThat(proof.flaw(SIGNATURES)).isPresent();
    }
  }

  @Test
  void itProvesNothingAboutAnotherContractsGroup() {
    var other = new ContractAddress("0x" + "cd".repeat(20));
    var proof =
        signedBy(A, B, C)
            .under(new EndorsementPolicy(GROUP.chainId(), other, new Quorum(GROUP.committee(), 2)));

    assertThat(proof.flaw(SIGNATURES))
        .contains(
            "The transaction is of contract %s, and the group is that of %s."
                .formatted(ADDRESS, other));
  }

  @Test
  void whatSomebodyElseSaysOfTheGroupTakesThePlaceOfItsOwnWord() {
    var proof = signedBy(A, B);

    assertThat(proof.under(GROUP.endorsementPolicy()).flaw(SIGNATURES))
        .as("all three must")
        .isPresent();
    assertThat(proof.under(GROUP.endorsementPolicy()).prepared()).isEqualTo(proof.prepared());
  }

  private static EndorsementProof signedBy(NodeName... nodes) {
    var digest = digest(GROUP.chainId());
    return proof(Stream.of(nodes).map(node -> signature(node, digest)).toList());
  }

  private static EndorsementProof proof(List<Signature> signatures) {
    return new EndorsementProof(TWO_OF_THREE, prepared(signatures));
  }

  private static PreparedTransaction prepared(List<Signature> signatures) {
    return new PreparedTransaction(
        Contract.transaction(A, 1).key(),
        ADDRESS,
        List.of(),
        List.of(),
        List.of(),
        new Proof(MerklePath.ALONE, signatures));
  }

  private static Hash digest(long chain) {
    return prepared(List.of()).endorsed(chain);
  }

  private static Member member(NodeName node) {
    return GROUP.committee().member(Contract.party(node)).orElseThrow();
  }

  private static Signature signature(NodeName by, Hash digest) {
    return new Signature(
        Contract.party(by),
        member(A).verifier(),
        Bytes.of(Arrays.copyOf(digest.toByteArray(), Signatures.BYTES)));
  }

  /** A signature begins with what is signed. */
  private record DigestIsShown() implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return signature.equals(Bytes.of(Arrays.copyOf(digest.toByteArray(), BYTES)));
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      throw new UnsupportedOperationException();
    }
  }
}

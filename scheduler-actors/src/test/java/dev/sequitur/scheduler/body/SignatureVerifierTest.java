package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.scheduler.body.Signers.Signer;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignatureVerifierTest {
  private static final Bytes BODY = Bytes.utf8("a body");

  private final SignatureVerifier verifier = new SignatureVerifier();

  @Test
  void bothAlgorithmsAreVerifiedByTheWholeKeyAsPrefix() throws Exception {
    for (var signer : List.of(Signers.ed25519(), Signers.secp256k1(7))) {
      assertThat(verified(signer.sign(BODY), signer)).containsExactly(signer.key());
    }
  }

  @Test
  void aShortPrefixIsEnoughAmongTheKeysInQuestion() throws Exception {
    var alice = Signers.ed25519();
    var bob = Signers.secp256k1(7);

    assertThat(verified(alice.sign(BODY, 3), alice, bob)).containsExactly(alice.key());
    assertThat(verified(bob.sign(BODY, 0), alice, bob)).containsExactly(bob.key());
    assertThat(verified(alice.sign(BODY, 3), bob)).isEmpty();
  }

  @Test
  void whatPrefixesDoNotTellApartTheSignaturesDo() {
    var first = Signers.secp256k1(7);
    var second = Signers.secp256k1(8);

    assertThat(verified(second.sign(BODY, 0), first, second)).containsExactly(second.key());
  }

  @Test
  void aStrangersWholeKeyIsVerifiedTooAndCountsOnlyIfTheRulesSayso() throws Exception {
    var stranger = Signers.ed25519();

    assertThat(verified(stranger.sign(BODY))).containsExactly(stranger.key());
  }

  @Test
  void aSignatureOverOtherBytesOrBrokenOneIsNobodys() throws Exception {
    for (var signer : List.of(Signers.ed25519(), Signers.secp256k1(7))) {
      assertThat(verified(signer.sign(Bytes.utf8("another")), signer)).isEmpty();
      var short63 = Bytes.of(new byte[63]);
      var algorithm = signer.key().algorithm();
      assertThat(verified(new SignaturePair(signer.key().value(), algorithm, short63), signer))
          .isEmpty();
      var zeros = Bytes.of(new byte[64]);
      assertThat(verified(new SignaturePair(signer.key().value(), algorithm, zeros), signer))
          .isEmpty();
    }
  }

  @Test
  void bytesThatAreNoPointVerifyNothing() {
    var noPoint = new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, Bytes.of(new byte[33]));
    var pair = new SignaturePair(noPoint.value(), noPoint.algorithm(), Bytes.of(new byte[64]));

    assertThat(verifier.verify(BODY, List.of(pair), List.of(noPoint)).signers()).isEmpty();
  }

  @Test
  void soDoesAnEd25519KeyThatIsNone() {
    var bytes = new byte[32];
    Arrays.fill(bytes, (byte) 0xff);
    var noPoint = new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(bytes));
    assertThatThrownBy(() -> CurvePoints.checked(noPoint)).hasMessageContaining("no point");
    var pair = new SignaturePair(noPoint.value(), noPoint.algorithm(), Bytes.of(new byte[64]));

    assertThat(verifier.verify(BODY, List.of(pair), List.of(noPoint)).signers()).isEmpty();
  }

  @Test
  void eitherOfTheTwoSignaturesOfSecp256k1IsItsKeys() {
    var signer = Signers.secp256k1(7);
    var pair = withHighS(signer, BODY);

    assertThat(verified(pair, signer)).containsExactly(signer.key());
  }

  /** Of one in 512 the low one is a byte shorter than its place. */
  @Test
  void soItDoesIfTheLowSBeginsWithAZero() {
    var signer = Signers.secp256k1(7);
    var content = BODY;
    for (int i = 0; bitsOfS(signer.signature(content)) > 247; i++) {
      content = Bytes.utf8("another body " + i);
    }

    var checked =
        verifier.verify(content, List.of(withHighS(signer, content)), List.of(signer.key()));
    assertThat(checked.checks().get(0).verified()).containsExactly(signer.key());
  }

  private static int bitsOfS(Bytes signature) {
    return new BigInteger(1, Arrays.copyOfRange(signature.toByteArray(), 32, 64)).bitLength();
  }

  private static SignaturePair withHighS(Signer signer, Bytes content) {
    var signature = signer.signature(content).toByteArray();
    var order =
        new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
    var high = order.subtract(new BigInteger(1, Arrays.copyOfRange(signature, 32, 64)));
    var bytes = high.toByteArray();
    System.arraycopy(bytes, bytes.length - 32, signature, 32, 32);
    return new SignaturePair(signer.key().value(), signer.key().algorithm(), Bytes.of(signature));
  }

  @Test
  void theResultIsBoundToTheBytes() {
    assertThat(verifier.verify(BODY, List.of(), List.of()).over())
        .isEqualTo(Hash.sha256(BODY.toByteArray()));
  }

  private List<PublicKey> verified(SignaturePair pair, Signer... inQuestion) {
    var keys = Arrays.stream(inQuestion).map(Signer::key).toList();
    return verifier.verify(BODY, List.of(pair), keys).checks().get(0).verified();
  }
}

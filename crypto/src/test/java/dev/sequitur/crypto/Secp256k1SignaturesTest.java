package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Secp256k1SignaturesTest {
  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

  private final Secp256k1Signatures signatures = new Secp256k1Signatures();
  private final SigningKey key = key("1234");
  private final Hash digest = Hash.sha256(new byte[] {1, 2, 3});

  @ParameterizedTest
  @CsvSource({
    "1, 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    "2, 0x2b5ad5c4795c026514f8317c7a215e218dccd6cf",
    "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80,"
        + " 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
  })
  void givesTheAddressesThatEthereumGives(String secret, String address) {
    assertThat(signatures.address(key(secret).verifier())).hasToString(address);
  }

  @Test
  void acceptsWhatTheKeySigned() {
    assertThat(signatures.verify(key.verifier(), digest, key.sign(digest))).isTrue();
  }

  @Test
  void refusesASignatureOfAnotherKeyOrOverAnotherDigest() {
    var other = key("4321");

    assertThat(signatures.verify(other.verifier(), digest, key.sign(digest))).isFalse();
    assertThat(signatures.verify(key.verifier(), Hash.sha256(new byte[0]), key.sign(digest)))
        .isFalse();
  }

  @Test
  void refusesEveryFlippedBitOfASignature() {
    var signature = key.sign(digest).toByteArray();

    for (int bit = 0; bit < signature.length * 8; bit++) {
      var flipped = signature.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(signatures.verify(key.verifier(), digest, Bytes.of(flipped)))
          .as("bit %d", bit)
          .isFalse();
    }
  }

  /** One form of a signature counts (ATT-5). */
  @Test
  void refusesTheSameSignatureWithHighS() {
    var signature = key.sign(digest).toByteArray();
    var s = new BigInteger(1, Arrays.copyOfRange(signature, 32, 64));
    var high = ORDER.subtract(s).toByteArray();
    Arrays.fill(signature, 32, 64, (byte) 0);
    int length = Math.min(high.length, 32);
    System.arraycopy(high, high.length - length, signature, 64 - length, length);
    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(signature))).isFalse();

    // A contract would find the same key by it.
    signature[64] = otherV(signature[64]);
    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(signature))).isFalse();
  }

  /** One form of a signature counts (ATT-5). */
  @Test
  void refusesTheSameSignatureWithAnotherV() {
    for (int i = 0; i < 20; i++) {
      var message = Hash.sha256(new byte[] {(byte) i});
      var signature = key.sign(message).toByteArray();
      assertThat(signatures.verify(key.verifier(), message, Bytes.of(signature))).isTrue();
      byte right = signature[64];
      for (int v = 0; v < 256; v++) {
        signature[64] = (byte) v;
        assertThat(signatures.verify(key.verifier(), message, Bytes.of(signature)))
            .as("v of %d where %d is right", v, right)
            .isEqualTo(v == right);
      }
    }
  }

  @Test
  void makesBothKindsOfV() {
    assertThat(IntStream.range(0, 20).mapToObj(i -> Hash.sha256(new byte[] {(byte) i})))
        .extracting(message -> (int) key.sign(message).toByteArray()[64])
        .contains(27, 28)
        .containsOnly(27, 28);
  }

  private static byte otherV(byte v) {
    return (byte) (27 + 28 - v);
  }

  /** One form of a signature counts (ATT-5). */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 66, 70, 71, 72, 1000})
  void refusesASignatureOfAnyOtherLength(int length) {
    var signature = Arrays.copyOf(key.sign(digest).toByteArray(), length);

    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(signature))).isFalse();
  }

  @Test
  void refusesTheDerEncodingOfAValidSignature() {
    var der =
        fr.acinq.secp256k1.Secp256k1.get()
            .compact2der(Arrays.copyOf(key.sign(digest).toByteArray(), 64));

    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(der))).isFalse();
  }

  @Test
  void refusesSignaturesWhoseNumbersAreZeroOrTooLarge() {
    var zero = new byte[65];
    zero[64] = 27;
    var full = new byte[65];
    Arrays.fill(full, 0, 32, (byte) 0xff);
    full[63] = 1;
    full[64] = 27;

    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(zero))).isFalse();
    assertThat(signatures.verify(key.verifier(), digest, Bytes.of(full))).isFalse();
  }

  @Test
  void verifiesNothingAgainstAVerifierOffTheCurveAndHasNoAddressForIt() {
    var none = new Verifier(Bytes.hex("02" + "ff".repeat(32)));

    assertThat(signatures.verify(none, digest, key.sign(digest))).isFalse();
    assertThatThrownBy(() -> signatures.address(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no secp256k1 public key");
  }

  @Test
  void keepsABoundedNumberOfKeysAndStillTellsThemApart() {
    int more = Secp256k1Signatures.KEYS_KEPT + 10;

    for (int i = 1; i <= more; i++) {
      assertThat(
              signatures.verify(key(Integer.toHexString(i)).verifier(), digest, key.sign(digest)))
          .isEqualTo(i == 0x1234);
    }

    assertThat(signatures.keptKeys()).isEqualTo(Secp256k1Signatures.KEYS_KEPT);
  }

  @Test
  void signsAndVerifiesOnManyThreadsAtOnce() {
    boolean all =
        IntStream.range(0, 2_000)
            .parallel()
            .allMatch(
                i -> {
                  var message = Hash.sha256(new byte[] {(byte) i, (byte) (i >> 8)});
                  return signatures.verify(key.verifier(), message, key.sign(message));
                });

    assertThat(all).isTrue();
  }

  private static SigningKey key(String secret) {
    var padded = "0".repeat(64 - secret.length()) + secret;
    return SigningKey.of(Bytes.hex(padded).toByteArray()).orElseThrow();
  }
}

package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.PublicKey.Algorithm;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurvePointsTest {
  @RepeatedTest(20)
  void keysOfBothAlgorithmsArePoints(RepetitionInfo info) throws Exception {
    assertThat(CurvePoints.has(Signers.ed25519().key())).isTrue();
    var signer = Signers.secp256k1(info.getCurrentRepetition());
    assertThat(CurvePoints.has(signer.key())).isTrue();
  }

  /** Zero without a sign; the base point and the second vector of RFC 8032, 7.1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "5866666666666666666666666666666666666666666666666666666666666666",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
      })
  void publicVectorsArePoints(String hex) {
    assertThat(CurvePoints.has(new PublicKey(Algorithm.ED25519, Bytes.hex(hex)))).isTrue();
  }

  /** Above the prime; the prime itself; without a root; zero with a sign. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0200000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080"
      })
  void otherBytesAreNoEd25519Key(String hex) {
    assertThat(CurvePoints.has(new PublicKey(Algorithm.ED25519, Bytes.hex(hex)))).isFalse();
  }

  /** No such prefix; above the prime; without a root. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0579be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "02ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "020000000000000000000000000000000000000000000000000000000000000005"
      })
  void otherBytesAreNoSecp256k1Key(String hex) {
    assertThat(CurvePoints.has(new PublicKey(Algorithm.ECDSA_SECP256K1, Bytes.hex(hex)))).isFalse();
  }
}

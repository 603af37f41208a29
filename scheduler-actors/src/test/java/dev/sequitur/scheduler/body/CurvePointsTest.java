package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.PublicKey.Algorithm;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurvePointsTest {
  @RepeatedTest(20)
  void keysOfBothAlgorithmsArePoints(RepetitionInfo info) throws Exception {
    assertTaken(Signers.ed25519().key());
    assertTaken(Signers.secp256k1(info.getCurrentRepetition()).key());
  }

  /** The base point and the second vector of RFC 8032, 7.1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "5866666666666666666666666666666666666666666666666666666666666666",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
      })
  void publicVectorsArePoints(String hex) {
    assertTaken(new PublicKey(Algorithm.ED25519, Bytes.hex(hex)));
  }

  /** By such a key R = sB, for any s, is a signature under one in eight contents at least. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"
      })
  void theEightPointsOfSmallOrderAreNoKeys(String hex) {
    assertRefused(Algorithm.ED25519, hex, "anybody could sign with it.");
  }

  /**
   * Above the prime; the prime itself, and 0 and 1 by other bytes; without a root; zero with a
   * sign, also beside -1.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0200000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080"
      })
  void otherBytesAreNoEd25519Key(String hex) {
    assertRefused(Algorithm.ED25519, hex, "nobody could sign with it.");
  }

  /** Infinity, as some write it; no such prefix; above the prime; without a root. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "000000000000000000000000000000000000000000000000000000000000000000",
        "0579be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "02ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "020000000000000000000000000000000000000000000000000000000000000005"
      })
  void otherBytesAreNoSecp256k1Key(String hex) {
    assertRefused(Algorithm.ECDSA_SECP256K1, hex, "nobody could sign with it.");
  }

  private static void assertTaken(PublicKey key) {
    assertThat(CurvePoints.checked(key)).isEqualTo(key);
  }

  private static void assertRefused(Algorithm algorithm, String hex, String why) {
    assertThatThrownBy(() -> CurvePoints.checked(new PublicKey(algorithm, Bytes.hex(hex))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(why);
  }
}

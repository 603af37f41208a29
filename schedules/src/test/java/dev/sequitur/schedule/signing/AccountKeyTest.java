package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.AccountKey.KeyList;
import dev.sequitur.schedule.signing.AccountKey.ThresholdKey;
import dev.sequitur.schedule.signing.PublicKey.Algorithm;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AccountKeyTest {
  private static final PublicKey ONE = key(1);
  private static final PublicKey TWO = key(2);
  private static final PublicKey THREE = key(3);

  @Test
  void allOfAListSign() {
    var list = new KeyList(List.of(ONE, TWO));

    assertThat(list.isSatisfiedBy(Set.of(ONE, TWO, THREE))).isTrue();
    assertThat(list.isSatisfiedBy(Set.of(ONE, THREE))).isFalse();
  }

  /** Keys as Hedera has them (MSIG-8). */
  @Test
  void enoughOfAThresholdKeySignAndAKeyThatStandsTwiceCountsTwice() {
    var two = new ThresholdKey(2, List.of(ONE, TWO, THREE));
    assertThat(two.isSatisfiedBy(Set.of(ONE, THREE))).isTrue();
    assertThat(two.isSatisfiedBy(Set.of(THREE))).isFalse();

    assertThat(new ThresholdKey(2, List.of(ONE, ONE)).isSatisfiedBy(Set.of(ONE))).isTrue();
  }

  @Test
  void aListWithinAThresholdIsOneOfItsKeys() {
    var key = new ThresholdKey(1, List.of(new KeyList(List.of(ONE, TWO)), THREE));

    assertThat(key.isSatisfiedBy(Set.of(ONE))).isFalse();
    assertThat(key.isSatisfiedBy(Set.of(ONE, TWO))).isTrue();
    assertThat(key.isSatisfiedBy(Set.of(THREE))).isTrue();
  }

  @Test
  void nobodySatisfiesNothing() {
    assertThat(ONE.isSatisfiedBy(Set.of())).isFalse();
    assertThatThrownBy(() -> new KeyList(List.of())).hasMessageContaining("at least one");
    assertThatThrownBy(() -> new ThresholdKey(0, List.of(ONE))).hasMessageContaining("from 1");
    assertThatThrownBy(() -> new ThresholdKey(2, List.of(ONE))).hasMessageContaining("from 1");
  }

  /** Keys as Hedera has them (MSIG-8). */
  @Test
  void keysAreNestedToFifteenLevels() {
    AccountKey key = ONE;
    for (int level = 2; level <= 15; level++) {
      key = new KeyList(List.of(key));
    }
    var deepest = key;
    assertThat(deepest.depth()).isEqualTo(15);
    assertThat(deepest.isSatisfiedBy(Set.of(ONE))).isTrue();
    assertThatThrownBy(() -> new KeyList(List.of(deepest))).hasMessageContaining("15 levels");
  }

  @Test
  void aPrefixIsTheFirstBytesAndNoMoreThanTheKey() {
    assertThat(ONE.hasPrefix(Bytes.EMPTY)).isTrue();
    assertThat(ONE.hasPrefix(Bytes.hex("0101"))).isTrue();
    assertThat(ONE.hasPrefix(Bytes.hex("0102"))).isFalse();
    assertThat(ONE.hasPrefix(Bytes.hex("01".repeat(33)))).isFalse();
  }

  @Test
  void aKeyHasTheSizeOfItsAlgorithm() {
    assertThatThrownBy(() -> new PublicKey(Algorithm.ED25519, Bytes.of(new byte[33])))
        .hasMessageContaining("32 bytes");
    assertThatThrownBy(() -> new PublicKey(Algorithm.ECDSA_SECP256K1, Bytes.of(new byte[32])))
        .hasMessageContaining("33 bytes");
  }

  private static PublicKey key(int seed) {
    return new PublicKey(Algorithm.ED25519, Bytes.hex(String.format("%02x", seed).repeat(32)));
  }

  @Test
  void aThresholdIsALevelToo() {
    var key = new ThresholdKey(1, List.of(TWO, new KeyList(List.of(ONE))));

    assertThat(key.depth()).isEqualTo(3);
  }

  @Test
  void aWholeKeyIsAPrefixOfItself() {
    assertThat(ONE.hasPrefix(ONE.value())).isTrue();
  }

  @Test
  void keysAreOrderedByAlgorithmThenByTheirBytes() {
    var other = new PublicKey(Algorithm.ECDSA_SECP256K1, Bytes.hex("00".repeat(33)));

    assertThat(Stream.of(other, TWO, ONE).sorted()).containsExactly(ONE, TWO, other);
    assertThat(ONE.compareTo(key(1))).isZero();
    assertThat(Algorithm.ED25519.hasSize(ONE.value())).isTrue();
    assertThat(Algorithm.ECDSA_SECP256K1.hasSize(ONE.value())).isFalse();
  }
}

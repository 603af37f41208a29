package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How ids are written, which of them are none, and in what order they stand. */
class SpellingTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "az.AZ_09-x", "a-", "a."})
  void thisIsANodesName(String name) {
    assertThat(new NodeName(name)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-a", ".a", "_a", "a/b", "a b", "a@b", "ä", "aä", "`", "{", "@", "[", "/", ":", "a`",
        "a{", "a[", "a:"
      })
  void thisIsNoNodesName(String name) {
    assertThatThrownBy(() -> new NodeName(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameIsNoLongerThanItMayBe() {
    assertThat(new NodeName("n".repeat(63)).value()).hasSize(63);
    assertThatThrownBy(() -> new NodeName("n".repeat(64)))
        .isInstanceOf(IllegalArgumentException.class);
    var node = new NodeName("n");
    assertThat(new Identity("i".repeat(128), node).name()).hasSize(128);
    assertThatThrownBy(() -> new Identity("i".repeat(129), node))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new RequestId("r".repeat(200)).value()).hasSize(200);
    assertThatThrownBy(() -> new RequestId("r".repeat(201)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RequestId("")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anIdentityIsANameAndANode() {
    var identity = Identity.parse("branch/one@bank");

    assertThat(identity).isEqualTo(new Identity("branch/one", new NodeName("bank")));
    assertThat(identity).hasToString("branch/one@bank");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bank", "@bank", "one@", "one@two@bank", "one two@bank"})
  void thisIsNoIdentity(String text) {
    assertThatThrownBy(() -> Identity.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAddressIsFortyDigitsInLowerCase() {
    var digits = "0123456789abcdef0123456789ABCDEF01234567";

    assertThat(new ContractAddress("0x" + digits))
        .hasToString("0x" + digits.toLowerCase(Locale.ROOT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x0123456789abcdef0123456789abcdef0123456",
        "0x0123456789abcdef0123456789abcdef012345678",
        "1x0123456789abcdef0123456789abcdef01234567",
        "0x0123456789abcdef0123456789abcdef0123456g",
        "0xg123456789abcdef0123456789abcdef01234567",
        "0x/123456789abcdef0123456789abcdef01234567",
        "0x:123456789abcdef0123456789abcdef01234567",
        "0x`123456789abcdef0123456789abcdef01234567"
      })
  void thisIsNoAddress(String text) {
    assertThatThrownBy(() -> new ContractAddress(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bytesAreReadAndWrittenAsDigits() {
    assertThat(Bytes.hex("0x00ff10").toHex()).isEqualTo("0x00ff10");
    assertThat(Bytes.hex("00ff10")).isEqualTo(Bytes.of(new byte[] {0, -1, 16}));
    assertThat(Bytes.hex("00ff10").size()).isEqualTo(3);
    assertThat(Bytes.hex("00").isEmpty()).isFalse();
    assertThat(Bytes.of(new byte[0])).isSameAs(Bytes.EMPTY);
    assertThat(Bytes.EMPTY.isEmpty()).isTrue();
    assertThat(Bytes.utf8("é").toUtf8()).isEqualTo("é");
  }

  /** Contents may be private. */
  @Test
  void bytesDoNotShowWhatTheyAre() {
    assertThat(Bytes.utf8("secret")).hasToString("Bytes[6]");
  }

  @Test
  void nobodyChangesBytesFromOutside() {
    var array = new byte[] {1, 2};
    var bytes = Bytes.of(array);
    array[0] = 9;
    bytes.toByteArray()[1] = 9;

    assertThat(bytes).isEqualTo(Bytes.of(new byte[] {1, 2}));
    assertThat(bytes).hasSameHashCodeAs(Bytes.of(new byte[] {1, 2}));
    assertThat(bytes).isNotEqualTo(Bytes.of(new byte[] {1, 3})).isNotEqualTo("text");
  }

  @Test
  void aHashComesBackFromItsBytesAndItsDigits() {
    var hash = Hash.sha256(new byte[] {1});

    assertThat(Hash.of(hash.toByteArray())).isEqualTo(hash);
    assertThat(Hash.hex(hash.toString())).isEqualTo(hash);
    assertThat(Hash.hex(hash.toString().substring(2))).isEqualTo(hash);
    assertThat(hash)
        .hasToString("0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a");
    assertThatThrownBy(() -> Hash.of(new byte[31])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Hash.of(new byte[33])).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void twoHashesAreTheSameIfAllTheirWordsAre() {
    var hash = new Hash(1, 2, 3, 4);

    assertThat(hash).isEqualTo(new Hash(1, 2, 3, 4)).hasSameHashCodeAs(new Hash(1, 2, 3, 4));
    assertThat(hash)
        .isNotEqualTo(new Hash(9, 2, 3, 4))
        .isNotEqualTo(new Hash(1, 9, 3, 4))
        .isNotEqualTo(new Hash(1, 2, 9, 4))
        .isNotEqualTo(new Hash(1, 2, 3, 9))
        .isNotEqualTo("text");
    assertThat(hash.hashCode()).isNotEqualTo(new Hash(9, 2, 3, 4).hashCode());
  }

  /** Each list in its order. Numbers are unsigned. */
  static Stream<List<? extends Comparable<?>>> ordered() {
    return Stream.of(
        List.of(
            new Hash(0, -1, -1, -1),
            new Hash(1, 0, 0, 0),
            new Hash(1, 0, 0, 1),
            new Hash(1, 0, 1, 0),
            new Hash(1, 1, 0, 0),
            new Hash(-1, 0, 0, 0)),
        List.of(Bytes.EMPTY, Bytes.hex("00"), Bytes.hex("01"), Bytes.hex("0100"), Bytes.hex("ff")),
        List.of(new BlockHeight(0), new BlockHeight(1), new BlockHeight(10)),
        List.of(new BlockRange(0), new BlockRange(1), new BlockRange(10)),
        List.of(new NodeName("a"), new NodeName("b")),
        List.of(identity("a", "z"), identity("b", "a"), identity("b", "b")),
        List.of(stateId(1), stateId(2)),
        List.of(new SenderCommitment(stateId(1).value()), new SenderCommitment(stateId(2).value())),
        List.of(new TransactionId(new UUID(0, 1)), new TransactionId(new UUID(0, 2))),
        List.of(
            new ContractAddress("0x" + "0".repeat(40)),
            new ContractAddress("0x" + "1".repeat(40))));
  }

  private static Identity identity(String name, String node) {
    return new Identity(name, new NodeName(node));
  }

  private static StateId stateId(long number) {
    return new StateId(new Hash(0, 0, 0, number));
  }

  @ParameterizedTest
  @MethodSource("ordered")
  @SuppressWarnings("SelfComparison") // It is what is asked.
  <T extends Comparable<T>> void idsHaveAnOrder(List<T> inOrder) {
    var reversed = new ArrayList<>(inOrder);
    Collections.reverse(reversed);

    assertThat(reversed.stream().sorted()).containsExactlyElementsOf(inOrder);
    for (var id : inOrder) {
      assertThat(id.compareTo(id)).isZero();
    }
  }

  @Test
  void aHeightIsNotNegativeAndBelongsToARange() {
    assertThatThrownBy(() -> new BlockHeight(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(new BlockHeight(99).range(100)).isEqualTo(new BlockRange(0));
    assertThat(new BlockHeight(100).range(100)).isEqualTo(new BlockRange(1));
    assertThat(new BlockRange(1).isBefore(new BlockRange(2))).isTrue();
    assertThat(new BlockRange(2).isBefore(new BlockRange(2))).isFalse();
    assertThat(new BlockRange(3).isBefore(new BlockRange(2))).isFalse();
    assertThat(new BlockHeight(7)).hasToString("7");
  }

  @Test
  void anIntentIsItsIdAndItsCommitment() {
    var id = new TransactionId(new UUID(0, 1));
    var key = new IntentKey(id, new SenderCommitment(stateId(1).value()));

    assertThat(key)
        .isEqualTo(new IntentKey(id, new SenderCommitment(stateId(1).value())))
        .isNotEqualTo(new IntentKey(id, new SenderCommitment(stateId(2).value())))
        .isNotEqualTo(
            new IntentKey(
                new TransactionId(new UUID(0, 2)), new SenderCommitment(stateId(1).value())))
        .isNotEqualTo("text");
    assertThat(key).hasSameHashCodeAs(new IntentKey(id, key.commitment()));
  }

  @Test
  void aSeriesIsAllOfAnIdButItsLastByte() {
    var id = new TransactionId(new UUID(5, 0x1ff));

    assertThat(id.series()).isEqualTo(new TransactionId(new UUID(5, 0x100)));
    assertThat(id.place()).isEqualTo(255);
    assertThat(id.at(7)).isEqualTo(new TransactionId(new UUID(5, 0x107)));
    assertThatThrownBy(() -> id.at(256)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> id.at(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** So that they share a slot on a chain; what a sender cannot choose alone separates them. */
  @Test
  void intentsOfOneSeriesHaveOneCommitmentIfAllElseIsTheSame() {
    var contract = new ContractAddress("0x" + "1".repeat(40));
    var from = Identity.parse("a@node1");
    var salt = stateId(4).value();
    var id = new TransactionId(new UUID(5, 0x101));
    var commitment = SenderCommitment.of(contract, id, from, salt);

    assertThat(SenderCommitment.of(contract, id.at(2), from, salt)).isEqualTo(commitment);
    assertThat(new IntentKey(id.at(2), commitment))
        .isNotEqualTo(new IntentKey(id, commitment))
        .extracting(IntentKey::series)
        .isEqualTo(new IntentKey(id, commitment).series());
    assertThat(
            List.of(
                SenderCommitment.of(new ContractAddress("0x" + "2".repeat(40)), id, from, salt),
                SenderCommitment.of(contract, new TransactionId(new UUID(5, 0x201)), from, salt),
                SenderCommitment.of(contract, id, Identity.parse("b@node1"), salt),
                SenderCommitment.of(contract, id, from, stateId(5).value())))
        .doesNotContain(commitment)
        .doesNotHaveDuplicates();
  }

  /** Else two sequences of values could be taken for one. */
  @Test
  void whereAFieldEndsIsPartOfADigest() {
    assertThat(new CanonicalDigest().add("ab").add("c").finish())
        .isNotEqualTo(new CanonicalDigest().add("a").add("bc").finish());
    assertThat(new CanonicalDigest().add(1L).finish())
        .isEqualTo(new CanonicalDigest().add(Bytes.hex("0000000000000001")).finish());
    assertThat(new CanonicalDigest().add(Bytes.hex("4bf5")).finish())
        .isEqualTo(Hash.sha256(Bytes.hex("000000024bf5").toByteArray()));
  }
}

package dev.sequitur.schedule.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class AbiTest {
  private static final EvmAddress ADDRESS = new EvmAddress(Bytes.hex("0x" + "11".repeat(20)));

  @Test
  void aByteStringStandsBehindTheHeadAndIsPaddedToWords() {
    var encoded = new AbiEncoding().uint(5).bytes(Bytes.hex("0xaabb")).finish();

    assertThat(encoded)
        .isEqualTo(Bytes.hex(word("05") + word("40") + word("02") + "aabb" + "00".repeat(30)));
  }

  @Test
  void anAccountNamedByAnAddressIsThatAddressAndAnyOtherIsHashed() {
    assertThat(EvmAddress.of(new AccountId("0x" + "ab".repeat(20))).toString())
        .isEqualTo("0x" + "ab".repeat(20));
    assertThat(EvmAddress.of(new AccountId("bob")).toString())
        .isEqualTo("0x3440326f551b8a7ee198cee35cb5d517f2d296a2");
  }

  @Test
  void twoSpellingsOfAnAddressAreTwoAccountsAndTwoAddresses() {
    var lower = new AccountId("0x" + "ab".repeat(20));
    var upper = new AccountId("0x" + "AB".repeat(20));

    assertThat(EvmAddress.of(upper)).isNotEqualTo(EvmAddress.of(lower));
  }

  @Property
  void whatWasEncodedIsDecoded(
      @ForAll @LongRange(min = 0) long number, @ForAll byte[] content, @ForAll String text) {
    var wellFormed = Bytes.utf8(text).toUtf8();
    var encoded =
        new AbiEncoding()
            .uint(number)
            .bytes(Bytes.of(content))
            .address(ADDRESS)
            .string(wellFormed)
            .finish();

    var decoding = new AbiDecoding(encoded, 4);

    assertThat(decoding.uint()).isEqualTo(number);
    assertThat(decoding.bytes()).isEqualTo(Bytes.of(content));
    assertThat(decoding.address()).isEqualTo(ADDRESS);
    assertThat(decoding.string()).isEqualTo(wellFormed);
    decoding.finish();
  }

  @Test
  void aSecondEncodingOfTheSameValueIsRefused() {
    refuses("00".repeat(31));
    refuses("80" + "00".repeat(31) + word("40") + word("00"));
    refuses(word("05") + word("60") + word("00") + word("00"));
    refuses(word("05") + word("40"));
    refuses(word("05") + word("40") + word("02") + "aabb");
    refusesWith("not where it belongs", word("05") + word("40") + "00".repeat(31));
    refuses(word("05") + word("40") + word("21") + "aa".repeat(32));
    refuses(word("05") + word("40") + word("02") + "aabbcc" + "00".repeat(29));
    refuses(word("05") + word("40") + word("00") + word("00"));
    refuses(word("05") + word("40") + "ff".repeat(32));
  }

  private static void refuses(String digits) {
    refusesWith("", digits);
  }

  private static void refusesWith(String sentence, String digits) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              var decoding = new AbiDecoding(Bytes.hex(digits), 2);
              decoding.uint();
              decoding.bytes();
              decoding.finish();
            })
        .withMessageContaining(sentence);
  }

  /** 32 bytes that end in the given one. */
  private static String word(String last) {
    return "00".repeat(31) + last;
  }

  @Test
  void aNumberFillsItsWordUpToTheGreatest() {
    for (var number :
        List.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.TWO.pow(254),
            BigInteger.TWO.pow(255),
            BigInteger.TWO.pow(256).subtract(BigInteger.ONE))) {
      var encoded = new AbiEncoding().uint(number).finish();

      assertThat(encoded).isEqualTo(Bytes.hex("%064x".formatted(number)));
      assertThat(new AbiDecoding(encoded, 1).big()).isEqualTo(number);
    }
    for (var none : List.of(BigInteger.TWO.pow(256), BigInteger.ONE.negate())) {
      assertThatIllegalArgumentException().isThrownBy(() -> new AbiEncoding().uint(none));
    }
  }

  /** 64 and 256: of the second, what is cut off in its last byte is another number. */
  @Test
  void theFirstOffsetSaysHowManyValuesThereAre() {
    assertThat(AbiDecoding.hasValues(Bytes.hex(word("40")), 2)).isTrue();
    assertThat(AbiDecoding.hasValues(Bytes.hex(word("40") + word("00")), 2)).isTrue();
    assertThat(AbiDecoding.hasValues(Bytes.hex(word("40")), 3)).isFalse();
    var eight = "00".repeat(30) + "01";
    assertThat(AbiDecoding.hasValues(Bytes.hex(eight + "00"), 8)).isTrue();
    assertThat(AbiDecoding.hasValues(Bytes.hex(eight), 8)).isFalse();
  }

  @Test
  void anAddressHasNothingBeforeIt() {
    var decoding = new AbiDecoding(Bytes.hex("00".repeat(11) + "01" + "11".repeat(20)), 1);

    assertThatIllegalArgumentException().isThrownBy(decoding::address);
  }
}

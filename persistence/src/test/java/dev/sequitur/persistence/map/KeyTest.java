package dev.sequitur.persistence.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class KeyTest {
  @Test
  void sortsByNumberWithinTheSameText() {
    Key prefix = Key.in(KeySpace.EVENT).text("sender");

    assertThat(Stream.of(300L, 2L, Long.MAX_VALUE, 0L, 255L).map(prefix::number).sorted())
        .extracting(Key::lastNumber)
        .containsExactly(0L, 2L, 255L, 300L, Long.MAX_VALUE);
  }

  @Test
  void keepsTextsApartOfWhichOneBeginsWithTheOther() {
    KeyRange shorter = KeyRange.startingWith(Key.in(KeySpace.EVENT).text("a"));
    Key longer = Key.in(KeySpace.EVENT).text("a\0").number(1);

    assertThat(longer)
        .satisfiesAnyOf(
            key -> assertThat(key).isLessThan(shorter.from()),
            key -> assertThat(key).isGreaterThanOrEqualTo(shorter.until()));
  }

  @Test
  void coversEveryKeyOfAPrefixEvenIfItEndsInTheHighestByte() {
    Key prefix = Key.in(KeySpace.NODE_STORE).octet(0xFF);

    KeyRange range = KeyRange.startingWith(prefix);

    assertThat(prefix.number(Long.MAX_VALUE)).isBetween(range.from(), range.until());
    assertThat(range.until()).hasToString("11");
  }

  @Test
  void isTheBytesThatAreDocumented() {
    assertThat(Key.in(KeySpace.EVENT).text("p|1").number(258))
        .hasToString("01" + "0003707c31" + "0000000000000102");
    assertThat(Key.in(KeySpace.STREAM).text("p|1")).hasToString("02" + "0003707c31");
    assertThat(Key.in(KeySpace.SNAPSHOT).text("p|1").number(1))
        .hasToString("03" + "0003707c31" + "0000000000000001");
    assertThat(Key.in(KeySpace.NODE_STORE).octet(7)).hasToString("1007");
  }

  @Test
  void refusesWhatWouldSortWrongly() {
    assertThatThrownBy(() -> Key.in(KeySpace.EVENT).number(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> Key.in(KeySpace.EVENT).text("x".repeat(65_536)))
        .hasMessageContaining("65536");
  }

  @Test
  void takesATextOfAllTheLengthsThatTwoBytesTell() {
    assertThat(Key.in(KeySpace.EVENT).text("x".repeat(65_535)).asByteBuffer().remaining())
        .isEqualTo(1 + 2 + 65_535);
  }

  @Test
  void isTheSameAsAnotherOfTheSameBytes() {
    Key key = Key.in(KeySpace.EVENT).text("a");

    Key same = Key.wrap(new byte[] {1, 0, 1, 'a'});
    assertThat(key).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(key).isNotEqualTo(Key.in(KeySpace.STREAM).text("a")).isNotEqualTo("a");
    assertThat(key.hashCode()).isNotEqualTo(Key.in(KeySpace.STREAM).text("a").hashCode());
  }

  @Test
  void nothingComesAfterTheHighestBytes() {
    assertThat(Key.wrap(new byte[] {-2, -1, -1}).afterPrefix()).hasToString("ff");
    assertThatThrownBy(() -> Key.wrap(new byte[] {-1, -1}).afterPrefix())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ffff");
  }

  @Test
  void aRangeHasBothNumbersAndNothingElse() {
    Key prefix = Key.in(KeySpace.EVENT).text("a");
    KeyRange some = KeyRange.numbered(prefix, 2, 3);

    assertThat(some.from()).isEqualTo(prefix.number(2));
    assertThat(some.until()).isEqualTo(prefix.number(4));
    assertThat(KeyRange.numbered(prefix, 2, Long.MAX_VALUE).until())
        .isEqualTo(prefix.afterPrefix());
    assertThat(some.isEmpty()).isFalse();
    assertThat(KeyRange.numbered(prefix, 2, 1).isEmpty()).isTrue();
    assertThat(KeyRange.numbered(prefix, 2, 0).isEmpty()).isTrue();
  }
}

package dev.sequitur.persistence.journal;

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
}

package dev.sequitur.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecsTest {
  enum Colour {
    RED,
    GREEN
  }

  sealed interface Shape {}

  sealed interface Sharp extends Shape {}

  record Round(int radius) implements Shape {}

  record Square(long side, Optional<Colour> colour) implements Sharp {}

  record Group(List<Shape> shapes) implements Shape {}

  record Box<T extends Shape>(T content, Set<Long> numbers, Map<String, byte[]> more) {}

  record Even(int number) {
    Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException("secret " + number);
      }
    }
  }

  private static final List<Alternatives<?>> SHAPES =
      List.of(Alternatives.of(Shape.class, Round.class, Square.class, Group.class));

  private static final Codecs BARE =
      Codecs.bare().alternatives(SHAPES).shared(String.class, Round.class).build();

  private static final Codecs FRAMED =
      Codecs.framed().alternatives(SHAPES).values(Round.class).build();

  private static final Shape SHAPE =
      new Group(
          List.of(
              new Round(-1),
              new Square(Long.MIN_VALUE, Optional.of(Colour.GREEN)),
              new Group(List.of(new Round(-1)))));

  @Test
  void aRecordIsItsComponentsAndAnAlternativeItsNumber() {
    assertThat(BARE.of(Shape.class).encode(new Square(1, Optional.of(Colour.GREEN))))
        .containsExactly(2, 2, 1, 1);
  }

  @Test
  void aFramedRecordBeginsWithItsLengthUnlessItIsAValue() {
    assertThat(FRAMED.of(Shape.class).encode(new Square(1, Optional.of(Colour.GREEN))))
        .containsExactly(2, 3, 2, 1, 1);
    assertThat(FRAMED.of(Shape.class).encode(new Round(1))).containsExactly(1, 2);
  }

  @Test
  void whatIsWrittenIsReadInBothForms() {
    for (var codecs : List.of(BARE, FRAMED)) {
      var codec = codecs.of(Shape.class);
      assertThat(codec.decode(codec.encode(SHAPE))).isEqualTo(SHAPE);
    }
  }

  private record Inner(List<byte[]> content) {}

  private record Outer(List<Inner> inner) {}

  @Property(tries = 200)
  void framesWithinFramesAreRead(
      @ForAll @Size(max = 6) List<@Size(max = 6) List<byte[]>> contents) {
    assertReadAsWritten(contents);
  }

  /** The length of a frame, and of the one around it, takes one byte more at each of these. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 7, 1 << 14, 1 << 21})
  void framesOfAnyLengthAreRead(int boundary) {
    for (int size = boundary - 16; size <= boundary; size++) {
      var content = new byte[size];
      content[size - 1] = 1;
      assertReadAsWritten(List.of(List.of(content), List.of(), List.of(new byte[] {2})));
    }
  }

  private static void assertReadAsWritten(List<List<byte[]>> contents) {
    var codec = FRAMED.of(Outer.class);
    var bytes = codec.encode(new Outer(contents.stream().map(Inner::new).toList()));

    var read = codec.decode(bytes);

    assertThat(read.inner()).hasSameSizeAs(contents);
    for (int i = 0; i < contents.size(); i++) {
      assertThat(read.inner().get(i).content())
          .usingElementComparator(Arrays::compare)
          .containsExactlyElementsOf(contents.get(i));
    }
  }

  @Property
  void eachNumberHasOneFormAndIsReadFromIt(@ForAll long number) {
    var bytes = new ByteWriter().signed(number).unsigned(number).eight(number).finish();

    ByteReader.readAll(
        bytes,
        from -> {
          assertThat(from.signed()).isEqualTo(number);
          assertThat(from.unsigned()).isEqualTo(number);
          assertThat(from.eight()).isEqualTo(number);
          return true;
        });
  }

  @Test
  void aNumberThatIsLongerThanItHasToBeIsRefused() {
    var tenthTooLarge = new byte[10];
    Arrays.fill(tenthTooLarge, (byte) 0x80);
    tenthTooLarge[9] = 2;
    for (var bytes : List.of(new byte[] {(byte) 0x80, 0}, tenthTooLarge)) {
      assertThatThrownBy(() -> BARE.of(Long.class).decode(bytes))
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Test
  void aFlagIsSetOrNotSet() {
    assertThatThrownBy(() -> BARE.of(Boolean.class).decode(new byte[] {2}))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void aGenericRecordIsWrittenAsWhatItHolds() {
    record Holder(Box<Square> box) {}
    var codec = BARE.of(Holder.class);
    var square = new Square(4, Optional.empty());
    var box = new Box<>(square, Set.of(1L, 2L), Map.of("a", new byte[] {1}));

    var read = codec.decode(codec.encode(new Holder(box))).box();

    assertThat(read.content()).isEqualTo(square);
    assertThat(read.numbers()).containsExactlyInAnyOrder(1L, 2L);
    assertThat(read.more().get("a")).containsExactly(1);
  }

  @Test
  void whatComesAgainIsNamedAndNotWrittenAgain() {
    var codec = BARE.listOf(String.class);

    assertThat(codec.encode(List.of("ab", "ab", "ab"))).containsExactly(3, 0, 2, 'a', 'b', 1, 1);
    assertThat(codec.decode(codec.encode(List.of("ab", "c", "ab"))))
        .containsExactly("ab", "c", "ab");
  }

  @Test
  void anAlternativeThatIsNoneOfTheNarrowerTypeIsRefused() {
    var bytes = BARE.of(Shape.class).encode(new Round(1));

    assertThatThrownBy(() -> BARE.of(Sharp.class).decode(bytes))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void whatARecordRefusesIsMalformedWithoutAWordOfIt() {
    assertThatThrownBy(() -> BARE.of(Even.class).decode(new byte[] {2}))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("A Even breaks its rules: IllegalArgumentException.")
        .hasNoCause();
  }

  @Test
  void aLengthIsNotBelievedBeforeSoManyBytesAreThere() {
    var huge = new ByteWriter().unsigned(Integer.MAX_VALUE).eight(0).finish();

    assertThatThrownBy(() -> BARE.listOf(Long.class).decode(huge))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("where 8 bytes are left");
    assertThatThrownBy(() -> BARE.of(byte[].class).decode(huge))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void valuesThatLieInOneAnotherWithoutEndAreRefused() {
    var deep = new byte[200_000];
    for (int i = 0; i < deep.length; i += 2) {
      deep[i] = 3;
      deep[i + 1] = 1;
    }

    assertThatThrownBy(() -> BARE.of(Shape.class).decode(deep))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("too deep");
  }

  @Test
  void aTimeBeyondAllTimesIsMalformed() {
    var bytes = new ByteWriter().signed(Long.MAX_VALUE).unsigned(0).finish();

    assertThatThrownBy(() -> BARE.of(Instant.class).decode(bytes))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Property
  void whateverBytesComeTheAnswerIsAValueOrOneException(@ForAll byte[] bytes) {
    for (var codecs : List.of(BARE, FRAMED)) {
      try {
        assertThat(codecs.of(Shape.class).decode(bytes)).isNotNull();
      } catch (MalformedBytesException expected) {
        assertThat(expected).hasNoCause();
      }
    }
  }

  @Test
  void anotherVersionIsNamed() {
    assertThatThrownBy(() -> ByteReader.readAll(new byte[] {9}, from -> from.expectVersion(1)))
        .hasMessage("Written in format 9; this version of Sequitur reads 1.");
  }

  @Test
  void whatIsSharedHasNoPlaceInAFramedFormat() {
    assertThatThrownBy(() -> Codecs.framed().shared(String.class))
        .isInstanceOf(IllegalStateException.class);
  }
}

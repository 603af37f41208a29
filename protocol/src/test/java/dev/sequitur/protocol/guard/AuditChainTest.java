package dev.sequitur.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.guard.AuditChain.Place;
import dev.sequitur.protocol.guard.AuditChain.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditChainTest {
  private static final List<String> LINES = lines("one", "two", "", "four \u00e9");

  @Test
  void linesFollowFromOneAnother() {
    assertThat(verify(LINES)).isEmpty();
    assertThat(LINES.get(0))
        .isEqualTo("1 9be44579250f14a15378072cae65f516e96e60c72ebc5c0aeaad7945341c4024 one");
  }

  @ParameterizedTest(name = "without line {0}")
  @ValueSource(ints = {0, 1, 2})
  void aLineThatIsGoneIsNoticed(int which) {
    var without = new ArrayList<>(LINES);
    without.remove(which);

    assertThat(verify(without))
        .contains(
            "Entry %d follows entry %d: what was between them is gone, or was never there."
                .formatted(which + 2, which));
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource({"one, One", "1 , 7 ", "four, fourth"})
  void aLineThatWasChangedIsNoticed(String from, String to) {
    var changed = LINES.stream().map(line -> line.replace(from, to)).toList();

    assertThat(changed).isNotEqualTo(LINES);
    assertThat(verify(changed)).isPresent();
  }

  @Test
  void linesThatChangedPlacesOrCameTwiceAreNoticed() {
    var swapped = List.of(LINES.get(1), LINES.get(0));
    var twice = List.of(LINES.get(0), LINES.get(0));

    assertThat(verify(swapped)).isPresent();
    assertThat(verify(twice)).isPresent();
  }

  @Test
  void whoWritesAllLaterLinesAnewHasAnotherLastHash() {
    var forged = lines("One", "two", "", "four \u00e9");

    assertThat(verify(forged)).isEmpty();
    assertThat(forged.get(3)).isNotEqualTo(LINES.get(3));
  }

  @Test
  void aFileSaysWhereItGoesOn() {
    var place = Place.BEGINNING.next("one").place();

    assertThat(AuditChain.head(place.head())).contains(place);
    assertThat(AuditChain.head(Place.BEGINNING.head())).contains(Place.BEGINNING);
    assertThat(AuditChain.head(LINES.get(0))).isEmpty();
  }

  @Test
  void anEntryIsOneLine() {
    assertThatThrownBy(() -> Place.BEGINNING.next("one\ntwo"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(verify(lines("a\u0085b\u2028c\u007f"))).isEmpty();
    assertThat(AuditChain.read(Place.BEGINNING, "# 0 nothing")).isInstanceOf(Read.Broken.class);
  }

  private static List<String> lines(String... contents) {
    var lines = new ArrayList<String>();
    var place = Place.BEGINNING;
    for (var content : contents) {
      var next = place.next(content);
      lines.add(next.line());
      place = next.place();
    }
    return lines;
  }

  /** The first flaw. */
  private static Optional<String> verify(List<String> lines) {
    var place = Place.BEGINNING;
    for (var line : lines) {
      switch (AuditChain.read(place, line)) {
        case Read.Follows(var next) -> place = next;
        case Read.Broken(var sentence) -> {
          return Optional.of(sentence);
        }
      }
    }
    return Optional.empty();
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(strings = {"\none", "\rone", "one\rtwo", "one\n"})
  void noEntryBringsALineOfItsOwn(String content) {
    assertThatThrownBy(() -> Place.BEGINNING.next(content))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ascending as its bytes would be: time, order, id, each unsigned (GAS-3). */
class DueKeyTest {
  private static final Hash ONE = new Hash(0, 0, 0, 1);
  private static final Hash TWO = new Hash(0, 0, 0, 2);

  @Test
  void timeComesBeforeOrderAndOrderBeforeIdAndAllAreUnsigned() {
    var ascending =
        List.of(
            DueKey.from(0),
            DueKey.of(1, 2, TWO),
            DueKey.of(2, 1, ONE),
            DueKey.of(2, 1, TWO),
            DueKey.of(2, 2, ONE),
            DueKey.of(2, ~5L, ONE),
            DueKey.of(2, ~0L, ONE),
            DueKey.of(3, 0),
            DueKey.of(-1, 0));

    for (int left = 0; left < ascending.size(); left++) {
      for (int right = 0; right < ascending.size(); right++) {
        assertThat(Integer.signum(ascending.get(left).compareTo(ascending.get(right))))
            .as("%s, %s", ascending.get(left), ascending.get(right))
            .isEqualTo(Integer.signum(Integer.compare(left, right)));
      }
    }
  }

  @Property(tries = 200)
  void whatIsFromATimeComesBeforeAllOfThatTimeAndAfterAllBeforeIt(
      @ForAll long time, @ForAll long order) {
    var key = DueKey.of(time, order, ONE);

    assertThat(key).isGreaterThan(DueKey.from(time));
    if (time != -1) {
      assertThat(key).isLessThan(DueKey.from(time + 1));
    }
  }

  @ParameterizedTest
  @EnumSource(ParkedFor.class)
  void whatIsParkedHasItsCauseAndIsDueAtNoTime(ParkedFor cause) {
    var parked = DueKey.parked(7, cause);

    assertThat(parked.parkedFor()).contains(cause);
    assertThat(parked.isParked()).isTrue();
    assertThat(parked).isGreaterThan(DueKey.fromParked(cause)).isLessThan(DueKey.from(-1));
    assertThat(parked).isGreaterThan(DueKey.of(Long.MAX_VALUE - 2_000, ~0L));
    assertThat(parked).isLessThan(DueKey.from(Long.MAX_VALUE));
  }

  @Test
  void whatIsParkedForACauseComesAfterAllThatIsParkedForTheCausesBeforeIt() {
    var causes = ParkedFor.values();
    for (int i = 1; i < causes.length; i++) {
      assertThat(DueKey.fromParked(causes[i])).isGreaterThan(DueKey.parked(~0L, causes[i - 1]));
    }
  }

  @Test
  void noTimeBeforeOrAfterThosePlacesIsParked() {
    long first = DueKey.fromParked(ParkedFor.values()[0]).time();
    assertThat(DueKey.of(first - 1, 0).isParked()).isFalse();
    assertThat(DueKey.of(first + ParkedFor.values().length, 0).isParked()).isFalse();
    assertThat(DueKey.of(Long.MAX_VALUE, 0).isParked()).isFalse();
    assertThat(DueKey.of(0, 0).isParked()).isFalse();
  }
}

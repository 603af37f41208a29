package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmNameTest {
  private static final String ADDRESS = "akka://node1@jvm1:2552";

  @Test
  void saysWhereItIsAndWhichStartThere() {
    assertThat(new JvmName(ADDRESS, -7)).hasToString(ADDRESS + "#-7");
  }

  /** Else a start at one place would end those at the other. */
  @Test
  void noPlaceIsThatOfALongerAddress() {
    var place = new JvmName(ADDRESS, 1).place();

    assertThat(new JvmName(ADDRESS, 2).toString()).startsWith(place);
    assertThat(new JvmName(ADDRESS + "0", 2).toString()).doesNotStartWith(place);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "#", "#jvm1", "jvm1#7"})
  void anAddressThatCannotBeToldFromTheStartIsRefused(String address) {
    assertThatThrownBy(() -> new JvmName(address, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No address of a JVM");
  }
}

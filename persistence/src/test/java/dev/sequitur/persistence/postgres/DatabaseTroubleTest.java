package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseTroubleTest {
  @ParameterizedTest
  @CsvSource({
    "08006, UNREACHABLE",
    "57P03, UNREACHABLE",
    "08004, USER_REFUSED",
    "28P01, USER_REFUSED",
    "3D000, MISSING",
    "42501, FORBIDDEN",
    "53100, DISK_FULL",
    "53300, NO_CONNECTION",
    "53200, SHORT_OF_RESOURCES",
    "25006, READ_ONLY",
    "XX000, OTHER",
    "XX001, DAMAGED",
    "XX002, DAMAGED",
    "58030, DAMAGED",
    "58P01, DAMAGED",
    "58000, OTHER",
  })
  void theStateSaysWhatTheTroubleIs(String state, DatabaseTrouble trouble) {
    assertThat(DatabaseTrouble.of(new SQLException("text", state))).isEqualTo(trouble);
  }

  @Test
  void theInnermostStateCounts() {
    var inner = new SQLException("no space left", "53100");
    var outer = new SQLException("a batch has failed", "XX000", inner);

    assertThat(DatabaseTrouble.of(new IllegalStateException(outer)))
        .isEqualTo(DatabaseTrouble.DISK_FULL);
  }

  @Test
  void withoutAStateItCannotBeReached() {
    assertThat(DatabaseTrouble.of(new SQLException("no connection of the pool in time")))
        .isEqualTo(DatabaseTrouble.UNREACHABLE);
  }
}

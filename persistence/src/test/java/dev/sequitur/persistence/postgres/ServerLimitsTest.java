package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import org.junit.jupiter.api.Test;

class ServerLimitsTest {
  @Test
  void aServerThatAllowsEnoughConnectionsWillDo() {
    var server = TestPostgres.shared();
    var settings = new PostgresSettings(server.url(), server.user(), server.password(), "any");

    assertThatCode(() -> ServerLimits.require(settings, 8)).doesNotThrowAnyException();
  }

  /** It has 500, of which 3 are for administrators. */
  @Test
  void aServerThatAllowsFewerIsRefusedWithANumberThatWillDo() {
    var server = TestPostgres.shared();
    var settings = new PostgresSettings(server.url(), server.user(), server.password(), "any");

    assertThatThrownBy(() -> ServerLimits.require(settings, 36))
        .isInstanceOf(DatabaseException.class)
        .hasMessageEndingWith(
            "allows 497 connections, and 36 JVMs take up to 540: raise max_connections of the"
                + " server to 555 or more, or start fewer JVMs.");
  }

  @Test
  void aServerThatIsNotThereIsToldInASentence() {
    var nowhere = "jdbc:postgresql://127.0.0.1:" + FreePorts.inARow(1) + "/postgres";

    assertThatThrownBy(
            () -> ServerLimits.require(new PostgresSettings(nowhere, "me", "", "any"), 1))
        .hasMessageContaining("start PostgreSQL there");
  }
}

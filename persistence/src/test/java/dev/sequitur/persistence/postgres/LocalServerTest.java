package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class LocalServerTest {
  /** Whoever started it was killed with {@code kill -9}, so that nobody stopped it. */
  @Test
  void aServerThatWasLeftRunningIsStoppedAndStartedAgainOnItsData() throws SQLException {
    try (var left = TestPostgres.start()) {
      try (var connection = connect(left.url(), left);
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE kept (number int)");
      }

      try (var again = left.anotherOnItsData();
          var connection = connect(again.url(), left);
          var statement = connection.createStatement()) {
        assertThat(statement.executeQuery("SELECT number FROM kept").next()).isFalse();
        assertThatThrownBy(() -> connect(left.url(), left)).isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void aServerThatHasEndedByItselfIsClosedWithoutAWord() {
    var server = TestPostgres.start();

    server.kill();

    assertThatCode(server::close).doesNotThrowAnyException();
  }

  private static Connection connect(String url, TestPostgres server) throws SQLException {
    return DriverManager.getConnection(url, server.user(), server.password());
  }

  @Test
  void whoDoesNotKnowThePasswordIsNotLetIn() throws SQLException {
    var server = TestPostgres.shared();

    assertThat(server.password()).hasSizeGreaterThan(30);
    try (var connection =
        DriverManager.getConnection(server.url(), server.user(), server.password())) {
      assertThat(connection.isValid(5)).isTrue();
    }
    for (var wrong : new String[] {"", "sequitur", server.password() + "x"}) {
      assertThatThrownBy(() -> DriverManager.getConnection(server.url(), server.user(), wrong))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password");
    }
  }
}

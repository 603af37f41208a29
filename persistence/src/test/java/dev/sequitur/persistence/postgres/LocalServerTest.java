package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.TestPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class LocalServerTest {
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

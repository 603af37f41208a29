package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.node.network.Parties;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Which JVMs of a node may write to its database: those that the others have left out are not among
 * them.
 *
 * @param schema named like the node
 */
record WritingJvms(TestPostgres postgres, String schema) {
  void awaitCount(int jvms) {
    await()
        .alias(jvms + " JVMs of " + schema + " may write")
        .atMost(Parties.PATIENCE)
        .until(() -> count() == jvms);
  }

  private int count() throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", postgres.user());
    properties.setProperty("password", postgres.password());
    properties.setProperty("currentSchema", schema);
    try (var connection = DriverManager.getConnection(postgres.url(), properties);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT cardinality(jvms) FROM node")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}

package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Who wrote to the journal of a node of several JVMs.
 *
 * @param runs the incarnations of each entity in the order of its events, each once for events in a
 *     row
 */
record Writers(Map<String, List<String>> runs) {
  /** Between the kind and the contract; Akka's own lists of what a shard remembers have none. */
  private static final String OF_ENTITY = "|";

  /** In the order of entities and their numbers; {@code KeySpace} says what lies where. */
  private static final String EVENTS =
      "SELECT key, value FROM entry WHERE key >= '\\x01' AND key < '\\x02' ORDER BY key";

  /** Before the writer: version, flags and time. */
  private static final int HEAD_BYTES = 1 + 1 + Long.BYTES;

  static Writers read(SpecNetwork network) throws SQLException {
    var postgresql = ConfigFactory.parseFile(network.file(0).toFile()).getConfig("postgresql");
    return read(
        postgresql.getString("url"),
        postgresql.getString("user"),
        postgresql.getString("password"),
        postgresql.getString("schema"));
  }

  static Writers read(String url, String user, String password, String schema) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("currentSchema", schema);
    var runs = new TreeMap<String, List<String>>();
    try (var connection = DriverManager.getConnection(url, properties);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(EVENTS)) {
      while (rows.next()) {
        var entity = text(rows.getBytes(1), 1);
        var writer = text(rows.getBytes(2), HEAD_BYTES);
        var writers = runs.computeIfAbsent(entity, id -> new ArrayList<>());
        if (writers.isEmpty() || !writers.get(writers.size() - 1).equals(writer)) {
          writers.add(writer);
        }
      }
    }
    return new Writers(runs);
  }

  /** Two bytes of length stand before it. */
  private static String text(byte[] bytes, int at) {
    var from = ByteBuffer.wrap(bytes).position(at);
    var text = new byte[Short.toUnsignedInt(from.getShort())];
    from.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Once another incarnation has written, the one before it never does again; and some moved. */
  void assertOneAfterAnother() {
    assertOneAfterAnother("");
  }

  /** As {@link #assertOneAfterAnother()}; those that moved are of a kind. */
  void assertOneAfterAnother(String kind) {
    assertThat(runs)
        .allSatisfy((entity, writers) -> assertThat(writers).as(entity).doesNotHaveDuplicates());
    var moved = new HashSet<>(runs.keySet());
    moved.removeIf(
        entity ->
            !entity.startsWith(kind) || !entity.contains(OF_ENTITY) || runs.get(entity).size() < 2);
    assertThat(moved).as("entities %s that went on in another JVM", kind).isNotEmpty();
  }
}

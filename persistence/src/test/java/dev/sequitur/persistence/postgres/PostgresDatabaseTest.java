package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.serialization.DiskFormat;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresDatabaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static PostgresSettings settings(String schema) {
    var server = TestPostgres.shared();
    return new PostgresSettings(server.url(), server.user(), server.password(), schema);
  }

  @Test
  void fromSeveralJvmsAtOnceASchemaIsMadeOnce() {
    var settings = settings("made_once");

    var databases =
        IntStream.range(0, 4)
            .parallel()
            .mapToObj(i -> PostgresDatabase.open(settings, 1, PATIENCE))
            .toList();

    databases.forEach(PostgresDatabase::close);
    assertThat(databases).hasSize(4);
  }

  /** As one does that is frozen by its operating system: what it has locked, all others need. */
  @Test
  void whoStandsStillInTheMiddleOfAWriteLosesItsLocksBeforeLong() throws SQLException {
    var settings = settings("stands_still");
    try (var database = PostgresDatabase.open(settings, 1, PATIENCE);
        var frozen = DriverManager.getConnection(settings.url(), asDriven(settings))) {
      frozen.setAutoCommit(false);
      frozen.createStatement().executeUpdate("UPDATE schema_version SET version = version");

      int changed =
          database.transaction(
              other ->
                  other
                      .createStatement()
                      .executeUpdate("UPDATE schema_version SET version = version"));

      assertThat(changed).isPositive();
      assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void whoWatchesSeesHowManyConnectionsAreInUse() throws SQLException {
    try (var database = PostgresDatabase.open(settings("watched"), 3, PATIENCE)) {
      try (var session = database.session()) {
        assertThat(session.isValid(1)).isTrue();
        assertThat(database.connections().active()).isEqualTo(1);
        assertThat(database.connections().most()).isEqualTo(3);
      }

      assertThat(database.connections().active()).isZero();
      assertThat(database.connections().idle()).isPositive();
      assertThat(database.connections().waiting()).isZero();
    }
  }

  private static Properties asDriven(PostgresSettings settings) {
    var properties = settings.driverProperties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    return properties;
  }

  @Test
  void aSchemaOfANewerProgramIsRefused() throws SQLException {
    var settings = settings("newer");
    try (var database = PostgresDatabase.open(settings, 1, PATIENCE)) {
      database.transaction(
          connection ->
              connection
                  .createStatement()
                  .executeUpdate("INSERT INTO schema_version (version) VALUES (99)"));
    }

    assertThatThrownBy(() -> PostgresDatabase.open(settings, 1, PATIENCE))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("version 99, made by a newer Sequitur");
  }

  @Test
  void aSchemaInTheFormatOfANewerReleaseIsRefusedInASentence() throws SQLException {
    try (var database = PostgresDatabase.open(settings("newer_format"), 1, PATIENCE)) {
      bringUpToDate(database, "newer_format", new DiskFormat(11, 12));

      assertThatThrownBy(() -> bringUpToDate(database, "newer_format", new DiskFormat(11, 11)))
          .isInstanceOf(DatabaseException.class)
          .hasMessage(
              "The schema newer_format has disk format 12, and this Sequitur reads format 11: start"
                  + " the newer one that wrote it.");
    }
  }

  @Test
  void aSchemaInAFormatThatIsTooOldIsLeftAsItIs() throws SQLException {
    try (var database = PostgresDatabase.open(settings("older_format"), 1, PATIENCE)) {
      assertThatThrownBy(() -> bringUpToDate(database, "older_format", new DiskFormat(12, 13)))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("disk format 11, and this Sequitur reads formats 12 to 13");
      bringUpToDate(database, "older_format", DiskFormat.OURS);
    }
  }

  /**
   * It could not read what is written in the new one, and would learn so from its first failure.
   */
  @Test
  void theFormatIsNotRaisedWhileAJvmHoldsIt() throws SQLException {
    var settings = settings("held_format");
    try (var older = PostgresDatabase.open(settings, 1, PATIENCE);
        var newer = PostgresDatabase.open(settings, 1, PATIENCE);
        var ofAnotherNode = PostgresDatabase.open(settings("not_held_format"), 1, PATIENCE)) {
      var session = older.session();
      older.holdFormat(session);

      assertThatThrownBy(() -> bringUpToDate(newer, "held_format", new DiskFormat(11, 12)))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("has disk format 11, and this Sequitur would raise it to 12 while")
          .hasMessageContaining("run on it (connected from 127.0.0.1): stop all JVMs of the node");
      bringUpToDate(newer, "held_format", DiskFormat.OURS);
      bringUpToDate(ofAnotherNode, "not_held_format", new DiskFormat(11, 12));

      session.createStatement().execute("SELECT pg_advisory_unlock_all()");
      bringUpToDate(newer, "held_format", new DiskFormat(11, 12));

      assertThatThrownBy(() -> older.holdFormat(session))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("has disk format 12, and this Sequitur reads format 11");
      session.close();
    }
  }

  /** Before the tenth version none said its format. */
  @Test
  void aSchemaOfBeforeTheFirstReleaseIsRefusedAndLeftAsItIs() throws SQLException {
    var settings = settings("unreleased");
    try (var database = PostgresDatabase.open(settings, 1, PATIENCE)) {
      change(database, "DROP TABLE disk_format");
      change(database, "UPDATE schema_version SET version = 9");

      assertThatThrownBy(() -> PostgresDatabase.open(settings, 1, PATIENCE))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("begin with an empty one, since what wrote it was never released");
      assertThat(change(database, "DELETE FROM schema_version WHERE version > 9")).isZero();
    }
  }

  /** Its tables are others, or those of its journal. */
  @ParameterizedTest
  @CsvSource({"5, 24", "6, 25"})
  void aSchemaOfBeforeTheMapHeldAllIsRefusedByItsFormatAndLeftAsItIs(int format, int version)
      throws SQLException {
    var settings = settings("before_the_map_" + format);
    try (var database = PostgresDatabase.open(settings, 1, PATIENCE)) {
      change(database, "UPDATE disk_format SET format = " + format);
      change(database, "UPDATE schema_version SET version = " + version);

      assertThatThrownBy(() -> PostgresDatabase.open(settings, 1, PATIENCE))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining(
              "has disk format %d, and this Sequitur reads format 11: begin with an empty one"
                  .formatted(format));
      assertThat(change(database, "DELETE FROM schema_version WHERE version > " + version))
          .isZero();
    }
  }

  private static int bringUpToDate(PostgresDatabase database, String schema, DiskFormat format)
      throws SQLException {
    return database.transaction(new SchemaVersions(schema, format)::bringUpToDate);
  }

  private static int change(PostgresDatabase database, String statement) throws SQLException {
    return database.transaction(
        connection -> connection.createStatement().executeUpdate(statement));
  }

  @Test
  void whatFailsInTheMiddleLeavesNothing() throws SQLException {
    try (var database = PostgresDatabase.open(settings("half"), 1, PATIENCE)) {
      assertThatThrownBy(
              () ->
                  database.transaction(
                      connection -> {
                        connection
                            .createStatement()
                            .executeUpdate("INSERT INTO entry VALUES ('a', 'b')");
                        throw new IllegalStateException("in the middle");
                      }))
          .hasMessage("in the middle");

      int rows =
          database.transaction(
              connection -> {
                try (var found =
                    connection.createStatement().executeQuery("SELECT count(*) FROM entry")) {
                  found.next();
                  return found.getInt(1);
                }
              });
      assertThat(rows).isZero();
    }
  }

  /** Waiting would not mend it, so the time-out that a busy server has is not waited for. */
  @Test
  void aMissingPasswordIsToldAtOnce() {
    var server = TestPostgres.shared();
    var without = new PostgresSettings(server.url(), server.user(), "", "no_password");

    // Longer than a test may take.
    assertThatThrownBy(() -> PostgresDatabase.open(without, 1, Duration.ofDays(1)))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("refuses the user: correct postgresql.user and postgresql.password");
  }

  @Test
  void aServerThatIsNotThereIsNamedInASentenceWithoutThePassword() {
    var nowhere =
        new PostgresSettings(
            "jdbc:postgresql://127.0.0.1:" + FreePorts.inARow(1) + "/postgres",
            "sequitur",
            "secret",
            "sequitur");

    assertThatThrownBy(() -> PostgresDatabase.open(nowhere, 1, Duration.ZERO))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining(
            "cannot be reached: start PostgreSQL there, or correct postgresql.url")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aDatabaseThatDoesNotExistIsSaidToBeMissing() {
    var server = TestPostgres.shared();
    var missing =
        new PostgresSettings(
            server.url().replace("/postgres", "/nothing"),
            server.user(),
            server.password(),
            "sequitur");

    assertThatThrownBy(() -> PostgresDatabase.open(missing, 1, PATIENCE))
        .hasMessageContaining("does not exist: create the database");
  }

  /** A JVM may be up before its database, or start while that is restarted. */
  @Test
  void aServerThatComesUpLaterIsWaitedFor() {
    try (var server = TestPostgres.start()) {
      var settings = new PostgresSettings(server.url(), server.user(), server.password(), "later");
      server.pause();
      var opening =
          CompletableFuture.supplyAsync(() -> PostgresDatabase.open(settings, 1, PATIENCE));

      await().during(Duration.ofMillis(700)).atMost(PATIENCE).until(() -> !opening.isDone());
      server.resume();

      opening.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join().close();
    }
  }

  /** No waiting mends it. */
  @Test
  void aDatabaseThatDoesNotExistIsNotWaitedFor() {
    var server = TestPostgres.shared();
    var missing =
        new PostgresSettings(
            server.url().replace("/postgres", "/nothing"), server.user(), server.password(), "a");

    var opening =
        CompletableFuture.supplyAsync(() -> PostgresDatabase.open(missing, 1, Duration.ofDays(1)));

    assertThatThrownBy(() -> opening.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
        .hasRootCauseInstanceOf(SQLException.class);
  }
}

package dev.sequitur.cluster.downing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.actor.Address;
import akka.cluster.UniqueAddress;
import dev.sequitur.cluster.downing.DeadJvms.Predecessor;
import dev.sequitur.cluster.downing.LifeMarks.Marked;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.JvmName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which JVMs of a node are taken for dead, by the sessions of a real server. */
class DeadJvmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final UniqueAddress WATCHER = member("jvm1", 1);
  private static final UniqueAddress WATCHED = member("jvm2", 7);
  private static final UniqueAddress RESTARTED = member("jvm2", 8);

  private final String schema = "dead_" + SCHEMAS.incrementAndGet();
  private final List<PostgresDatabase> open = new ArrayList<>();
  private final LifeMarks watcher = jvm(WATCHER, schema);

  private static UniqueAddress member(String host, long start) {
    return new UniqueAddress(new Address("akka", "node1", host, 25520), start);
  }

  /** With a pool of its own, as in a process of its own. */
  private LifeMarks jvm(UniqueAddress member, String schema) {
    var server = TestPostgres.shared();
    var settings = new PostgresSettings(server.url(), server.user(), server.password(), schema);
    var database = PostgresDatabase.open(settings, 1, PATIENCE);
    open.add(database);
    return new LifeMarks(database, schema, JvmName.of(member));
  }

  /** The server ends all sessions of a pool that is closed, as it does when its process dies. */
  private void dies(int opened) {
    open.get(opened).close();
  }

  @AfterEach
  void close() {
    open.forEach(PostgresDatabase::close);
  }

  private static List<UniqueAddress> dead(Marked marked, boolean refused) {
    return DeadJvms.dead(marked, List.of(WATCHED), address -> refused);
  }

  private Marked look() throws SQLException {
    return watcher.look(Set.of());
  }

  @Test
  void aJvmWithAnOpenSessionLivesThoughItsConnectionsAreRefused() throws SQLException {
    var unused = jvm(WATCHED, schema).look(Set.of());

    assertThat(look().has(JvmName.of(WATCHED))).isTrue();
    assertThat(dead(look(), true)).isEmpty();
  }

  @Test
  void aJvmWithoutASessionIsDeadIfItsConnectionsAreRefusedAndNotOtherwise() throws SQLException {
    var unused = jvm(WATCHED, schema).look(Set.of());
    dies(1);
    await().atMost(PATIENCE).until(() -> !look().has(JvmName.of(WATCHED)));

    assertThat(dead(look(), true)).containsExactly(WATCHED);
    assertThat(dead(look(), false)).isEmpty();
  }

  @Test
  void aJvmWithoutASessionIsDeadIfAnotherProcessHasBegunInItsPlace() throws SQLException {
    var unused = jvm(RESTARTED, schema).look(Set.of());

    assertThat(dead(look(), false)).containsExactly(WATCHED);
    assertThat(DeadJvms.dead(look(), List.of(RESTARTED), address -> false)).isEmpty();
  }

  /** It would take over from the process in the place of the dead, which begins anew without it. */
  @Test
  void whoeverWasLeftOutMeanwhileLeavesOutNobody() throws SQLException {
    var unused = jvm(WATCHED, schema);
    var database = open.get(0);
    writing(database, WATCHER, RESTARTED);

    assertThat(DeadJvms.mayLeaveOut(database, JvmName.of(WATCHER), () -> 0)).isTrue();
    assertThat(DeadJvms.mayLeaveOut(database, JvmName.of(WATCHED), () -> 0)).isFalse();
  }

  @Test
  void whoeverStoodStillSinceItLookedLooksAgain() throws SQLException {
    var unused = jvm(WATCHED, schema);
    var database = open.get(0);
    writing(database, WATCHER);
    var aMinute = Duration.ofMinutes(1).toNanos();

    assertThat(DeadJvms.mayLeaveOut(database, JvmName.of(WATCHER), () -> aMinute)).isFalse();
  }

  private static void writing(PostgresDatabase database, UniqueAddress... jvms)
      throws SQLException {
    database.transaction(
        connection -> {
          try (var statement =
              connection.prepareStatement(
                  "INSERT INTO node (name, keys, jvms) VALUES ('node1', '', ?)")) {
            var names = Stream.of(jvms).map(jvm -> JvmName.of(jvm).toString());
            statement.setArray(1, connection.createArrayOf("text", names.toArray()));
            return statement.executeUpdate();
          }
        });
  }

  @Test
  void aJvmWhoseSessionTheServerHasEndedTakesItsMarksAgain() throws SQLException {
    var other = jvm(WATCHED, schema);
    var unused = other.look(Set.of());
    assertThat(endSessionsOfOthers()).isPositive();
    assertThatThrownBy(() -> other.look(Set.of())).isInstanceOf(SQLException.class);
    await().atMost(PATIENCE).until(() -> !look().has(JvmName.of(WATCHED)));

    assertThat(other.look(Set.of()).has(JvmName.of(WATCHED))).isTrue();
    assertThat(look().has(JvmName.of(WATCHED))).isTrue();
  }

  /** Between the two looks it held the format as little as it held its marks. */
  @Test
  void aJvmUnderWhichANewerReleaseHasRaisedTheDiskFormatTakesNoMarks() throws SQLException {
    var older = jvm(WATCHED, schema);
    int raised =
        open.get(0)
            .transaction(
                connection ->
                    connection
                        .createStatement()
                        .executeUpdate("UPDATE disk_format SET format = 99"));
    assertThat(raised).isOne();

    assertThatThrownBy(() -> older.look(Set.of()))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("start the newer one that wrote it");
    assertThat(open.get(1).connections().active()).as("its session is given back").isZero();
  }

  /** As an administrator, or a restart of the server, does. */
  private int endSessionsOfOthers() throws SQLException {
    try (var administrator = open.get(0).session();
        var statement = administrator.createStatement();
        var ended =
            statement.executeQuery(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                    + " AND pid <> pg_backend_pid()")) {
      int count = 0;
      while (ended.next()) {
        count++;
      }
      return count;
    }
  }

  @Test
  void nodesThatShareADatabaseDoNotSeeEachOthersMarks() throws SQLException {
    var unused = jvm(WATCHED, schema + "_of_another_node").look(Set.of());

    assertThat(look().has(JvmName.of(WATCHED))).isFalse();
    assertThat(look().hasAnyAtThePlaceOf(JvmName.of(WATCHED))).isFalse();
  }

  /** Whoever is back at that place waits for it. */
  @Test
  void aPlaceIsReckonedWithForAsLongAsAnotherJvmSaysSo() throws SQLException {
    var back = jvm(RESTARTED, schema);
    var place = RESTARTED.address();

    var unused = watcher.look(Set.of(place));
    assertThat(back.look(Set.of()).isReckonedWith(place)).isTrue();
    assertThat(back.look(Set.of()).isReckonedWith(WATCHER.address())).isFalse();
    assertThat(watcher.look(Set.of(place)).isReckonedWith(place)).isFalse();

    var unusedLater = watcher.look(Set.of());
    assertThat(back.look(Set.of()).isReckonedWith(place)).isFalse();
  }

  @Test
  void whoeverIsBackWaitsWhileItsPlaceIsReckonedWithButNotForLongerThanHalfAMinute()
      throws SQLException {
    var back = jvm(RESTARTED, schema);
    var place = RESTARTED.address();
    var longest = DeadJvms.LONGEST_RECKONED;

    var unused = watcher.look(Set.of(place));
    var marked = back.look(Set.of());
    assertThat(longest).isEqualTo(Duration.ofSeconds(30));
    assertThat(DeadJvms.predecessor(marked, place, Duration.ZERO))
        .isEqualTo(Predecessor.RECKONED_WITH);
    assertThat(DeadJvms.predecessor(marked, place, longest)).isEqualTo(Predecessor.RECKONED_WITH);
    assertThat(DeadJvms.predecessor(marked, place, longest.plusNanos(1)))
        .isEqualTo(Predecessor.GIVEN_UP);

    var unusedLater = watcher.look(Set.of());
    for (var waited : List.of(Duration.ZERO, longest.plusNanos(1))) {
      assertThat(DeadJvms.predecessor(back.look(Set.of()), place, waited))
          .isEqualTo(Predecessor.LEFT_OUT);
    }
  }

  @Test
  void nobodyReckonsWithAPlaceOnceItsSessionIsClosed() throws SQLException {
    var back = jvm(RESTARTED, schema);
    var unused = watcher.look(Set.of(RESTARTED.address()));
    assertThat(back.look(Set.of()).isReckonedWith(RESTARTED.address())).isTrue();

    dies(0);

    await().atMost(PATIENCE).until(() -> !back.look(Set.of()).isReckonedWith(RESTARTED.address()));
  }

  @Test
  void whoEndsInOrderTakesItsMarksAway() throws SQLException {
    var other = jvm(WATCHED, schema);
    var unused = other.look(Set.of());
    other.close();

    assertThat(look().has(JvmName.of(WATCHED))).isFalse();
    assertThat(look().has(JvmName.of(WATCHER))).isTrue();
  }
}

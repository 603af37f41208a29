package dev.sequitur.persistence.journal;

import static dev.sequitur.persistence.journal.JournalDriver.events;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import com.typesafe.config.Config;
import dev.sequitur.fixture.PostgresWire;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.postgres.PostgresExtension;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PostgresJournalTest extends JournalContractTest {
  private final String schema = TestSystems.newSchema();
  private PostgresWire wire;

  @Override
  Config config() {
    if (wire == null) {
      wire = new PostgresWire(TestPostgres.shared());
    }
    return TestSystems.config(wire.url(), schema);
  }

  @AfterEach
  void unplug() throws IOException {
    wire.close();
  }

  @Test
  void anEventOfAnEntityThatItsJvmKnowsTakesOneRoundTrip() {
    journal().replayAll("p");
    long before = wire.roundTrips();

    journal().write(events("p", 1, 1));
    assertThat(wire.roundTrips() - before).as("the first after its recovery").isEqualTo(1);
    journal().write(events("p", 2, 11));
    assertThat(wire.roundTrips() - before).as("ten at once").isEqualTo(2);
    journal().delete("p", 8);
    assertThat(wire.roundTrips() - before).as("deleted").isEqualTo(3);
  }

  @Test
  void whoRecoversAsksTwice() {
    journal().write(events("p", 1, 100));
    long before = wire.roundTrips();

    assertThat(journal().replayAll("p")).hasSize(100);

    assertThat(wire.roundTrips() - before).isEqualTo(2);
  }

  /** The other JVM has the entity now; the one that had it was left out, and goes on writing. */
  @Test
  void ofTwoJvmsThatHaveTheSameEntityOneCanWrite() {
    journal().write(events("p", 1, 3));
    ActorSystem elsewhere = TestSystems.start(config());
    try {
      JournalDriver other = new JournalDriver(elsewhere);
      assertThat(other.replayAll("p")).hasSize(3);
      assertThat(other.write(events("p", 4, 5)).stored()).containsExactly(4L, 5L);

      assertThat(journal().write(events("p", 4, 4)).failures())
          .singleElement()
          .isInstanceOf(SequenceConflictException.class);
      assertThat(other.write(events("p", 6, 6)).stored()).containsExactly(6L);
      assertThat(journal().write(events("p", 7, 7)).stored())
          .as("it looks what is there before it refuses")
          .containsExactly(7L);
    } finally {
      TestSystems.stop(elsewhere);
    }
  }

  @Test
  void anEventThatPostgresFindsDamagedIsKeptInMindAndTold() throws SQLException {
    var unread = new AtomicInteger();
    var extension = PostgresExtension.get(system());
    extension.observeJournal(countingUnread(unread));
    journal().write(events("p", 1, 2));
    assertThat(journal().replayAll("p")).hasSize(2);
    assertThat(extension.database().isDamaged()).isFalse();
    damage();

    assertThat(journal().failToRecover("p")).hasMessageContaining("stored data damaged");

    assertThat(extension.database().isDamaged()).isTrue();
    assertThat(unread).hasPositiveValue();
  }

  private void damage() throws SQLException {
    PostgresExtension.get(system())
        .database()
        .transaction(
            connection -> {
              try (var statement = connection.createStatement()) {
                statement.execute("ALTER TABLE entry RENAME TO whole");
                statement.execute(
                    "CREATE FUNCTION invalid_page(one bytea) RETURNS bytea STABLE LANGUAGE plpgsql"
                        + " AS $$ BEGIN RAISE EXCEPTION 'invalid page in block 3'"
                        + " USING ERRCODE = 'XX001'; END $$");
                return statement.execute(
                    "CREATE VIEW entry AS SELECT key, invalid_page(value) AS value FROM whole");
              }
            });
  }

  private static StoreObserver countingUnread(AtomicInteger unread) {
    return new StoreObserver() {
      @Override
      public void stored(int writes, long bytes, long nanos) {}

      @Override
      public void failed(int writes) {}

      @Override
      public void unread() {
        unread.incrementAndGet();
      }
    };
  }
}

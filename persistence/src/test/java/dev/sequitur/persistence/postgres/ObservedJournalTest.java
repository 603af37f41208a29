package dev.sequitur.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol.RecoverySuccess;
import akka.persistence.JournalProtocol.ReplayMessages;
import akka.persistence.JournalProtocol.ReplayMessagesFailure;
import akka.persistence.JournalProtocol.WriteMessageSuccess;
import akka.persistence.JournalProtocol.WriteMessages;
import akka.persistence.JournalProtocol.WriteMessagesSuccessful$;
import akka.persistence.Persistence;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.journal.StoreObserver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;

/** The journal of several JVMs, whose events are read by an actor that recovers. */
class ObservedJournalTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ActorSystem system;
  private TestKit actor;
  private ActorRef journal;
  private PostgresDatabase database;
  private final AtomicLong unread = new AtomicLong();

  @BeforeEach
  void start() {
    var server = TestPostgres.shared();
    system =
        ActorSystem.create(
            "node1",
            ConfigFactory.parseString(
                    """
                    akka.loglevel = OFF
                    akka.actor.allow-java-serialization = on
                    akka.actor.warn-about-java-serializer-usage = off
                    sequitur.persistence.postgresql {
                      url = "%s", user = "%s", password = "%s", schema = observed_%d
                    }
                    """
                        .formatted(
                            server.url(),
                            server.user(),
                            server.password(),
                            SCHEMAS.incrementAndGet()))
                .withFallback(ConfigFactory.parseResources("postgresql-journal.conf"))
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve());
    var extension = PostgresExtension.get(system);
    database = extension.database();
    extension.observeJournal(
        new StoreObserver() {
          @Override
          public void stored(int writes, long bytes, long nanos) {}

          @Override
          public void failed(int writes) {}

          @Override
          public void unread() {
            unread.incrementAndGet();
          }
        });
    actor = new TestKit(system);
    var persistence = Persistence.get(system);
    journal = persistence.journalFor("jdbc-journal", persistence.journalFor$default$2());
    store();
  }

  private void store() {
    var event = PersistentRepr.apply("event", 1, "sender|0x01", "", false, null, "writer-1");
    List<PersistentEnvelope> events = List.of(AtomicWrite.apply(event));
    journal.tell(
        new WriteMessages(CollectionConverters.asScala(events).toList(), actor.getRef(), 1),
        actor.getRef());
    actor.expectMsgClass(PATIENCE, WriteMessagesSuccessful$.class);
    actor.expectMsgClass(PATIENCE, WriteMessageSuccess.class);
  }

  private void recover() {
    journal.tell(
        new ReplayMessages(1, Long.MAX_VALUE, Long.MAX_VALUE, "sender|0x01", actor.getRef()),
        ActorRef.noSender());
  }

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(
        system, FiniteDuration.create(PATIENCE.toSeconds(), TimeUnit.SECONDS), true);
  }

  /** The first is read to find the newest event, the second with each event. */
  @ParameterizedTest
  @ValueSource(strings = {"sequence_number", "event_payload"})
  void anEventThatPostgresFindsDamagedIsKeptInMindAndTold(String column) throws Exception {
    damage(column);

    recover();

    actor.expectMsgClass(PATIENCE, ReplayMessagesFailure.class);
    assertThat(database.isDamaged()).isTrue();
    assertThat(unread).hasValue(1);
  }

  private void damage(String column) throws SQLException {
    var columns =
        Stream.of(
                "ordering, deleted, persistence_id, sequence_number, writer, write_timestamp",
                "adapter_manifest, event_ser_id, event_ser_manifest, event_payload",
                "meta_ser_id, meta_ser_manifest, meta_payload")
            .collect(Collectors.joining(", "))
            .replace(column, "invalid_page(%1$s) AS %1$s".formatted(column));
    database.transaction(
        connection -> {
          try (var statement = connection.createStatement()) {
            statement.execute("ALTER TABLE event_journal RENAME TO whole_journal");
            statement.execute(
                "CREATE FUNCTION invalid_page(one anyelement) RETURNS anyelement STABLE LANGUAGE plpgsql AS $$"
                    + "BEGIN RAISE EXCEPTION 'invalid page in block 3' USING ERRCODE = 'XX001'; END$$");
            return statement.execute(
                "CREATE VIEW event_journal AS SELECT %s FROM whole_journal".formatted(columns));
          }
        });
  }

  @Test
  void whatIsReadWholeIsNoDamage() {
    recover();

    actor.receiveN(1, PATIENCE);
    actor.expectMsgClass(PATIENCE, RecoverySuccess.class);
    assertThat(database.isDamaged()).isFalse();
    assertThat(unread).hasValue(0);
  }
}

package dev.sequitur.persistence.journal;

import static dev.sequitur.persistence.journal.JournalDriver.ALL;
import static dev.sequitur.persistence.journal.JournalDriver.atomic;
import static dev.sequitur.persistence.journal.JournalDriver.event;
import static dev.sequitur.persistence.journal.JournalDriver.events;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import com.typesafe.config.Config;
import dev.sequitur.persistence.journal.JournalDriver.Outcome;
import dev.sequitur.persistence.leveldb.Stages;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of a journal, spoken to as a persistent actor does. */
abstract class JournalContractTest {
  private ActorSystem system;
  private JournalDriver journal;

  /** The same for the whole of a test. */
  abstract Config config();

  @BeforeEach
  void start() {
    system = TestSystems.start(config());
    journal = new JournalDriver(system);
  }

  @AfterEach
  void stop() {
    TestSystems.stop(system);
  }

  final ActorSystem system() {
    return system;
  }

  final JournalDriver journal() {
    return journal;
  }

  @Test
  void replaysEventsInTheirOrder() {
    for (int number = 1; number <= 300; number++) {
      journal.write(events("p", number, number));
    }

    assertThat(journal.replay("p", 1, ALL, ALL))
        .extracting(PersistentRepr::sequenceNr)
        .hasSize(300)
        .isSorted();
  }

  @Test
  void givesBackWhatWasHandedOver() {
    PersistentRepr written =
        event("p", 1, "payload").withManifest("adapter").withMetadata("metadata");

    journal.write(atomic(written));

    PersistentRepr read = journal.replay("p", 1, ALL, ALL).get(0);
    assertThat(read.payload()).isEqualTo("payload");
    assertThat(read.persistenceId()).isEqualTo("p");
    assertThat(read.sequenceNr()).isEqualTo(1);
    assertThat(read.writerUuid()).isEqualTo("writer-1");
    assertThat(read.manifest()).isEqualTo("adapter");
    assertThat(read.metadata().get()).isEqualTo("metadata");
    assertThat(read.timestamp()).isPositive();
  }

  @Test
  void storesATaggedEventWithoutItsTags() {
    journal.write(atomic(event("p", 1, new Tagged("payload", Set.of("tag")))));

    assertThat(journal.replayAll("p")).containsExactly("payload");
  }

  @Test
  void replaysARangeAndNoMoreThanAsked() {
    journal.write(events("p", 1, 9));

    assertThat(journal.replay("p", 3, 6, ALL))
        .extracting(PersistentRepr::sequenceNr)
        .containsExactly(3L, 4L, 5L, 6L);
    assertThat(journal.replay("p", 3, 6, 2))
        .extracting(PersistentRepr::sequenceNr)
        .containsExactly(3L, 4L);
    assertThat(journal.replay("p", 3, 6, 0)).isEmpty();
    assertThat(journal.replay("p", 10, ALL, ALL)).isEmpty();
    assertThat(journal.replay("p", 5, 4, ALL)).isEmpty();
  }

  @Test
  void keepsPersistenceIdsApart() {
    journal.write(events("p", 1, 2));
    journal.write(events("p2", 1, 1));

    assertThat(journal.replayAll("p")).containsExactly("a-1", "a-2");
    assertThat(journal.replayAll("p2")).containsExactly("a-1");
    assertThat(journal.replayAll("nobody")).isEmpty();
    assertThat(journal.highestSequenceNr("nobody")).isZero();
  }

  @Test
  void storesSeveralAtomicWritesHandedOverAtOnce() {
    Outcome outcome = journal.write(events("p", 1, 3), events("p", 4, 4), events("p", 5, 6));

    assertThat(outcome.stored()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(journal.replayAll("p")).hasSize(6);
  }

  @Test
  void refusesASequenceNumberThatIsTaken() {
    journal.write(events("p", 1, 3));

    Outcome outcome = journal.write(atomic(event("p", 3, "of another incarnation")));

    assertThat(outcome.failures())
        .singleElement()
        .isInstanceOf(SequenceConflictException.class)
        .hasToString(
            SequenceConflictException.class.getName()
                + ": Event 3 of 'p' was refused, since the journal expects 4 next: another"
                + " incarnation has written, or this one did not recover all events.");
    assertThat(journal.replayAll("p")).containsExactly("a-1", "a-2", "a-3");
  }

  @Test
  void refusesAGap() {
    journal.write(events("p", 1, 3));

    Outcome outcome = journal.write(events("p", 5, 5));

    assertThat(outcome.failures()).hasSize(1);
    assertThat(journal.highestSequenceNr("p")).isEqualTo(3);
  }

  @Test
  void refusesASequenceNumberThatWasDeleted() {
    journal.write(events("p", 1, 3));
    journal.delete("p", 3);

    assertThat(journal.write(events("p", 1, 1)).failures()).hasSize(1);
    assertThat(journal.write(events("p", 4, 4)).stored()).containsExactly(4L);
  }

  @Test
  void storesNothingOfWhatIsHandedOverAtOnceIfAPartOfItIsRefused() {
    Outcome outcome = journal.write(events("p", 1, 2), events("p", 2, 3));

    assertThat(outcome.failures()).hasSize(4);
    assertThat(journal.replayAll("p")).isEmpty();
    assertThat(journal.highestSequenceNr("p")).isZero();
  }

  @Test
  void rejectsAnEventThatCannotBeSerializedWithTheRestOfItsAtomicWrite() {
    Outcome outcome =
        journal.write(
            events("p", 1, 1),
            atomic(event("p", 2, "a-2"), event("p", 3, new Object())),
            events("p", 4, 4));

    assertThat(outcome.stored()).containsExactly(1L, 4L);
    assertThat(outcome.rejected()).containsExactly(2L, 3L);
    assertThat(journal.replayAll("p")).containsExactly("a-1", "a-4");
    assertThat(journal.write(events("p", 5, 5)).stored()).containsExactly(5L);
  }

  @Test
  void deletesUpToASequenceNumber() {
    journal.write(events("p", 1, 9));

    journal.delete("p", 4);

    assertThat(journal.replay("p", 1, ALL, ALL))
        .extracting(PersistentRepr::sequenceNr)
        .containsExactly(5L, 6L, 7L, 8L, 9L);
    assertThat(eventsOnDisk("p")).containsExactly(5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void deletesMoreThanItRemovesAtOnce() {
    for (int first = 1; first <= 2_500; first += 500) {
      journal.write(events("p", first, first + 499));
    }

    journal.delete("p", 2_400);

    assertThat(eventsOnDisk("p")).hasSize(100);
    assertThat(journal.replay("p", 1, ALL, ALL)).hasSize(100);
  }

  @Test
  void remembersTheHighestSequenceNumberWhenAllIsDeleted() {
    journal.write(events("p", 1, 9));

    journal.delete("p", ALL);

    assertThat(journal.replayAll("p")).isEmpty();
    assertThat(journal.highestSequenceNr("p")).isEqualTo(9);
    assertThat(eventsOnDisk("p")).isEmpty();
  }

  @Test
  void deletesNothingAheadOfTime() {
    journal.write(events("p", 1, 2));
    journal.delete("p", 5);

    journal.write(events("p", 3, 6));

    assertThat(journal.replayAll("p")).containsExactly("a-3", "a-4", "a-5", "a-6");
  }

  @Test
  void keepsEventsHighestNumberAndDeletionsOverARestart() {
    journal.write(events("p", 1, 9));
    journal.delete("p", 4);
    journal.write(events("empty", 1, 3));
    journal.delete("empty", 3);

    stop();
    start();

    assertThat(journal.replayAll("p")).containsExactly("a-5", "a-6", "a-7", "a-8", "a-9");
    assertThat(journal.highestSequenceNr("empty")).isEqualTo(3);
    assertThat(journal.write(events("p", 10, 10)).stored()).containsExactly(10L);
  }

  @Test
  void goesOnRemovingWhatAnInterruptedDeletionLeftOnTheDisk() {
    journal.write(events("p", 1, 9));
    byte[] interrupted = new StreamBounds(9, 6, 2).encode();
    Stages.await(
        TestSystems.map(system)
            .write(
                batch -> {
                  batch.put(Key.in(KeySpace.STREAM).text("p"), interrupted);
                  return null;
                }));
    assertThat(journal.replayAll("p")).containsExactly("a-7", "a-8", "a-9");

    journal.delete("p", 7);

    assertThat(eventsOnDisk("p")).containsExactly(1L, 2L, 8L, 9L);
  }

  @Test
  void recoversWhatAPredecessorHandedOverLast() {
    CountDownLatch diskIsFree = new CountDownLatch(1);
    var unused =
        TestSystems.map(system)
            .write(
                batch -> {
                  Stages.await(diskIsFree);
                  return null;
                });
    JournalDriver successor = new JournalDriver(system);

    journal.handOver(events("p", 1, 2));
    successor.startRecovery("p");
    diskIsFree.countDown();

    assertThat(successor.recovered().highest()).isEqualTo(2);
  }

  private List<Long> eventsOnDisk(String persistenceId) {
    var events = KeyRange.startingWith(Key.in(KeySpace.EVENT).text(persistenceId));
    return Stages.await(
        TestSystems.map(system)
            .read(
                stored ->
                    stored.keys(events, Order.ASCENDING).stream().map(Key::lastNumber).toList()));
  }
}

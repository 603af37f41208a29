package dev.sequitur.persistence.journal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.JournalProtocol.DeleteMessagesTo;
import akka.persistence.JournalProtocol.RecoverySuccess;
import akka.persistence.JournalProtocol.ReplayMessages;
import akka.persistence.JournalProtocol.ReplayMessagesFailure;
import akka.persistence.JournalProtocol.ReplayedMessage;
import akka.persistence.JournalProtocol.WriteMessageFailure;
import akka.persistence.JournalProtocol.WriteMessageRejected;
import akka.persistence.JournalProtocol.WriteMessageSuccess;
import akka.persistence.JournalProtocol.WriteMessages;
import akka.persistence.Persistence;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import akka.testkit.javadsl.TestKit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import scala.jdk.javaapi.CollectionConverters;

/** Speaks to the journal as a persistent actor does. */
final class JournalDriver {
  /** What a persistent actor hears of the events it handed over at once. */
  record Outcome(List<Long> stored, List<Long> rejected, List<Throwable> failures) {}

  /** What a persistent actor recovers from. */
  record Recovery(List<PersistentRepr> events, long highest) {}

  static final long ALL = Long.MAX_VALUE;
  private static final int INCARNATION = 1;

  private final TestKit persistentActor;
  private final ActorRef journal;

  JournalDriver(ActorSystem system) {
    Persistence persistence = Persistence.get(system);
    this.persistentActor = new TestKit(system);
    this.journal = persistence.journalFor("", persistence.journalFor$default$2());
  }

  static PersistentRepr event(String persistenceId, long sequenceNr, Object payload) {
    return PersistentRepr.apply(
        payload, sequenceNr, persistenceId, "", false, ActorRef.noSender(), "writer-1");
  }

  /** Events "a-1", "a-2" and so on, to be stored together. */
  static AtomicWrite events(String persistenceId, long from, long to) {
    return atomic(
        IntStream.rangeClosed((int) from, (int) to)
            .mapToObj(number -> event(persistenceId, number, "a-" + number))
            .toArray(PersistentRepr[]::new));
  }

  static AtomicWrite atomic(PersistentRepr... events) {
    return AtomicWrite.apply(CollectionConverters.asScala(Arrays.asList(events)).toList());
  }

  /** Hands over at once what a persistent actor collected, and waits for all answers. */
  Outcome write(AtomicWrite... writes) {
    handOver(writes);
    Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    int answers = 1 + Arrays.stream(writes).mapToInt(AtomicWrite::size).sum();
    for (Object answer : persistentActor.receiveN(answers)) {
      if (answer instanceof WriteMessageSuccess success) {
        outcome.stored().add(success.persistent().sequenceNr());
      } else if (answer instanceof WriteMessageRejected rejected) {
        outcome.rejected().add(rejected.message().sequenceNr());
      } else if (answer instanceof WriteMessageFailure failure) {
        outcome.failures().add(failure.cause());
      }
    }
    return outcome;
  }

  /** As {@link #write} without the waiting. */
  void handOver(AtomicWrite... writes) {
    List<PersistentEnvelope> envelopes = Arrays.asList(writes);
    journal.tell(
        new WriteMessages(
            CollectionConverters.asScala(envelopes).toList(),
            persistentActor.getRef(),
            INCARNATION),
        persistentActor.getRef());
  }

  /** The events of a range in the order in which they come; recovery must succeed. */
  List<PersistentRepr> replay(String persistenceId, long from, long to, long max) {
    return recover(persistenceId, from, to, max).events();
  }

  /** The payloads of all events there are. */
  List<Object> replayAll(String persistenceId) {
    return replay(persistenceId, 1, ALL, ALL).stream().map(PersistentRepr::payload).toList();
  }

  long highestSequenceNr(String persistenceId) {
    return recover(persistenceId, 1, ALL, ALL).highest();
  }

  void delete(String persistenceId, long to) {
    journal.tell(
        new DeleteMessagesTo(persistenceId, to, persistentActor.getRef()), ActorRef.noSender());
    persistentActor.expectMsgClass(DeleteMessagesSuccess.class);
  }

  /** Asks for all events, for {@link #recovered} to wait for. */
  void startRecovery(String persistenceId) {
    startRecovery(persistenceId, 1, ALL, ALL);
  }

  /** The recovery that was started; it must succeed. */
  Recovery recovered() {
    List<PersistentRepr> events = new ArrayList<>();
    Object answer = persistentActor.receiveOne(persistentActor.getRemainingOrDefault());
    while (answer instanceof ReplayedMessage replayed) {
      events.add(replayed.persistent());
      answer = persistentActor.receiveOne(persistentActor.getRemainingOrDefault());
    }
    if (answer instanceof RecoverySuccess success) {
      return new Recovery(events, success.highestSequenceNr());
    }
    throw new AssertionError("recovery ended with " + answer);
  }

  /** Why a recovery fails. */
  Throwable failToRecover(String persistenceId) {
    startRecovery(persistenceId);
    return persistentActor.expectMsgClass(ReplayMessagesFailure.class).cause();
  }

  private Recovery recover(String persistenceId, long from, long to, long max) {
    startRecovery(persistenceId, from, to, max);
    return recovered();
  }

  private void startRecovery(String persistenceId, long from, long to, long max) {
    journal.tell(
        new ReplayMessages(from, to, max, persistenceId, persistentActor.getRef()),
        ActorRef.noSender());
  }
}

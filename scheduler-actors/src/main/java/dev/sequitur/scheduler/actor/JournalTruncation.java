package dev.sequitur.scheduler.actor;

import akka.actor.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.Recovery;
import akka.persistence.RecoveryCompleted;
import org.slf4j.LoggerFactory;

/**
 * Takes records that a checkpoint contains off the journal, then ends. It writes nothing, so it is
 * no second writer. Akka's typed entities can delete events only with snapshots of their own, which
 * a queue does not take. What it fails to delete, the one after the next checkpoint deletes.
 */
final class JournalTruncation extends AbstractPersistentActor {
  private final String stream;
  private final long upTo;

  static void start(akka.actor.typed.javadsl.ActorContext<?> context, String stream, long upTo) {
    Adapter.actorOf(context, Props.create(JournalTruncation.class, stream, upTo));
  }

  JournalTruncation(String stream, long upTo) {
    this.stream = stream;
    this.upTo = upTo;
  }

  @Override
  public String persistenceId() {
    return stream;
  }

  @Override
  public Recovery recovery() {
    return Recovery.none();
  }

  @Override
  public Receive createReceiveRecover() {
    return receiveBuilder()
        .match(RecoveryCompleted.class, completed -> deleteMessages(upTo))
        .matchAny(ignored -> {})
        .build();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(DeleteMessagesSuccess.class, deleted -> getContext().stop(getSelf()))
        .match(
            DeleteMessagesFailure.class,
            failure -> {
              LoggerFactory.getLogger(JournalTruncation.class)
                  .warn("Records of {} up to {} were not deleted", stream, upTo, failure.cause());
              getContext().stop(getSelf());
            })
        .build();
  }
}

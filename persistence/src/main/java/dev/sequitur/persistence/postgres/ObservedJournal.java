package dev.sequitur.persistence.postgres;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.jdbc.journal.JdbcAsyncWriteJournal;
import com.typesafe.config.Config;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** The journal of a node that is several JVMs: that of akka-persistence-jdbc, with an observer. */
public final class ObservedJournal extends JdbcAsyncWriteJournal {
  private final PostgresExtension extension;

  /** For Akka, with the plugin's own section of the configuration. */
  public ObservedJournal(Config plugin) {
    super(plugin);
    this.extension = PostgresExtension.get(context().system());
  }

  @Override
  public Future<Seq<Try<BoxedUnit>>> asyncWriteMessages(Seq<AtomicWrite> messages) {
    long start = System.nanoTime();
    var stored = super.asyncWriteMessages(messages);
    stored.onComplete(
        result -> {
          if (result.isSuccess()) {
            extension.journal().stored(messages.size(), 0, System.nanoTime() - start);
          } else {
            extension.database().noteDamage(result.failed().get());
            extension.journal().failed(messages.size());
          }
          return BoxedUnit.UNIT;
        },
        ec());
    return stored;
  }

  @Override
  public Future<BoxedUnit> asyncReplayMessages(
      String persistenceId,
      long fromSequenceNr,
      long toSequenceNr,
      long max,
      Function1<PersistentRepr, BoxedUnit> recoveryCallback) {
    return read(
        super.asyncReplayMessages(
            persistenceId, fromSequenceNr, toSequenceNr, max, recoveryCallback));
  }

  @Override
  public Future<Object> asyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return read(super.asyncReadHighestSequenceNr(persistenceId, fromSequenceNr));
  }

  /** The same, telling if it could not be read. */
  private <T> Future<T> read(Future<T> asked) {
    asked.onComplete(
        result -> {
          if (result.isFailure()) {
            extension.database().noteDamage(result.failed().get());
            extension.journal().unread();
          }
          return BoxedUnit.UNIT;
        },
        ec());
    return asked;
  }
}

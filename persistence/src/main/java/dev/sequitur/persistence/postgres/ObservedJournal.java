package dev.sequitur.persistence.postgres;

import akka.persistence.AtomicWrite;
import akka.persistence.jdbc.journal.JdbcAsyncWriteJournal;
import com.typesafe.config.Config;
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
            extension.journal().failed(messages.size());
          }
          return BoxedUnit.UNIT;
        },
        ec());
    return stored;
  }
}

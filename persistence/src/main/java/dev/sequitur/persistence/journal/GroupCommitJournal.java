package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.dispatch.Futures;
import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import com.typesafe.config.Config;
import dev.sequitur.persistence.journal.LevelDb.Order;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;

/**
 * The journal of a node that is one JVM: Akka Persistence over the node's own {@link LevelDb}.
 *
 * <p>Events are serialized in this actor; the writes of all actors that come while the disk is busy
 * share the next fsync. The order of checks and writes is that of the writer thread:
 *
 * <ul>
 *   <li>what one persistent actor hands over at once is stored whole or not at all;
 *   <li>its first event must have the sequence number after the highest ever used, else the write
 *       fails with {@link SequenceConflictException} and Akka stops the actor. So of two
 *       incarnations only one can write;
 *   <li>an event that can't be serialized is rejected, which uses up its number;
 *   <li>recovery waits for writes that were handed over before it, so that an actor that comes back
 *       sees what its predecessor wrote last.
 * </ul>
 *
 * <p>Deleting first moves the bound, durably, below which nothing is replayed; then events leave
 * the disk piece by piece. The highest sequence number stays for ever. Tags are not stored.
 */
public final class GroupCommitJournal extends AsyncWriteJournal {
  private static final int REMOVED_AT_ONCE = 1_000;

  private final ExtendedActorSystem system;
  private final LevelDb levelDb;
  private final ExecutionContextExecutor replayDispatcher;

  /** For Akka, with the plugin's own section of the configuration. */
  public GroupCommitJournal(Config plugin) {
    this.system = (ExtendedActorSystem) context().system();
    this.levelDb = LevelDbExtension.get(system).levelDb();
    this.replayDispatcher = system.dispatchers().lookup(plugin.getString("replay-dispatcher"));
  }

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    PreparedWrite prepared = PreparedWrite.of(writes, System.currentTimeMillis(), system);
    return ScalaFuture.of(
        levelDb.write(prepared::store).thenApply(stored -> prepared.rejections()));
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return ScalaFuture.of(
        levelDb
            .afterEarlierWrites()
            .thenApplyAsync(written -> bounds(persistenceId).highest(), replayDispatcher));
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId, long from, long to, long max, Consumer<PersistentRepr> replay) {
    return Futures.future(
        () -> {
          long first = Math.max(from, bounds(persistenceId).deletedTo() + 1);
          if (max > 0 && first <= to) {
            replay(persistenceId, KeyRange.numbered(events(persistenceId), first, to), max, replay);
          }
          return null;
        },
        replayDispatcher);
  }

  private void replay(
      String persistenceId, KeyRange range, long max, Consumer<PersistentRepr> replay) {
    AtomicLong left = new AtomicLong(max);
    levelDb.scan(
        range,
        Order.ASCENDING,
        (key, value) -> {
          JournalEntry entry = JournalEntry.decode(value);
          replay.accept(entry.toEvent(persistenceId, key.lastNumber(), system));
          return left.decrementAndGet() > 0;
        });
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    return ScalaFuture.of(
        levelDb
            .write(
                batch -> {
                  StreamBounds bounds = StreamBounds.decode(batch.get(stream(persistenceId)));
                  StreamBounds moved = bounds.withDeletedTo(toSequenceNr);
                  if (!moved.equals(bounds)) {
                    batch.put(stream(persistenceId), moved.encode());
                  }
                })
            .thenComposeAsync(moved -> removeDeleted(persistenceId), replayDispatcher));
  }

  /** Takes deleted events off the disk, some at a time so that nobody waits long for the writer. */
  private CompletionStage<Void> removeDeleted(String persistenceId) {
    StreamBounds bounds = bounds(persistenceId);
    if (bounds.removedTo() == bounds.deletedTo()) {
      return CompletableFuture.completedStage(null);
    }
    long last = Math.min(bounds.deletedTo(), bounds.removedTo() + REMOVED_AT_ONCE);
    return levelDb
        .write(
            batch -> {
              Key events = events(persistenceId);
              for (long number = bounds.removedTo() + 1; number <= last; number++) {
                batch.delete(events.number(number));
              }
              StreamBounds now = StreamBounds.decode(batch.get(stream(persistenceId)));
              batch.put(stream(persistenceId), now.withRemovedTo(last).encode());
            })
        .thenComposeAsync(removed -> removeDeleted(persistenceId), replayDispatcher);
  }

  private StreamBounds bounds(String persistenceId) {
    return StreamBounds.decode(levelDb.get(stream(persistenceId)));
  }

  private static Key stream(String persistenceId) {
    return Key.in(KeySpace.STREAM).text(persistenceId);
  }

  private static Key events(String persistenceId) {
    return Key.in(KeySpace.EVENT).text(persistenceId);
  }
}

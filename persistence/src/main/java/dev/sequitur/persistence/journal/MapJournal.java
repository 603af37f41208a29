package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import com.typesafe.config.Config;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.WriteBatch;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import scala.concurrent.Future;

/**
 * The journal of a node: Akka Persistence over the map that has all else that the node keeps.
 *
 * <p>Events are serialized in this actor; the writes of all actors that come while the disk or the
 * database is busy share the next write. Checks and writes are one step of the map:
 *
 * <ul>
 *   <li>what one persistent actor hands over at once is stored whole or not at all;
 *   <li>its first event must have the sequence number after the highest ever used, else the write
 *       fails with {@link SequenceConflictException} and Akka stops the actor. So of two
 *       incarnations only one can write, in whatever JVM they are, and no other fence is asked;
 *   <li>an event that can't be serialized is rejected, which uses up its number;
 *   <li>recovery waits for writes that were handed over before it in the same JVM, so that an actor
 *       that comes back sees what its predecessor wrote last.
 * </ul>
 *
 * <p>Deleting first moves the bound, durably, below which nothing is replayed; with it and after it
 * events leave the map piece by piece. The highest sequence number stays for ever. Tags are not
 * stored.
 */
public final class MapJournal extends AsyncWriteJournal {
  private static final int REMOVED_AT_ONCE = 1_000;

  /** Of so few all are asked for at once; more come some at a time. */
  private static final int READ_AT_ONCE = 500;

  private final ExtendedActorSystem system;
  private final OrderedMap map;
  private final Recovering recovering = new Recovering();

  /** For Akka, with the plugin's own section of the configuration. */
  public MapJournal(Config plugin) {
    this.system = (ExtendedActorSystem) context().system();
    this.map = EventMaps.of(system, plugin);
  }

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    PreparedWrite prepared = PreparedWrite.of(writes, System.currentTimeMillis(), system);
    return ScalaFuture.of(
        map.write(
            batch -> {
              prepared.store(batch);
              return prepared.rejections();
            }));
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return ScalaFuture.of(
        map.afterEarlierWrites()
            .thenCompose(written -> map.read(stored -> bounds(stored, persistenceId)))
            .thenApply(
                bounds -> {
                  recovering.begin(persistenceId, bounds);
                  return bounds.highest();
                }));
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId, long from, long to, long max, Consumer<PersistentRepr> replay) {
    return ScalaFuture.of(
        map.read(
            stored -> {
              var bounds =
                  recovering.end(persistenceId).orElseGet(() -> bounds(stored, persistenceId));
              long first = Math.max(from, bounds.deletedTo() + 1);
              long last = Math.min(to, bounds.highest());
              if (max > 0 && first <= last) {
                replay(persistenceId, first, last, max, stored, replay);
              }
              return null;
            }));
  }

  private void replay(
      String persistenceId,
      long first,
      long last,
      long max,
      Entries stored,
      Consumer<PersistentRepr> replay) {
    var range = KeyRange.numbered(events(persistenceId), first, last);
    var left = new AtomicLong(Math.min(max, last - first + 1));
    Visitor visitor =
        (key, value) -> {
          JournalEntry entry = JournalEntry.decode(value);
          replay.accept(entry.toEvent(persistenceId, key.lastNumber(), system));
          return left.decrementAndGet() > 0;
        };
    if (left.get() <= READ_AT_ONCE) {
      var unused = stored.list(range, Order.ASCENDING, left.intValue(), visitor::visit);
    } else {
      stored.scan(range, Order.ASCENDING, visitor);
    }
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    return ScalaFuture.of(delete(persistenceId, toSequenceNr));
  }

  /** Takes some at a time out of the map, so that nobody waits long for its turn. */
  private CompletionStage<Void> delete(String persistenceId, long toSequenceNr) {
    return map.write(batch -> deleteSome(persistenceId, toSequenceNr, batch))
        .thenCompose(
            now ->
                now.removedTo() == now.deletedTo()
                    ? CompletableFuture.completedStage(null)
                    : delete(persistenceId, toSequenceNr));
  }

  private static StreamBounds deleteSome(
      String persistenceId, long toSequenceNr, WriteBatch batch) {
    Key stream = stream(persistenceId);
    StreamBounds bounds = StreamBounds.decode(batch.get(stream));
    StreamBounds moved = bounds.withDeletedTo(toSequenceNr);
    long last = Math.min(moved.deletedTo(), moved.removedTo() + REMOVED_AT_ONCE);
    Key events = events(persistenceId);
    for (long number = moved.removedTo() + 1; number <= last; number++) {
      batch.delete(events.number(number));
    }
    StreamBounds now = moved.withRemovedTo(last);
    if (!now.equals(bounds)) {
      batch.put(stream, now.encode());
    }
    return now;
  }

  private static StreamBounds bounds(Entries stored, String persistenceId) {
    return StreamBounds.decode(stored.get(stream(persistenceId)));
  }

  private static Key stream(String persistenceId) {
    return Key.in(KeySpace.STREAM).text(persistenceId);
  }

  private static Key events(String persistenceId) {
    return Key.in(KeySpace.EVENT).text(persistenceId);
  }

  /**
   * What was found of those who recover, between the two questions that Akka asks for each: for the
   * highest number, and for the events. Of some nobody asks for events.
   */
  private static final class Recovering {
    private static final int MOST = 1_000;

    private final LinkedHashMap<String, StreamBounds> found = new LinkedHashMap<>();

    synchronized void begin(String persistenceId, StreamBounds bounds) {
      found.remove(persistenceId);
      found.put(persistenceId, bounds);
      if (found.size() > MOST) {
        var unused = found.pollFirstEntry();
      }
    }

    synchronized Optional<StreamBounds> end(String persistenceId) {
      return Optional.ofNullable(found.remove(persistenceId));
    }
  }
}

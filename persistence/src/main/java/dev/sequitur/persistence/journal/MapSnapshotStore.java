package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import com.typesafe.config.Config;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import scala.concurrent.Future;

/**
 * The snapshots of a node's entities, in the same map as their events and through the same writes.
 *
 * <p>One snapshot for each persistence id and sequence number; a later one of the same number
 * replaces it. The youngest is the one of the highest number.
 */
public final class MapSnapshotStore extends SnapshotStore {
  private final ExtendedActorSystem system;
  private final OrderedMap map;

  /** For Akka, with the plugin's own section of the configuration. */
  public MapSnapshotStore(Config plugin) {
    this.system = (ExtendedActorSystem) context().system();
    this.map = EventMaps.of(system, plugin);
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object state) {
    byte[] stored = StoredSnapshot.of(metadata, state, system).encode();
    return ScalaFuture.of(
        map.write(
            batch -> {
              batch.put(key(metadata), stored);
              return null;
            }));
  }

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    return ScalaFuture.of(
        map.read(
            stored -> {
              List<SelectedSnapshot> youngest = new ArrayList<>();
              Visitor visitor =
                  (key, value) -> {
                    StoredSnapshot each = StoredSnapshot.decode(value);
                    if (!matches(each, criteria)) {
                      return true;
                    }
                    youngest.add(each.toSelected(persistenceId, key.lastNumber(), system));
                    return false;
                  };
              KeyRange range = range(persistenceId, criteria);
              if (isOfAnyTime(criteria)) {
                var unused = stored.list(range, Order.DESCENDING, 1, visitor::visit);
              } else {
                stored.scan(range, Order.DESCENDING, visitor);
              }
              return youngest.stream().findFirst();
            }));
  }

  /** A timestamp of zero stands for any. */
  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    Key key = key(metadata);
    return ScalaFuture.of(
        map.write(
            batch -> {
              if (metadata.timestamp() == 0
                  || batch
                      .get(key)
                      .map(StoredSnapshot::decode)
                      .filter(stored -> stored.timestampMillis() == metadata.timestamp())
                      .isPresent()) {
                batch.delete(key);
              }
              return null;
            }));
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return ScalaFuture.of(
        map.afterEarlierWrites()
            .thenCompose(written -> map.read(stored -> matching(stored, persistenceId, criteria)))
            .thenCompose(
                keys ->
                    map.write(
                        batch -> {
                          keys.forEach(batch::delete);
                          return null;
                        })));
  }

  private static List<Key> matching(
      Entries stored, String persistenceId, SnapshotSelectionCriteria criteria) {
    KeyRange range = range(persistenceId, criteria);
    if (isOfAnyTime(criteria)) {
      return stored.keys(range, Order.ASCENDING);
    }
    List<Key> keys = new ArrayList<>();
    stored.scan(
        range,
        Order.ASCENDING,
        (key, value) -> {
          if (matches(StoredSnapshot.decode(value), criteria)) {
            keys.add(key);
          }
          return true;
        });
    return keys;
  }

  private static boolean isOfAnyTime(SnapshotSelectionCriteria criteria) {
    return criteria.minTimestamp() <= 0 && criteria.maxTimestamp() == Long.MAX_VALUE;
  }

  private static boolean matches(StoredSnapshot stored, SnapshotSelectionCriteria criteria) {
    return criteria.minTimestamp() <= stored.timestampMillis()
        && stored.timestampMillis() <= criteria.maxTimestamp();
  }

  private static KeyRange range(String persistenceId, SnapshotSelectionCriteria criteria) {
    return KeyRange.numbered(
        snapshots(persistenceId), criteria.minSequenceNr(), criteria.maxSequenceNr());
  }

  private static Key key(SnapshotMetadata metadata) {
    return snapshots(metadata.persistenceId()).number(metadata.sequenceNr());
  }

  private static Key snapshots(String persistenceId) {
    return Key.in(KeySpace.SNAPSHOT).text(persistenceId);
  }
}

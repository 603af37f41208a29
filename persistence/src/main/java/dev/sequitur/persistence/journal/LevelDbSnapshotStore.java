package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.dispatch.Futures;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import com.typesafe.config.Config;
import dev.sequitur.persistence.journal.LevelDb.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;

/**
 * The snapshots of a node that is one JVM, in the same {@link LevelDb} as its events and through
 * the same group commit.
 *
 * <p>One snapshot for each persistence id and sequence number; a later one of the same number
 * replaces it. The youngest is the one of the highest number.
 */
public final class LevelDbSnapshotStore extends SnapshotStore {
  private final ExtendedActorSystem system;
  private final LevelDb levelDb;
  private final ExecutionContextExecutor readDispatcher;

  /** For Akka, with the plugin's own section of the configuration. */
  public LevelDbSnapshotStore(Config plugin) {
    this.system = (ExtendedActorSystem) context().system();
    this.levelDb = LevelDbExtension.get(system).levelDb();
    this.readDispatcher = system.dispatchers().lookup(plugin.getString("read-dispatcher"));
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object state) {
    byte[] stored = StoredSnapshot.of(metadata, state, system).encode();
    return ScalaFuture.of(levelDb.write(batch -> batch.put(key(metadata), stored)));
  }

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    return Futures.future(
        () -> {
          List<SelectedSnapshot> youngest = new ArrayList<>();
          levelDb.scan(
              range(persistenceId, criteria),
              Order.DESCENDING,
              (key, value) -> {
                StoredSnapshot stored = StoredSnapshot.decode(value);
                if (!matches(stored, criteria)) {
                  return true;
                }
                youngest.add(stored.toSelected(persistenceId, key.lastNumber(), system));
                return false;
              });
          return youngest.stream().findFirst();
        },
        readDispatcher);
  }

  /** A timestamp of zero stands for any. */
  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    return ScalaFuture.of(
        levelDb.write(
            batch ->
                batch
                    .get(key(metadata))
                    .map(StoredSnapshot::decode)
                    .filter(
                        stored ->
                            metadata.timestamp() == 0
                                || metadata.timestamp() == stored.timestampMillis())
                    .ifPresent(stored -> batch.delete(key(metadata)))));
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return ScalaFuture.of(
        levelDb
            .afterEarlierWrites()
            .thenApplyAsync(written -> matching(persistenceId, criteria), readDispatcher)
            .thenCompose(keys -> levelDb.write(batch -> keys.forEach(batch::delete))));
  }

  private List<Key> matching(String persistenceId, SnapshotSelectionCriteria criteria) {
    List<Key> keys = new ArrayList<>();
    levelDb.scan(
        range(persistenceId, criteria),
        Order.ASCENDING,
        (key, value) -> {
          if (matches(StoredSnapshot.decode(value), criteria)) {
            keys.add(key);
          }
          return true;
        });
    return keys;
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

package dev.sequitur.persistence.journal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.DeleteSnapshotSuccess;
import akka.persistence.DeleteSnapshotsSuccess;
import akka.persistence.Persistence;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotProtocol.DeleteSnapshot;
import akka.persistence.SnapshotProtocol.DeleteSnapshots;
import akka.persistence.SnapshotProtocol.LoadSnapshot;
import akka.persistence.SnapshotProtocol.LoadSnapshotResult;
import akka.persistence.SnapshotProtocol.SaveSnapshot;
import akka.persistence.SnapshotSelectionCriteria;
import akka.testkit.javadsl.TestKit;
import java.util.Optional;
import scala.jdk.javaapi.OptionConverters;

/** Speaks to the snapshot store as a persistent actor does. */
final class SnapshotDriver {
  private final TestKit persistentActor;
  private final ActorRef store;

  SnapshotDriver(ActorSystem system) {
    Persistence persistence = Persistence.get(system);
    this.persistentActor = new TestKit(system);
    this.store = persistence.snapshotStoreFor("", persistence.snapshotStoreFor$default$2());
  }

  /** The store sets the time itself. */
  SnapshotMetadata save(String persistenceId, long sequenceNr, Object state) {
    return save(new SnapshotMetadata(persistenceId, sequenceNr, 0), state);
  }

  SnapshotMetadata save(SnapshotMetadata metadata, Object state) {
    tell(new SaveSnapshot(metadata, state));
    return persistentActor.expectMsgClass(SaveSnapshotSuccess.class).metadata();
  }

  Throwable failToSave(String persistenceId, long sequenceNr, Object state) {
    tell(new SaveSnapshot(new SnapshotMetadata(persistenceId, sequenceNr, 0), state));
    return persistentActor.expectMsgClass(SaveSnapshotFailure.class).cause();
  }

  Optional<SelectedSnapshot> load(String persistenceId, SnapshotSelectionCriteria criteria) {
    tell(new LoadSnapshot(persistenceId, criteria, Long.MAX_VALUE));
    return OptionConverters.toJava(
        persistentActor.expectMsgClass(LoadSnapshotResult.class).snapshot());
  }

  void delete(SnapshotMetadata metadata) {
    tell(new DeleteSnapshot(metadata));
    persistentActor.expectMsgClass(DeleteSnapshotSuccess.class);
  }

  void delete(String persistenceId, SnapshotSelectionCriteria criteria) {
    tell(new DeleteSnapshots(persistenceId, criteria));
    persistentActor.expectMsgClass(DeleteSnapshotsSuccess.class);
  }

  private void tell(Object message) {
    store.tell(message, persistentActor.getRef());
  }
}

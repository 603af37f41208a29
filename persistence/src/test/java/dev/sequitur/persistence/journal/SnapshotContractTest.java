package dev.sequitur.persistence.journal;

import static akka.persistence.SnapshotSelectionCriteria.latest;
import static akka.persistence.SnapshotSelectionCriteria.none;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import com.typesafe.config.Config;
import dev.sequitur.persistence.leveldb.Stages;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import java.io.NotSerializableException;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of a snapshot store, spoken to as a persistent actor does. */
abstract class SnapshotContractTest {
  private ActorSystem system;
  private SnapshotDriver store;

  /** The same for the whole of a test. */
  abstract Config config();

  @BeforeEach
  void start() {
    system = TestSystems.start(config());
    store = new SnapshotDriver(system);
  }

  @AfterEach
  void stop() {
    TestSystems.stop(system);
  }

  @Test
  void givesBackWhatWasSaved() {
    SnapshotMetadata saved =
        store.save(new SnapshotMetadata("p", 7, 0).withMetadata("metadata"), "state");

    SelectedSnapshot loaded = store.load("p", latest()).orElseThrow();

    assertThat(loaded.snapshot()).isEqualTo("state");
    assertThat(loaded.metadata()).isEqualTo(saved);
    assertThat(loaded.metadata().timestamp()).isPositive();
    assertThat(loaded.metadata().metadata().get()).isEqualTo("metadata");
  }

  @Test
  void loadsTheYoungestThatMatches() {
    saveFive();

    assertThat(loaded(latest())).contains("s-50");
    assertThat(loaded(upTo(45, Long.MAX_VALUE))).contains("s-40");
    assertThat(loaded(upTo(40, Long.MAX_VALUE))).contains("s-40");
    assertThat(loaded(upTo(Long.MAX_VALUE, 399))).contains("s-30");
    assertThat(loaded(upTo(20, 399))).contains("s-20");
    assertThat(loaded(SnapshotSelectionCriteria.create(29, Long.MAX_VALUE, 20, 0)))
        .contains("s-20");
    assertThat(loaded(SnapshotSelectionCriteria.create(50, 900, 0, 500))).contains("s-50");
  }

  @Test
  void loadsNothingIfNoneMatches() {
    saveFive();

    assertThat(loaded(none())).isEmpty();
    assertThat(loaded(upTo(9, Long.MAX_VALUE))).isEmpty();
    assertThat(loaded(upTo(Long.MAX_VALUE, 99))).isEmpty();
    assertThat(loaded(SnapshotSelectionCriteria.create(29, Long.MAX_VALUE, 21, 0))).isEmpty();
    assertThat(loaded(SnapshotSelectionCriteria.create(50, 900, 0, 501))).isEmpty();
    assertThat(store.load("nobody", latest())).isEmpty();
  }

  @Test
  void keepsPersistenceIdsApart() {
    store.save("p", 1, "of p");
    store.save("p2", 2, "of p2");

    store.delete("p2", latest());

    assertThat(loaded(latest())).contains("of p");
    assertThat(store.load("p2", latest())).isEmpty();
  }

  @Test
  void replacesASnapshotOfTheSameSequenceNumber() {
    store.save("p", 7, "first");
    store.save("p", 7, "second");

    assertThat(loaded(latest())).contains("second");
  }

  @Test
  void deletesOneByItsSequenceNumber() {
    saveFive();

    store.delete(new SnapshotMetadata("p", 50, 0));
    store.delete(new SnapshotMetadata("p", 45, 0));

    assertThat(loaded(latest())).contains("s-40");
  }

  @Test
  void deletesOneOnlyIfTheTimestampIsItsOwn() {
    saveFive();

    store.delete(new SnapshotMetadata("p", 50, 499));
    assertThat(loaded(latest())).contains("s-50");

    store.delete(new SnapshotMetadata("p", 50, 500));
    assertThat(loaded(latest())).contains("s-40");
  }

  @Test
  void deletesAllThatMatchAndNoOther() {
    saveFive();

    store.delete("p", upTo(40, 300));

    assertThat(loaded(latest())).contains("s-50");
    assertThat(loaded(upTo(49, Long.MAX_VALUE))).contains("s-40");
    assertThat(loaded(upTo(39, Long.MAX_VALUE))).isEmpty();
  }

  @Test
  void keepsALargeSnapshotOverARestart() {
    byte[] large = new byte[5_000_000];
    Arrays.fill(large, (byte) 7);
    store.save("p", 1, large);

    stop();
    start();

    assertThat(store.load("p", latest()).orElseThrow().snapshot()).isEqualTo(large);
  }

  @Test
  void failsToSaveWhatCannotBeSerialized() {
    assertThat(store.failToSave("p", 1, new Object())).isInstanceOf(NotSerializableException.class);
  }

  /** Sequence numbers 10 to 50 with the timestamps 100 to 500, which Akka would not let us set. */
  private void saveFive() {
    for (long number = 10; number <= 50; number += 10) {
      Key key = Key.in(KeySpace.SNAPSHOT).text("p").number(number);
      StoredSnapshot snapshot =
          StoredSnapshot.of(
              new SnapshotMetadata("p", number, number * 10),
              "s-" + number,
              (ExtendedActorSystem) system);
      Stages.await(
          TestSystems.map(system)
              .write(
                  batch -> {
                    batch.put(key, snapshot.encode());
                    return null;
                  }));
    }
  }

  private Optional<Object> loaded(SnapshotSelectionCriteria criteria) {
    return store.load("p", criteria).map(SelectedSnapshot::snapshot);
  }

  private static SnapshotSelectionCriteria upTo(long sequenceNr, long timestamp) {
    return SnapshotSelectionCriteria.create(sequenceNr, timestamp);
  }
}

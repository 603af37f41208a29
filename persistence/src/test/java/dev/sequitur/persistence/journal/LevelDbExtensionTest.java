package dev.sequitur.persistence.journal;

import static dev.sequitur.persistence.journal.JournalDriver.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.persistence.journal.JournalDriver.Outcome;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.leveldb.LevelDbFixture;
import dev.sequitur.persistence.leveldb.Stages;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LevelDbExtensionTest {
  @TempDir private Path directory;

  @Test
  void opensOneLevelDbForEachActorSystem() {
    ActorSystem first = TestSystems.start(directory.resolve("first"));
    ActorSystem second = TestSystems.start(directory.resolve("second"));
    try {
      assertThat(LevelDbExtension.get(first))
          .isSameAs(LevelDbExtension.get(first))
          .isSameAs(LevelDbExtension.get(Adapter.toTyped(first)))
          .isNotSameAs(LevelDbExtension.get(second));
    } finally {
      TestSystems.stop(first);
      TestSystems.stop(second);
    }
  }

  @Test
  void keepsTheEventsOfTwoActorSystemsInOneProcessApart() {
    ActorSystem first = TestSystems.start(directory.resolve("first"));
    ActorSystem second = TestSystems.start(directory.resolve("second"));
    try {
      JournalDriver firstJournal = new JournalDriver(first);
      JournalDriver secondJournal = new JournalDriver(second);

      firstJournal.write(events("p", 1, 3));
      secondJournal.write(events("p", 1, 1));

      assertThat(firstJournal.replayAll("p")).hasSize(3);
      assertThat(secondJournal.replayAll("p")).hasSize(1);
    } finally {
      TestSystems.stop(first);
      TestSystems.stop(second);
    }
  }

  @Test
  void refusesASecondActorSystemInTheSameDirectory() {
    ActorSystem first = TestSystems.start(directory);
    ActorSystem second = TestSystems.start(directory);
    try {
      Path opened = LevelDbExtension.get(first).levelDb().directory();

      assertThatThrownBy(() -> LevelDbExtension.get(second))
          .hasStackTraceContaining(
              "The data directory " + opened + " can't be opened: another node of this process");
    } finally {
      TestSystems.stop(first);
      TestSystems.stop(second);
    }
  }

  @Test
  void closesOnlyWhenEveryPhaseOfTheShutdownHasWritten() {
    ActorSystem system = TestSystems.start(directory);
    JournalDriver journal = new JournalDriver(system);
    CompletableFuture<Outcome> lastWrite = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "the last write",
            () -> {
              lastWrite.complete(journal.write(events("p", 1, 1)));
              return CompletableFuture.completedStage(Done.getInstance());
            });

    Stages.await(
        CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.actorSystemTerminateReason()));

    assertThat(Stages.await(lastWrite).stored()).containsExactly(1L);
    ActorSystem next = TestSystems.start(directory);
    try {
      assertThat(new JournalDriver(next).replayAll("p")).hasSize(1);
    } finally {
      TestSystems.stop(next);
    }
  }

  @Test
  void isClosedAsSoonAsTheActorSystemHasTerminated() {
    ActorSystem system = TestSystems.start(directory);
    LevelDb levelDb = LevelDbExtension.get(system).levelDb();

    system.terminate();
    Stages.await(system.getWhenTerminated());

    assertThatThrownBy(() -> levelDb.get(LevelDbFixture.key("a"))).hasMessageContaining("closed");
    LevelDb.open(directory.resolve("leveldb"), LevelDbFixture.SETTINGS).close();
  }

  @Test
  void asksForADirectory() {
    ActorSystem system = ActorSystem.create("test", ConfigFactory.load());
    try {
      assertThatThrownBy(() -> LevelDbExtension.get(system))
          .hasStackTraceContaining("node.data-directory is not set");
    } finally {
      TestSystems.stop(system);
    }
  }
}

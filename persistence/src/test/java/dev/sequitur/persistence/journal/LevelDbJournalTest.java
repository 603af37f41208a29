package dev.sequitur.persistence.journal;

import static dev.sequitur.persistence.journal.JournalDriver.events;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import com.typesafe.config.Config;
import dev.sequitur.persistence.leveldb.LevelDbFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LevelDbJournalTest extends JournalContractTest {
  @TempDir private Path directory;

  @Override
  Config config() {
    return TestSystems.config(directory);
  }

  @Test
  void keepsWhatWasAcknowledgedWhenTheProcessIsKilled(@TempDir Path elsewhere) {
    journal().write(events("p", 1, 9));
    journal().delete("p", 4);

    LevelDbFixture.copyWithoutClosing(directory.resolve("leveldb"), elsewhere.resolve("leveldb"));

    ActorSystem survivor = TestSystems.start(elsewhere);
    try {
      JournalDriver survivingJournal = new JournalDriver(survivor);
      assertThat(survivingJournal.replayAll("p")).hasSize(5);
      assertThat(survivingJournal.highestSequenceNr("p")).isEqualTo(9);
    } finally {
      TestSystems.stop(survivor);
    }
  }
}

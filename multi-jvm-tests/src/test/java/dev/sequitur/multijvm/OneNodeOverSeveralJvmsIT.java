package dev.sequitur.multijvm;

import dev.sequitur.fixture.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node over two JVMs and a second node of one, under load, while JVMs come and go. */
@Timeout(600)
class OneNodeOverSeveralJvmsIT {
  @TempDir Path directory;
  private TestPostgres postgres;
  private TwoNodes nodes;
  private Increments increments;

  @BeforeEach
  void start() {
    postgres = TestPostgres.start();
    nodes = TwoNodes.start(directory, postgres);
    increments = new Increments(nodes, 3);
    increments.start();
    increments.awaitMore(20);
  }

  @AfterEach
  void stop() {
    if (increments != null) {
      increments.close();
    }
    if (nodes != null) {
      nodes.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void aJvmIsKilledUnderLoadAndEverythingCompletesOnce() throws Exception {
    nodes.jvm(0).kill();
    increments.awaitMore(60);
    increments.stop();

    increments.assertEachCountedOnce(nodes.node1(1));
  }

  @Test
  @Tag("slow")
  void bothJvmsAreRestartedOneAfterTheOtherWithoutALostOrDoubledTransaction() throws Exception {
    restart(0);
    restart(1);
    increments.stop();

    increments.assertEachCountedOnce(nodes.node1(0));
  }

  /** As a new version is rolled out. */
  private void restart(int jvm) throws IOException {
    nodes.jvm(jvm).stop();
    increments.awaitMore(20);
    nodes.restart(jvm);
    increments.awaitMore(20);
  }

  @Test
  @Tag("slow")
  void theDatabaseGoesAwayAndComesBackUnderLoad() throws Exception {
    postgres.pause();
    increments.awaitMore(5);
    postgres.resume();
    increments.awaitMore(60);
    increments.stop();

    increments.assertEachCountedOnce(nodes.node1(0));
  }

  @Test
  @Tag("slow")
  void aJvmThatStandsStillIsLeftOutAndDoesNoHarmWhenItGoesOn() throws Exception {
    nodes.jvm(1).freeze();
    increments.awaitMore(60);
    nodes.jvm(1).thaw();
    increments.awaitMore(20);
    increments.stop();

    increments.assertEachCountedOnce(nodes.node1(0));
  }
}

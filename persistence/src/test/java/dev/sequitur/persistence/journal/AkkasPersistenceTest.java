package dev.sequitur.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.scalatest.Args;
import org.scalatest.Args$;
import org.scalatest.Suite;
import org.scalatest.events.Event;
import org.scalatest.events.SuiteAborted;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestSucceeded;
import scala.Option;

/**
 * What Akka itself asks of a journal and of a snapshot store, on both engines. These suites exist
 * up to Akka 2.6.21; what they ask through has stayed the same in 2.8.
 */
final class AkkasPersistenceTest {
  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> ofAJournalOverLevelDb() {
    return tests(new OfJournal(mixed(TestSystems.config(directory.resolve("journal")))));
  }

  @TestFactory
  List<DynamicTest> ofSnapshotsOverLevelDb() {
    return tests(new OfSnapshots(mixed(TestSystems.config(directory.resolve("snapshots")))));
  }

  @TestFactory
  List<DynamicTest> ofAJournalOverPostgres() {
    return tests(new OfJournal(mixed(postgres())));
  }

  @TestFactory
  List<DynamicTest> ofSnapshotsOverPostgres() {
    return tests(new OfSnapshots(mixed(postgres())));
  }

  private static Config postgres() {
    return TestSystems.config(TestPostgres.shared().url(), TestSystems.newSchema());
  }

  /** They are of another version of Akka than what they look at. */
  private static Config mixed(Config config) {
    return ConfigFactory.parseString("akka.fail-mixed-versions = off").withFallback(config);
  }

  private static final class OfJournal extends JavaJournalSpec {
    private static final long serialVersionUID = 1L;

    private OfJournal(Config config) {
      super(config);
    }

    @Override
    public CapabilityFlag supportsRejectingNonSerializableObjects() {
      return CapabilityFlag.on();
    }

    @Override
    public CapabilityFlag supportsSerialization() {
      return CapabilityFlag.on();
    }

    @Override
    public CapabilityFlag supportsMetadata() {
      return CapabilityFlag.on();
    }
  }

  private static final class OfSnapshots extends JavaSnapshotStoreSpec {
    private static final long serialVersionUID = 1L;

    private OfSnapshots(Config config) {
      super(config);
    }

    @Override
    public CapabilityFlag supportsSerialization() {
      return CapabilityFlag.on();
    }

    @Override
    public CapabilityFlag supportsMetadata() {
      return CapabilityFlag.on();
    }
  }

  private static List<DynamicTest> tests(Suite suite) {
    var told = new ArrayList<Event>();
    var ended =
        suite.run(
            Option.empty(),
            new Args(
                told::add,
                Args$.MODULE$.apply$default$2(),
                Args$.MODULE$.apply$default$3(),
                Args$.MODULE$.apply$default$4(),
                Option.empty(),
                Args$.MODULE$.apply$default$6(),
                Args$.MODULE$.apply$default$7(),
                false,
                Option.empty(),
                Option.empty()));
    ended.waitUntilCompleted();
    var tests = new ArrayList<DynamicTest>();
    for (var event : told) {
      switch (event) {
        case TestSucceeded succeeded -> tests.add(dynamicTest(succeeded.testName(), () -> {}));
        case TestFailed failed -> tests.add(failing(failed.testName(), failed.throwable()));
        case TestCanceled canceled -> tests.add(failing(canceled.testName(), canceled.throwable()));
        case SuiteAborted aborted -> tests.add(failing(aborted.suiteName(), aborted.throwable()));
        default -> {
          // Of the way there.
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(5);
    return tests;
  }

  private static DynamicTest failing(String name, Option<Throwable> why) {
    return dynamicTest(
        name,
        () -> {
          throw new AssertionError(name, why.getOrElse(() -> null));
        });
  }
}

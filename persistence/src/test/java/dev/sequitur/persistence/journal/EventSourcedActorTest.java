package dev.sequitur.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.persistence.typed.DeleteEventsCompleted;
import akka.persistence.typed.DeleteSnapshotsCompleted;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journal and snapshot store under a real persistent actor. */
final class EventSourcedActorTest {
  @TempDir private Path directory;
  private ActorTestKit testKit;

  @BeforeEach
  void start() {
    testKit = ActorTestKit.create("test", TestSystems.config(directory));
  }

  @AfterEach
  void stop() {
    testKit.shutdownTestKit();
  }

  @Test
  void recoversFromSnapshotAndTheEventsAfterIt() {
    new Counted().add(23);

    stop();
    start();

    assertThat(new Counted().sum()).isEqualTo(23);
  }

  /** Akka skips a retention while the one before it is at work, so each is waited for. */
  @Test
  void keepsOnlyWhatRetentionAsksFor() {
    Counted counted = new Counted();
    counted.add(15);
    counted.retained.expectMessage("deleted events to 5");
    counted.retained.expectMessage("deleted snapshots");
    counted.add(5);
    counted.retained.expectMessage("deleted events to 10");
    counted.retained.expectMessage("deleted snapshots");
    counted.add(3);

    assertThat(numbers(KeySpace.EVENT)).startsWith(11L).endsWith(23L).hasSize(13);
    assertThat(numbers(KeySpace.SNAPSHOT)).containsExactly(10L, 15L, 20L);
  }

  @Test
  void letsOnlyOneOfTwoIncarnationsWrite() {
    Counted first = new Counted();
    Counted second = new Counted();
    assertThat(first.sum()).isZero();
    assertThat(second.sum()).isZero();

    first.add(1);
    second.actor.tell("add");

    testKit.createTestProbe().expectTerminated(second.actor);
    assertThat(first.sum()).isEqualTo(1);
    assertThat(new Counted().sum()).isEqualTo(1);
  }

  @Test
  void recoversManyActorsThatWroteAtOnce() {
    List<Counted> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Counted counted = new Counted("counter-" + i);
      all.add(counted);
      counted.actor.tell("add");
      counted.actor.tell("add");
    }
    all.forEach(counted -> assertThat(counted.sum()).isEqualTo(2));

    stop();
    start();

    for (int i = 0; i < 100; i++) {
      assertThat(new Counted("counter-" + i).sum()).isEqualTo(2);
    }
  }

  private List<Long> numbers(KeySpace space) {
    List<Long> found = new ArrayList<>();
    LevelDbExtension.get(testKit.system())
        .levelDb()
        .scan(
            KeyRange.startingWith(Key.in(space)),
            Order.ASCENDING,
            (key, value) -> found.add(key.lastNumber()));
    return found;
  }

  /** A running counter and what it reports. */
  private final class Counted {
    private final TestProbe<Integer> sums = testKit.createTestProbe();
    private final TestProbe<String> retained = testKit.createTestProbe();
    private final ActorRef<String> actor;

    Counted() {
      this("counter");
    }

    Counted(String persistenceId) {
      actor =
          testKit.spawn(
              new Counter(PersistenceId.ofUniqueId(persistenceId), sums.ref(), retained.ref()));
    }

    /** One after another. */
    void add(int times) {
      for (int i = 0; i < times; i++) {
        actor.tell("add");
        assertThat(sum()).isPositive();
      }
    }

    int sum() {
      actor.tell("sum");
      return sums.receiveMessage();
    }
  }

  private static final class Counter extends EventSourcedBehavior<String, Integer, Integer> {
    private final ActorRef<Integer> sums;
    private final ActorRef<String> retained;

    Counter(PersistenceId persistenceId, ActorRef<Integer> sums, ActorRef<String> retained) {
      super(persistenceId);
      this.sums = sums;
      this.retained = retained;
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<String, Integer, Integer> commandHandler() {
      return newCommandHandlerBuilder()
          .forAnyState()
          .onCommand("add"::equals, command -> Effect().persist(1))
          .onAnyCommand(command -> Effect().none().thenRun(sums::tell));
    }

    @Override
    public EventHandler<Integer, Integer> eventHandler() {
      return Integer::sum;
    }

    @Override
    public RetentionCriteria retentionCriteria() {
      return RetentionCriteria.snapshotEvery(5, 2).withDeleteEventsOnSnapshot();
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              DeleteEventsCompleted.class,
              (state, completed) ->
                  retained.tell("deleted events to " + completed.getToSequenceNr()))
          .onSignal(
              DeleteSnapshotsCompleted.class,
              (state, completed) -> retained.tell("deleted snapshots"))
          .build();
    }
  }
}

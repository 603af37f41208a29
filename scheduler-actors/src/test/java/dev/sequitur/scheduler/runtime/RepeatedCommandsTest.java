package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.ALICE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.QUEUE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.privateCall;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.propose;
import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands that come again under their ids, also after a restart. */
@Execution(ExecutionMode.CONCURRENT)
class RepeatedCommandsTest {
  @AutoClose private final RestartableScheduler scheduler;

  RepeatedCommandsTest(@TempDir Path directory) {
    scheduler = new RestartableScheduler(directory);
  }

  /** Repeated commands (SCH-9). */
  @Test
  void aCommandThatIsRepeatedIsAnsweredAsItWasAndNotDoneAgain() {
    scheduler.startFunded();
    scheduler.fund("gift", 500);
    scheduler.fund("gift", 500);
    scheduler.start();
    scheduler.fund("gift", 500);

    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
  }

  /** Repeated commands (SCH-9). */
  @Test
  void anotherCommandUnderAnIdThatWasUsedIsAConflictAndNotDone() {
    scheduler.startFunded();
    scheduler.fund("gift", 500);
    assertThat(reused("gift")).isEqualTo(Refusal.Code.COMMAND_REUSED);
    scheduler.start();

    assertThat(reused("gift")).isEqualTo(Refusal.Code.COMMAND_REUSED);

    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
    // One that was refused left nothing behind under its id.
    assertThat(reused("nothing")).isEqualTo(Refusal.Code.INSUFFICIENT_BALANCE);
    scheduler.fund("nothing", 1);
  }

  @Test
  void whatTheNodeWouldRefuseNowIsAnsweredAsItWasIfItWasDoneBefore() {
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var accepted = get(scheduler.node().submit(QUEUE, propose("call", at, privateCall())));
    assertThat(accepted.refusal()).isEmpty();
    scheduler.calls.refusal =
        Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));
    scheduler.start();

    var commands =
        List.of(
            propose("another", at.plusSeconds(1), privateCall()),
            propose("call", at, privateCall()),
            propose("notice", at, new Target.Notify(Bytes.EMPTY)),
            propose("call", at.plusSeconds(1), privateCall()));
    var answers = get(scheduler.node().submit(QUEUE, commands));

    assertThat(answers.get(0).refusal().orElseThrow().code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(answers.get(1)).isEqualTo(accepted);
    assertThat(answers.get(2).refusal()).isEmpty();
    assertThat(answers.get(3).refusal().orElseThrow().code())
        .isEqualTo(Refusal.Code.COMMAND_REUSED);
    assertThat(get(scheduler.node().overview(QUEUE)).schedules()).isEqualTo(2);
  }

  @Test
  void whatTheNodeCanNeverRunIsRefusedWhenItIsTriedToo() {
    scheduler.startFunded();
    var command = propose("call", Instant.now().plusSeconds(3_600), privateCall());
    assertThat(get(scheduler.node().tryOut(QUEUE, command)).answer().refusal()).isEmpty();
    scheduler.calls.refusal =
        Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));

    var tried = get(scheduler.node().tryOut(QUEUE, command)).answer();

    assertThat(tried.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(get(scheduler.node().overview(QUEUE)).schedules()).isZero();
  }

  @Test
  void aRepetitionThatComesWhileTheFirstIsBeingStoredIsAnsweredLikeIt() {
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var command = propose("call", at, privateCall());
    var first = scheduler.node().submit(QUEUE, command);
    scheduler.calls.refusal =
        Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));

    var second = get(scheduler.node().submit(QUEUE, command));

    assertThat(second).isEqualTo(get(first));
    assertThat(second.refusal()).isEmpty();
  }

  @Test
  void aQueueWithTooMuchToDoStillAnswersWhatItHasDone() {
    scheduler.use(SchedulerSettings.DEFAULT.withWaitingCommands(10));
    scheduler.startFunded();
    scheduler.fund("gift", 500);
    var commands = new ArrayList<Command>();
    commands.add(new Command("gift", OPERATOR, new Operation.Fund(ALICE, new Amount(500))));
    for (int i = 0; i < 10; i++) {
      commands.add(new Command("c" + i, OPERATOR, new Operation.Fund(ALICE, new Amount(1))));
    }

    var answers = get(scheduler.node().submit(QUEUE, commands));

    assertThat(answers.get(0).refusal()).isEmpty();
    assertThat(answers.subList(1, 11))
        .allSatisfy(
            answer ->
                assertThat(answer.refusal().orElseThrow().code()).isEqualTo(Refusal.Code.BUSY));
    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_500));
  }

  /** A tenth of a second's commands at speed push it out of memory. */
  @Test
  void aCommandThatHasLeftMemoryIsAnsweredAsItWasAndNotDoneAgain() {
    scheduler.use(SchedulerSettings.DEFAULT.withRememberedCommands(5));
    scheduler.startFunded();
    scheduler.fund("gift", 500);
    for (int i = 0; i < 30; i++) {
      scheduler.fund("other" + i, 1);
    }
    await().atMost(PATIENCE).until(() -> storedCommands() > 0);

    scheduler.fund("gift", 500);
    assertThat(reused("gift")).isEqualTo(Refusal.Code.COMMAND_REUSED);
    scheduler.start();
    scheduler.fund("gift", 500);
    scheduler.fund("other3", 1);

    assertThat(get(scheduler.node().available(QUEUE, ALICE))).isEqualTo(new Amount(1_000_530));
  }

  @Test
  void aCommandThatHasLeftMemoryIsAnsweredThoughTheNodeWouldRefuseItNow() {
    scheduler.use(SchedulerSettings.DEFAULT.withRememberedCommands(5));
    scheduler.startFunded();
    var at = Instant.now().plusSeconds(3_600);
    var call = propose("call", at, privateCall());
    var accepted = get(scheduler.node().submit(QUEUE, call));
    assertThat(accepted.refusal()).isEmpty();
    for (int i = 0; i < 30; i++) {
      scheduler.fund("other" + i, 1);
    }
    scheduler.calls.refusal =
        Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, "It is no member any more."));

    assertThat(get(scheduler.node().submit(QUEUE, call))).isEqualTo(accepted);
  }

  @Test
  void onlySoManyAreRememberedAndMoreAreRefusedUntilTheirTimeIsOver() {
    scheduler.use(
        SchedulerSettings.DEFAULT.withRememberedCommands(5).withMostRememberedCommands(20));
    scheduler.startFunded();
    scheduler.fund("gift", 500);
    var busy = new ArrayList<Command>();
    for (int i = 0; i < 100; i++) {
      var fund = new Command("other" + i, OPERATOR, new Operation.Fund(ALICE, new Amount(1)));
      if (get(scheduler.node().submit(QUEUE, fund)).refusal().isPresent()) {
        busy.add(fund);
      }
    }

    assertThat(busy).hasSizeBetween(50, 80);
    scheduler.fund("gift", 500);
    scheduler.fund(SchedulerNode.ONCE + "nobody repeats this", 7);
    assertThat(get(scheduler.node().available(QUEUE, ALICE)))
        .isEqualTo(new Amount(1_000_607 - busy.size()));

    scheduler.use(
        SchedulerSettings.DEFAULT
            .withRememberedCommands(5)
            .withMostRememberedCommands(20)
            .withCommandsRememberedFor(Duration.ZERO)
            .withIdleAfter(Duration.ofMillis(200)));
    scheduler.start();
    await()
        .atMost(PATIENCE)
        .until(() -> get(scheduler.node().submit(QUEUE, busy.get(0))).refusal().isEmpty());
  }

  /** How many are on disk. */
  private int storedCommands() {
    var keys = new ArrayList<Key>();
    LevelDbExtension.get(scheduler.system())
        .checkpoints()
        .scan(
            KeyRange.startingWith(Key.in(KeySpace.DONE_COMMAND)),
            OrderedMap.Order.ASCENDING,
            (key, value) -> keys.add(key));
    return keys.size();
  }

  /** Withdraws more than there is. */
  private Refusal.Code reused(String command) {
    var withdraw = new Operation.Withdraw(ALICE, new Amount(5_000_000));
    return get(scheduler.node().submit(QUEUE, new Command(command, OPERATOR, withdraw)))
        .refusal()
        .orElseThrow()
        .code();
  }
}

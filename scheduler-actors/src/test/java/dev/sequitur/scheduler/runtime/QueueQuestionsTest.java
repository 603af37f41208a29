package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.ALICE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.RestartableScheduler.QUEUE;
import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.OutcomeQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a running queue can be asked, whatever is asked and however often the node starts. */
@Execution(ExecutionMode.CONCURRENT)
class QueueQuestionsTest {
  /** As many as are worth a write of their own, and none stays in memory. */
  private static final int MANY = 250;

  @AutoClose private final RestartableScheduler scheduler;

  QueueQuestionsTest(@TempDir Path directory) {
    scheduler = new RestartableScheduler(directory);
    scheduler.start();
  }

  @Test
  void outcomesKeepTheirNumbersAcrossARestart() {
    submit("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(10_000)));
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 5; i++) {
      var target = new Target.Notify(Bytes.utf8("number " + i));
      ids.add(scheduler.scheduledSoon(Duration.ofMillis(50L * i), target));
    }
    await().atMost(PATIENCE).until(() -> outcomes(0).outcomes().size() == ids.size());
    var before = outcomes(2);

    scheduler.start();

    assertThat(outcomes(2)).isEqualTo(before);
    assertThat(schedules(outcomes(0))).containsExactlyElementsOf(ids);
    assertThat(outcomes(before.next()).outcomes()).isEmpty();
  }

  /** They are in the store then, with what they were about. */
  @Test
  void whatHasLeftMemoryIsToldAsBeforeAlsoAfterARestart() {
    scheduler.fund("fund", 1_000_000);
    var late = new Target.Notify(Bytes.utf8("late"));
    var proposals = new ArrayList<Command>();
    for (int i = 0; i < MANY; i++) {
      var at = Instant.now().plus(Duration.ofDays(1 + i));
      proposals.add(RestartableScheduler.propose("propose " + i, at, late));
    }
    var ids = new ArrayList<ScheduleId>();
    var cancels = new ArrayList<Command>();
    for (var answer : get(scheduler.node().submit(QUEUE, proposals))) {
      ids.add(answer.schedule().orElseThrow());
      cancels.add(new Command("cancel " + ids.size(), ALICE, new Operation.Cancel(ids.getLast())));
    }
    get(scheduler.node().submit(QUEUE, cancels));
    awaitStored();
    var last = get(scheduler.node().schedule(QUEUE, ids.getFirst()));
    var explained = get(scheduler.node().explain(QUEUE, ids.getFirst()));

    assertThat(schedules(outcomes(0, MANY))).containsExactlyElementsOf(ids);
    assertThat(last.lastOutcome().orElseThrow().proposal().target()).isEqualTo(late);
    assertThat(explained.history()).containsExactly(last.lastOutcome().get());
    assertThat(explained.sentence()).isEqualTo("It has its outcome.");
    scheduler.start();
    assertThat(schedules(outcomes(0, MANY))).containsExactlyElementsOf(ids);
    assertThat(get(scheduler.node().schedule(QUEUE, ids.getFirst()))).isEqualTo(last);
    assertThat(get(scheduler.node().explain(QUEUE, ids.getFirst()))).isEqualTo(explained);
  }

  /** A queue with nothing to do looks seldom whether a write is worth while. */
  private void awaitStored() {
    var funded = new AtomicInteger();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              scheduler.fund("fund again " + funded.incrementAndGet(), 1);
              return areStored();
            });
  }

  /** All of them by one write, since so many are worth one. */
  private boolean areStored() {
    var keys = new ArrayList<Key>();
    LevelDbExtension.get(scheduler.system())
        .checkpoints()
        .scan(
            KeyRange.startingWith(Key.in(KeySpace.OUTCOME)),
            OrderedMap.Order.ASCENDING,
            (key, value) -> keys.add(key));
    return !keys.isEmpty();
  }

  @Test
  void onlyAPageOfOutcomesCanBeAskedFor() {
    for (int limit : new int[] {0, 1_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scheduler.node().outcomes(QUEUE, OutcomeQuery.from(0, limit)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.node().outcomes(QUEUE, OutcomeQuery.from(-1, 1)));
  }

  /** It used to end the queue's actor. */
  @Test
  void aForecastOfAnyInstantIsAnAnswer() {
    for (var at : List.of(Instant.MIN, Instant.EPOCH, Instant.now(), Instant.MAX)) {
      for (var family : FamilyKind.values()) {
        var forecast = get(scheduler.node().forecast(QUEUE, family, at));
        assertThat(forecast.isEmpty() || forecast.get().taken() == 0).isTrue();
      }
    }
    assertThat(get(scheduler.node().audit(QUEUE)).isConserved()).isTrue();
  }

  private ScheduleId submit(String command, AccountId signer, Operation operation) {
    var answer = get(scheduler.node().submit(QUEUE, new Command(command, signer, operation)));
    assertThat(answer.refusal()).isEmpty();
    return answer.schedule().orElse(null);
  }

  private Outcomes outcomes(long from, int limit) {
    return get(scheduler.node().outcomes(QUEUE, OutcomeQuery.from(from, limit)));
  }

  private Outcomes outcomes(long from) {
    return get(scheduler.node().outcomes(QUEUE, OutcomeQuery.from(from, 100)));
  }

  private static List<ScheduleId> schedules(Outcomes outcomes) {
    return outcomes.outcomes().stream().map(each -> each.recorded().key().schedule()).toList();
  }
}

package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.RestartableScheduler.PATIENCE;
import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview.PartitionOverview;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleView;
import dev.sequitur.scheduler.SchedulerSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A queue of three partitions under one name, over a disk, with restarts (SCH-28, SCH-29). */
@Execution(ExecutionMode.CONCURRENT)
class SpreadQueueTest {
  private static final int COUNT = 3;
  private static final QueueName ORDERS = new QueueName("orders");
  private static final long MONEY = 100_000;

  /** Two of each partition. */
  private static final List<AccountId> OWNERS =
      IntStream.range(0, COUNT)
          .boxed()
          .flatMap(
              partition ->
                  IntStream.range(0, 100)
                      .mapToObj(number -> new AccountId("owner-" + number))
                      .filter(account -> Partition.home(account, COUNT) == partition)
                      .limit(2))
          .toList();

  @AutoClose private final RestartableScheduler scheduler;
  private int commands;

  SpreadQueueTest(@TempDir Path directory) {
    scheduler = new RestartableScheduler(directory);
  }

  private void use(int count) {
    scheduler.use(
        count == 1
            ? SchedulerSettings.DEFAULT
            : SchedulerSettings.DEFAULT.withPartitions(Map.of(ORDERS, count)));
  }

  private void startFunded() {
    use(COUNT);
    scheduler.start();
    for (var owner : OWNERS) {
      taken(OPERATOR, new Operation.Fund(owner, new Amount(MONEY)));
    }
  }

  private Answer submit(AccountId signer, Operation operation) {
    return get(scheduler.node().submit(ORDERS, new Command("c" + ++commands, signer, operation)));
  }

  private Answer taken(AccountId signer, Operation operation) {
    var answer = submit(signer, operation);
    assertThat(answer.refusal()).isEmpty();
    return answer;
  }

  private ScheduleId scheduled(AccountId owner, Instant at, Target target) {
    var terms = new GasPriorityTerms(at.toEpochMilli(), 10, 1);
    return taken(owner, new Operation.Propose(Proposal.of(owner, terms, target)))
        .schedule()
        .orElseThrow();
  }

  private long available(AccountId account) {
    return get(scheduler.node().available(ORDERS, account)).units();
  }

  @Test
  void paymentsBetweenPartitionsArriveOnceThoughTheNodeIsStartedAnewInTheMiddle() {
    startFunded();
    var at = Instant.now().plusSeconds(2);
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 30; i++) {
      var from = OWNERS.get(i % OWNERS.size());
      var to = OWNERS.get((i + 2) % OWNERS.size());
      ids.add(scheduled(from, at.plusMillis(20L * i), new Target.Transfer(to, new Amount(7))));
    }
    await().atMost(PATIENCE).until(() -> get(scheduler.node().overview(ORDERS)).schedules() < 30);
    scheduler.start();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(get(scheduler.node().overview(ORDERS)).schedules()).isZero());

    // Each owner pays five times and is paid five times; a run costs 10 units of gas at 1.
    for (var owner : OWNERS) {
      assertThat(available(owner)).isEqualTo(MONEY - 50);
    }
    assertThat(available(AccountId.FEES)).isEqualTo(300);
    assertThat(get(scheduler.node().audit(ORDERS)).isConserved()).isTrue();
    for (var id : ids) {
      assertThat(get(scheduler.node().explain(ORDERS, id)).history()).hasSize(1);
    }
  }

  @Test
  void callersSeeOneQueue() {
    startFunded();
    Set<QueueName> heard = ConcurrentHashMap.newKeySet();
    scheduler.node().subscribe(ORDERS, (queue, notices) -> heard.add(queue));
    get(scheduler.node().overview(ORDERS));
    var later = Instant.now().plusSeconds(3_600);
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 12; i++) {
      var owner = OWNERS.get(i % OWNERS.size());
      ids.add(scheduled(owner, later.plusMillis(10L * i), new Target.Notify(Bytes.EMPTY)));
    }

    assertThat(listed(5)).isEqualTo(ids.stream().sorted().toList());
    assertThat(scheduler.node().queues()).isEqualTo(List.of(QueueName.DEFAULT, ORDERS));
    var overview = get(scheduler.node().overview(ORDERS));
    assertThat(overview.schedules()).isEqualTo(12);
    assertThat(overview.admissions()).isEqualTo(12);
    assertThat(overview.partitions())
        .extracting(PartitionOverview::index, PartitionOverview::waiting)
        .containsExactly(tuple(0, 4), tuple(1, 4), tuple(2, 4));
    var first = overview.firstDue().orElseThrow();
    assertThat(first.toInstant()).isBetween(later.minusMillis(200), later.plusMillis(200));
    assertThat(overview.partitions())
        .extracting(each -> each.firstDue().orElseThrow())
        .allMatch(each -> !each.isBefore(first))
        .contains(first);
    assertThat(get(scheduler.node().schedule(ORDERS, ids.get(1))).view()).isPresent();
    assertThat(get(scheduler.node().forecast(ORDERS, FamilyKind.GAS_PRIORITY, later))).isPresent();
    var ofOne =
        new ScheduleQuery(
            Optional.empty(), Optional.of(OWNERS.get(0)), Optional.empty(), Optional.empty(), 9);
    assertThat(get(scheduler.node().schedules(ORDERS, ofOne)).schedules()).hasSize(2);

    taken(OWNERS.get(2), new Operation.Cancel(ids.get(2)));
    await().atMost(PATIENCE).until(() -> heard.equals(Set.of(ORDERS)));
    assertThat(get(scheduler.node().explain(ORDERS, ids.get(2))).history()).hasSize(1);

    var off = new RecurringOperation.SetDaysOff("feast", new DaysOff("UTC", List.of(30_000L)));
    taken(OPERATOR, new Operation.Perform(off));
    assertThat(get(scheduler.node().ask(ORDERS, new RecurringQuery.DaysOffListed())).lists())
        .extracting(RecurringQuery.Listed::name)
        .containsExactly("feast");
    for (int index = 0; index < COUNT; index++) {
      var partition = new QueueName("orders/" + index);
      assertThat(get(scheduler.node().ask(partition, new RecurringQuery.DaysOffListed())).lists())
          .hasSize(1);
    }

    taken(OPERATOR, new Operation.Pause(FamilyKind.GAS_PRIORITY));
    var paused = get(scheduler.node().overview(ORDERS)).families();
    assertThat(paused)
        .filteredOn(family -> family.family() == FamilyKind.GAS_PRIORITY)
        .allMatch(family -> family.service() == Service.PAUSED);
  }

  /** As a file of payments is sent: rows of several payers in one, each under its key. */
  @Test
  void rowsOfSeveralPayersGoEachToItsPartitionAndComeAgainUnderTheirKeys() {
    startFunded();
    var at = Instant.now().plusSeconds(3_600).toEpochMilli();
    var poor = new AccountId("poor");
    var rows =
        IntStream.range(0, 25)
            .mapToObj(
                row -> {
                  var owner = row == 7 ? poor : OWNERS.get(row % OWNERS.size());
                  var to = OWNERS.get((row + 1) % OWNERS.size());
                  var terms = new GasPriorityTerms(at + 10L * row, 10, 1);
                  var target = new Target.Transfer(to, new Amount(1));
                  return new Command(
                      "row-" + row,
                      owner,
                      new Operation.Propose(Proposal.of(owner, terms, target)));
                })
            .toList();

    var answers = get(scheduler.node().submit(ORDERS, rows));

    assertThat(answers)
        .extracting(Answer::command)
        .isEqualTo(rows.stream().map(Command::command).toList());
    for (int row = 0; row < rows.size(); row++) {
      assertThat(answers.get(row).refusal().isPresent()).as("row %d", row).isEqualTo(row == 7);
    }
    for (int index = 0; index < COUNT; index++) {
      int partition = index;
      long own =
          rows.stream()
              .map(Command::signer)
              .filter(owner -> !owner.equals(poor))
              .filter(owner -> Partition.home(owner, COUNT) == partition)
              .count();
      assertThat(get(scheduler.node().overview(new QueueName("orders/" + index))).schedules())
          .isEqualTo((int) own);
    }

    // The answers were lost, and the node is another one.
    scheduler.start();
    assertThat(get(scheduler.node().submit(ORDERS, rows)))
        .extracting(Answer::schedule)
        .isEqualTo(answers.stream().map(Answer::schedule).toList());
    assertThat(get(scheduler.node().overview(ORDERS)).schedules()).isEqualTo(rows.size() - 1);
  }

  private List<ScheduleId> listed(int limit) {
    var ids = new ArrayList<ScheduleId>();
    var query = Optional.of(ScheduleQuery.first(limit));
    while (query.isPresent()) {
      var page = get(scheduler.node().schedules(ORDERS, query.get()));
      page.schedules().stream().map(ScheduleView::schedule).forEach(each -> ids.add(each.id()));
      query = page.next().map(ScheduleQuery.first(limit)::after);
    }
    return ids;
  }

  @Test
  void whatHasNoOrderOverAllIsAskedOfOnePartition() {
    startFunded();
    var id =
        scheduled(OWNERS.get(3), Instant.now().plusSeconds(60), new Target.Notify(Bytes.EMPTY));
    taken(OWNERS.get(3), new Operation.Cancel(id));

    var all = OutcomeQuery.from(0, 10);
    assertThatThrownBy(() -> get(scheduler.node().outcomes(ORDERS, all)))
        .hasRootCauseMessage(
            "The queue orders has 3 partitions: outcomes have an order in each, and none over all"
                + " but for one owner, so name one, orders/0 to orders/2.");
    var second = new QueueName("orders/1");
    assertThat(get(scheduler.node().outcomes(second, all)).outcomes()).hasSize(1);
    assertThat(get(scheduler.node().happenings(second, 0, 10)).happenings())
        .filteredOn(each -> each.happened() instanceof History.Recorded)
        .hasSize(1);
    assertThat(get(scheduler.node().happenings(new QueueName("orders/0"), 0, 10)).happenings())
        .allMatch(each -> each.happened() instanceof History.Booked);
    assertThat(scheduler.node().refusesOrder(ORDERS)).isPresent();
    assertThat(scheduler.node().refusesOrder(second)).isEmpty();
    assertThatThrownBy(() -> get(scheduler.node().overview(new QueueName("orders/3"))))
        .hasRootCauseMessage("There is no orders/3: the queue orders has 3 partitions, from 0 on.");
    assertThatThrownBy(() -> get(scheduler.node().overview(new QueueName("default/1"))))
        .hasRootCauseMessage("The queue default has no partitions: name it without one.");
    var fees = new Operation.Withdraw(AccountId.FEES, new Amount(1));
    assertThat(submit(OPERATOR, fees).refusal().map(Refusal::code))
        .contains(Refusal.Code.NOT_ALLOWED);
  }

  @Test
  void anotherNumberInTheSettingsStopsTheQueueAndTheOldOneStartsItAgain() {
    startFunded();
    use(4);
    scheduler.start();
    assertThatThrownBy(() -> available(OWNERS.get(0)))
        .rootCause()
        .hasMessageContaining(
            "The queue orders was made with 3 partitions, and keeps that number: set"
                + " scheduler.partitions.\"orders\" = 3 again.");
    use(1);
    scheduler.start();
    assertThatThrownBy(() -> available(OWNERS.get(0)))
        .rootCause()
        .hasMessageContaining("was made with 3 partitions");
    use(COUNT);
    scheduler.start();
    assertThat(available(OWNERS.get(0))).isEqualTo(MONEY);
  }

  @Test
  void aQueueThatIsThereStaysOfOne() {
    use(1);
    scheduler.start();
    taken(OPERATOR, new Operation.Fund(OWNERS.get(4), new Amount(5)));
    use(COUNT);
    scheduler.start();
    assertThatThrownBy(() -> available(OWNERS.get(4)))
        .rootCause()
        .hasMessageContaining("The queue orders was made without partitions, and stays so");
    use(1);
    scheduler.start();
    assertThat(available(OWNERS.get(4))).isEqualTo(5);
  }
}

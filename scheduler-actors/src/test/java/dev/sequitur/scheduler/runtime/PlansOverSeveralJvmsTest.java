package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Plans and series of a node of two JVMs, which are two actor systems here, over one database: what
 * one of the two is told, the other is asked. Sharding puts some of the queues on each.
 */
@Execution(ExecutionMode.CONCURRENT)
class PlansOverSeveralJvmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final AccountId ALICE = new AccountId("alice");
  private static final int QUEUES = 4;

  private final List<TestScheduler> jvms = new ArrayList<>();
  private int commands;

  @AfterEach
  void stop() {
    jvms.forEach(TestScheduler::close);
  }

  /**
   * @param schema of this node alone: another test's JVMs are another node's
   */
  private void startTwo(String schema) {
    var server = TestPostgres.shared();
    var database = new PostgresSettings(server.url(), server.user(), server.password(), schema);
    int port = FreePorts.inARow(2);
    var families =
        QueueSetup.of(
            OPERATOR, new PlanExecutions(PlanSettings.DEFAULT), new Recurring(secondsForHours()));
    for (int i = 0; i < 2; i++) {
      jvms.add(
          TestScheduler.startOfSeveral(
              new TestScheduler.Jvm(port + i, port, database),
              families,
              SchedulerSettings.DEFAULT,
              new ScriptedCalls()));
    }
  }

  private static RecurringSettings secondsForHours() {
    return RecurringSettings.DEFAULT.withSlots(Duration.ofSeconds(1));
  }

  @Test
  void whatOneJvmIsToldOfPlansTheOtherAnswers() {
    startTwo("plans");
    for (int i = 0; i < QUEUES; i++) {
      var queue = new QueueName("plans" + i);
      var told = jvms.get(i % 2).node();
      var asked = jvms.get((i + 1) % 2).node();
      sellAndSchedule(queue, told, asked);
    }
  }

  private void sellAndSchedule(QueueName queue, SchedulerNode told, SchedulerNode asked) {
    fund(told, queue, 1_000);
    var plan = Plan.of(10, 60, 100, Optional.empty());
    assertThat(perform(told, queue, OPERATOR, new PlanOperation.AddPlan(plan)).result())
        .contains(new PlanResult.Added(0));
    var purchase = new PlanOperation.Purchase(0, 2, new Amount(20));
    assertThat(perform(asked, queue, ALICE, purchase).result())
        .contains(new PlanResult.Purchased(2));
    var terms = new PlanTerms(0, Instant.now().getEpochSecond() + 600, new Amount(5));
    var target = new Target.Transfer(new AccountId("bob"), new Amount(5));
    var scheduled = perform(told, queue, ALICE, new PlanOperation.Schedule(terms, target)).result();
    var id = ((PlanResult.Scheduled) scheduled.orElseThrow()).executions().get(0);

    assertThat(get(asked.ask(queue, new PlanQuery.Plans())).plans()).containsExactly(plan);
    assertThat(get(asked.ask(queue, new PlanQuery.RemainingExecutions(ALICE, 0))).executions())
        .isOne();
    assertThat(get(asked.ask(queue, new PlanQuery.ExecutionsByRequestorCount(ALICE))).executions())
        .isOne();
    var page = get(asked.ask(queue, new PlanQuery.GetExecutionsByRequestor(ALICE, 0, 1)));
    assertThat(page.executions())
        .singleElement()
        .satisfies(each -> assertThat(each.id()).isEqualTo(id));
    assertThat(
            get(asked.ask(queue, new PlanQuery.GetExecutionsByRequestor(ALICE, 0, 9))).objection())
        .isPresent();
    var refund = new PlanOperation.RequestExecutionRefund(id);
    assertThat(perform(asked, queue, ALICE, refund).refusal())
        .get()
        .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.BAD_STATE));
    perform(asked, queue, ALICE, new PlanOperation.CancelScheduling(id));
    var found = get(told.ask(queue, new PlanQuery.GetExecutionById(id))).execution();
    assertThat(found)
        .get()
        .satisfies(each -> assertThat(each.state()).isEqualTo(PlanExecutionState.CANCELLED));
    assertThat(get(told.audit(queue)).isConserved()).isTrue();
  }

  @Test
  void aParkedSeriesIsResumedByWayOfTheOtherJvm() {
    startTwo("series");
    for (int i = 0; i < QUEUES; i++) {
      var queue = new QueueName("series" + i);
      var told = jvms.get(i % 2).node();
      var asked = jvms.get((i + 1) % 2).node();
      fund(told, queue, 1);
      var id = propose(told, queue);
      await()
          .atMost(PATIENCE)
          .until(() -> get(asked.explain(queue, id)).sentence().startsWith("It is parked"));
      fund(asked, queue, 1);

      perform(asked, queue, ALICE, new ResumeSeries(id));

      await().atMost(PATIENCE).until(() -> get(told.explain(queue, id)).history().size() == 2);
    }
  }

  /** So often that its second time comes soon after it is resumed. */
  private ScheduleId propose(SchedulerNode node, QueueName queue) {
    // What has passed when it is decided is refused: then it is to lie further ahead.
    for (long ahead = 2; ; ahead *= 2) {
      long soon = Instant.now().getEpochSecond() + ahead;
      var every = new Cadence.Every(soon * 1_000, 1_000);
      var terms = new SeriesTerms(Bytes.utf8("walk"), every, Optional.empty());
      var proposal = Proposal.of(ALICE, terms, new Target.Notify(Bytes.utf8("walk the dog")));
      var answer = submit(node, queue, ALICE, new Operation.Propose(proposal));
      if (answer.refusal().isEmpty()) {
        return answer.schedule().orElseThrow();
      }
      assertThat(answer.refusal().get().code()).isEqualTo(Refusal.Code.TIME_NOT_IN_FUTURE);
    }
  }

  private void fund(SchedulerNode node, QueueName queue, long units) {
    submit(node, queue, OPERATOR, new Operation.Fund(ALICE, new Amount(units)));
  }

  private Answer perform(
      SchedulerNode node, QueueName queue, AccountId signer, FamilyOperation operation) {
    return submit(node, queue, signer, new Operation.Perform(operation));
  }

  private Answer submit(
      SchedulerNode node, QueueName queue, AccountId signer, Operation operation) {
    return get(node.submit(queue, new Command("command-" + ++commands, signer, operation)));
  }
}

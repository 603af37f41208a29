package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.ResumeSeries;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An operation of one family that names a schedule of another finds nothing, and ends nothing. */
class OtherFamiliesSchedulesTest {
  private final QueueUnderTest queue =
      new QueueUnderTest(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(AlicesProposals.SETTINGS),
              new Recurring(RecurringSettings.DEFAULT),
              new PlanExecutions(PlanSettings.DEFAULT)));

  private ScheduleId theirs;

  @BeforeEach
  void scheduleOne() {
    queue.fund(ALICE, AlicesProposals.MONEY);
    theirs = queue.insert(AlicesProposals.pay(60_000, 7));
  }

  private static Stream<Arguments> operations() {
    return Stream.of(
        row(ALICE, PlanOperation.CancelScheduling::new),
        row(ALICE, PlanOperation.RequestExecutionRefund::new),
        row(OPERATOR, id -> new PlanOperation.Execute(id, 1_000)),
        row(ALICE, ResumeSeries::new));
  }

  private static Arguments row(AccountId signer, Function<ScheduleId, FamilyOperation> operation) {
    return Arguments.of(signer, operation);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void itIsUnknownThere(AccountId signer, Function<ScheduleId, FamilyOperation> operation) {
    var named = new Operation.Perform(operation.apply(theirs));

    assertThat(queue.refused(signer, named)).isEqualTo(Refusal.Code.UNKNOWN_SCHEDULE);

    assertThat(queue.state.entries().schedule(theirs)).isPresent();
  }

  @Test
  void itDoesNotExistAsAnExecution() {
    var asked = new PlanQuery.GetExecutionById(theirs);

    assertThat(queue.queue.ask(queue.state, asked, queue.wall()).execution()).isEmpty();
  }
}

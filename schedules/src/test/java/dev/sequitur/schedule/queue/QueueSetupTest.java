package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which families a queue serves, and that it is driven as any of the machines. */
class QueueSetupTest {
  private static final GasPriority GAS = new GasPriority(GasPrioritySettings.DEFAULT);
  private static final Recurring RECURRING = new Recurring(RecurringSettings.DEFAULT);
  private static final PlanExecutions PLANS = new PlanExecutions(PlanSettings.DEFAULT);

  /** Whichever order they are configured in: a block serves them one after the other. */
  @Test
  void familiesAreServedInTheOrderOfTheirKinds() {
    for (var some : List.of(List.of(PLANS, GAS, RECURRING), List.of(RECURRING, PLANS, GAS))) {
      var setup = QueueSetup.of(OPERATOR).serving(List.copyOf(some));
      assertThat(setup.families()).extracting(family -> family.kind()).isSorted();
    }
  }

  @Test
  void otherFamiliesChangeNothingElse() {
    var setup = QueueSetup.of(OPERATOR, GAS).throttledBy(Map.of("Propose", 7L));

    var others = setup.serving(List.of(RECURRING));

    assertThat(others.families()).containsExactly(RECURRING);
    assertThat(others.throttles()).isEqualTo(setup.throttles());
    assertThat(others.serving(List.of(GAS))).isEqualTo(setup);
  }

  @Test
  void aFamilyIsFoundByItsClassIfItIsServed() {
    var setup = QueueSetup.of(OPERATOR, GAS, RECURRING);

    assertThat(setup.family(Recurring.class)).contains(RECURRING);
    assertThat(setup.family(MultiSignature.class)).isEmpty();
  }

  @Test
  void whatIsNotServedIsRefusedAndNotForetold() {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, RECURRING));

    assertThat(queue.refused(ALICE, new Operation.Propose(pay(200, 7))))
        .isEqualTo(Refusal.Code.SERVICE_NOT_ACTIVE);
    assertThat(queue.refused(OPERATOR, new Operation.Perform(new PlanOperation.Pause())))
        .isEqualTo(Refusal.Code.SERVICE_NOT_ACTIVE);
    assertThat(
            queue.queue.forecast(
                queue.state, FamilyKind.GAS_PRIORITY, ConsensusTime.ZERO, queue.wall()))
        .isEmpty();
  }

  @Test
  void aQueueIsIdleWhenNothingWaitsOrRuns() {
    var queue = AlicesProposals.newQueue();
    assertThat(queue.state.isIdle()).isTrue();
    queue.insert(pay(200, 7));

    assertThat(queue.state.isIdle()).isFalse();
  }

  @Test
  void aHostDrivesItByTheRulesAndTheTimeThatItsClockIsJudgedBy() {
    var queue = AlicesProposals.newQueue();
    var late = Instant.ofEpochMilli(queue.nowMs).plusSeconds(1_000);
    var machine = queue.queue.machine(now -> WallTime.judgedBy(now, now.minusSeconds(100)));

    assertThat(machine.recover(queue.journal)).isEqualTo(queue.state);
    assertThat(machine.first().apply(late)).contains(new QueueInput.Recovered());
    assertThat(machine.tick()).isEqualTo(new QueueInput.CutBlock());
    var input = new QueueInput.Command("propose", ALICE, new Operation.Propose(pay(2_000_000, 7)));
    var judged = WallTime.judgedBy(late, late.minusSeconds(100));
    assertThat(machine.rules().decide(queue.state, input, late))
        .isEqualTo(queue.queue.decide(queue.state, input, judged))
        .isNotEqualTo(queue.queue.decide(queue.state, input, WallTime.of(late)));
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A private transaction may never end: a shutdown that awaits nothing else can be taken back. */
class ResumedShutdownTest {
  private static final Conclusion RETRYABLE = new Conclusion.Failed(20, "no answer", true);
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  private final QueueUnderTest queue = AlicesProposals.newQueue();

  /** Resumed once nothing waits (SCH-19). */
  @Test
  void whatWaitsIsEndedFirstAndThenTheFamilyServesAgainAlthoughSomethingIsOut() {
    var waits = queue.insert(pay(5_000, 7));
    var out = out(call(200));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    assertThat(resumeIsRefused()).contains("still waits");
    queue.block();

    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));

    assertThat(queue.notices()).isEmpty();
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.ACTIVE);
    assertThat(outcome(waits)).isEqualTo(Outcome.CANCELLED);
    var later = queue.insert(pay(1_000, 7));
    queue.blockAt(START_MS + 1_000);
    assertThat(outcome(later)).isEqualTo(Outcome.RUN);
    queue.tell(new Answered(out, new Conclusion.Succeeded(50)));
    assertThat(outcome(out.schedule())).isEqualTo(Outcome.RUN);
    queue.block();
    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void whatIsOutIsHandedOverAgainAfterARestartAndTriedAgainAsItsPolicySays() {
    var once = call(200);
    var out = out(new Proposal(ALICE, once.terms(), once.target(), LatePolicy.AS_SPECIFIED, TWICE));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.block();
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
    queue.recover();
    assertThat(queue.handedOver()).singleElement().extracting("key").isEqualTo(out);

    queue.tell(new Answered(out, RETRYABLE));
    queue.blockAt(START_MS + 2_000);

    assertThat(queue.handedOver()).singleElement().extracting("key").isEqualTo(out.nextAttempt());
  }

  @Test
  void whatAwaitsAnotherAttemptIsEndedFirstToo() {
    var once = call(200);
    var failed =
        out(new Proposal(ALICE, once.terms(), once.target(), LatePolicy.AS_SPECIFIED, TWICE));
    out(call(500));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.block();
    queue.tell(new Answered(failed, RETRYABLE));
    assertThat(resumeIsRefused()).contains("still waits");

    queue.block();
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));

    assertThat(outcome(failed.schedule())).isEqualTo(Outcome.FAILED);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(20);
  }

  /** Blocks would be cut without end while a transaction is out that does not end. */
  @Test
  void whileItOnlyAwaitsWhatIsOutNoBlockHasAnythingToDo() {
    var out = out(call(200));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    assertThat(workLeft()).isFalse();
    assertThat(queue.refused(ALICE, new Operation.Propose(pay(5_000, 7))))
        .isEqualTo(Code.SERVICE_NOT_ACTIVE);

    queue.tell(new Answered(out, new Conclusion.Succeeded(50)));
    assertThat(workLeft()).isTrue();
    queue.block();

    assertThat(queue.notices()).contains(new Notice.ShutdownComplete(GAS_PRIORITY));
    assertThat(workLeft()).isFalse();
  }

  @Test
  void aShutdownThatHasComeToItsEndIsToldAlsoIfItIsResumedBeforeTheNextBlock() {
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));

    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));

    assertThat(queue.notices()).containsExactly(new Notice.ShutdownComplete(GAS_PRIORITY));
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.ACTIVE);
  }

  @Test
  void whatWasResumedCanBeShutDownAgainAndThenTellsThatItIs() {
    var out = out(call(200));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
    queue.insert(pay(5_000, 7));

    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    assertThat(queue.refused(OPERATOR, new Operation.Shutdown(GAS_PRIORITY)))
        .isEqualTo(Code.BAD_STATE);
    assertThat(queue.refused(OPERATOR, new Operation.Pause(GAS_PRIORITY)))
        .isEqualTo(Code.BAD_STATE);
    queue.block();
    queue.tell(new Answered(out, new Conclusion.Succeeded(50)));
    queue.block();

    assertThat(queue.notices()).contains(new Notice.ShutdownComplete(GAS_PRIORITY));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - queue.balance(AccountId.FEES));
  }

  @Test
  void aSeriesThatIsOutGoesOnIfItWasResumedMeanwhile() {
    var settings = RecurringSettings.DEFAULT.withSlots(Duration.ofHours(1));
    long slot = settings.slot().toMillis();
    var recurring = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    recurring.fund(ALICE, 100);
    var terms = new SeriesTerms(Bytes.utf8("s"), new Cadence.Every(slot, slot), Optional.empty());
    var series = recurring.insert(Proposal.of(ALICE, terms, call(0).target()));
    recurring.blockAt(slot);
    var out = recurring.handedOver().get(0).key();

    recurring.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));
    recurring.block();
    recurring.accepted(OPERATOR, new Operation.Resume(FamilyKind.RECURRING));
    recurring.tell(new Answered(out, new Conclusion.Succeeded(50)));
    recurring.blockAt(2 * slot);

    assertThat(recurring.startedInLastBlock()).containsExactly(series);
  }

  /** Unpause is that text's word for it. */
  @Test
  void plansAreUnpausedWhileAnExecutionIsOut() {
    var plans = PlansUnderTest.withBought(2);
    plans.schedule(PlansUnderTest.call(0, 15, 0));
    plans.blockAt(15);
    var waits = plans.schedule(100, 0);
    plans.queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.PLAN_EXECUTION));
    assertThat(plans.refused(OPERATOR, new PlanOperation.Unpause())).isEqualTo(Code.BAD_STATE);
    plans.queue.block();

    plans.accepted(OPERATOR, new PlanOperation.Unpause());

    assertThat(plans.queue.outcome(waits).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
    plans.schedule(100, 0);
  }

  /** Started, and handed over. */
  private OccurrenceKey out(Proposal proposal) {
    queue.insert(proposal);
    queue.nowMs += 300;
    queue.block();
    return queue.handedOver().get(0).key();
  }

  private String resumeIsRefused() {
    assertThat(queue.refused(OPERATOR, new Operation.Resume(GAS_PRIORITY)))
        .isEqualTo(Code.BAD_STATE);
    return queue.answer().refusal().orElseThrow().sentence();
  }

  private boolean workLeft() {
    return queue.queue.nextBlock(queue.state, ConsensusTime.ofMillis(queue.nowMs)).workLeft();
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }
}

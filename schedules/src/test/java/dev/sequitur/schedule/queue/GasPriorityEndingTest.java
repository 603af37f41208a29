package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.OUTSIDE;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a gas-priority schedule ends: cancel, pause, shutdown, hand-over, retry. */
class GasPriorityEndingTest {
  private final QueueUnderTest queue = AlicesProposals.newQueue();

  /** A paused family runs nothing (GAS-9, SCH-19). */
  @Test
  void whatIsPausedWaitsAndDoesNotExpire() {
    var id = queue.insert(pay(200, 1));
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));
    for (int tick = 2; tick <= 20; tick++) {
      queue.blockAt(START_MS + tick * 100L);
      assertThat(queue.last.events()).isEmpty();
    }

    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
    queue.block();

    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  @Test
  void cancelBeforeTheRunGivesAllBackAndFreesTheId() {
    var id = queue.insert(pay(200, 7));

    queue.accepted(ALICE, new Operation.Cancel(id));

    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);
    assertThat(outcomes(List.of(id))).containsExactly(Outcome.CANCELLED);
    assertThat(queue.insert(pay(200, 7))).isEqualTo(id);
  }

  @Test
  void onlyWhoScheduledItCancels() {
    var id = queue.insert(pay(200, 7));

    assertThat(queue.refused(BOB, new Operation.Cancel(id))).isEqualTo(Code.NOT_ALLOWED);
    assertThat(queue.refused(OPERATOR, new Operation.Cancel(id))).isEqualTo(Code.NOT_ALLOWED);
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(queue.refused(ALICE, new Operation.Cancel(id))).isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  /** What has run leaves with the next block (GAS-8). */
  @Test
  void cancelAfterTheRunAndBeforeTheNextProloguePaysNothingBack() {
    var id = queue.insert(pay(200, 7));
    queue.blockAt(START_MS + 200);
    long after = queue.balance(ALICE);

    assertThat(queue.refused(ALICE, new Operation.Cancel(id))).isEqualTo(Code.ALREADY_STARTED);
    assertThat(queue.state.entries().schedule(id)).isPresent();

    queue.block();
    assertThat(queue.state.entries().schedule(id)).isEmpty();
    assertThat(queue.refused(ALICE, new Operation.Cancel(id))).isEqualTo(Code.UNKNOWN_SCHEDULE);
    assertThat(queue.balance(ALICE)).isEqualTo(after);
  }

  /** A shutdown, in batches (GAS-9, SCH-19). */
  @Test
  void shutdownGivesBackInBatchesThenTellsOnceAndCanBeStartedAgain() {
    var setup = QueueSetup.of(OPERATOR, new GasPriority(SETTINGS));
    for (int i = 1; i <= setup.shutdownBatch() + 1; i++) {
      queue.insert(proposal(200, 10 + i, 1, new Target.Transfer(BOB, new Amount(1))));
    }
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    assertThat(refusal(ALICE, pay(500, 7))).isEqualTo(Code.SERVICE_NOT_ACTIVE);

    queue.block();
    assertThat(queue.notices()).hasSize(2 * setup.shutdownBatch());
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUTTING_DOWN);

    queue.block();
    assertThat(queue.notices()).contains(new Notice.ShutdownComplete(GAS_PRIORITY));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);

    queue.block();
    assertThat(queue.last.events()).isEmpty();
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
    queue.insert(pay(500, 7));
  }

  @Test
  void shutdownAwaitsWhatWasStarted() {
    var id = queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var key = queue.handedOver().get(0).key();
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));

    queue.block();
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUTTING_DOWN);

    queue.tell(new Answered(key, new Conclusion.Succeeded(50)));
    queue.block();
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
    assertThat(outcomes(List.of(id))).containsExactly(Outcome.RUN);
  }

  @Test
  void aPrivateTransactionIsHandedOverUnderItsKeyAndAgainUnchangedAfterARestart() {
    queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var handedOver = queue.handedOver();
    assertThat(handedOver).hasSize(1);

    queue.recover();
    assertThat(queue.handedOver()).isEqualTo(handedOver);

    var key = handedOver.get(0).key();
    queue.tell(new HandedOver(key, OUTSIDE));
    queue.tell(new Answered(key, new Conclusion.Succeeded(60)));
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(60);

    queue.tell(new Answered(key, new Conclusion.Failed(60, "late", false)));
    assertThat(queue.last.events()).isEmpty();
  }

  /** SCH-22: from the schedule to what it runs, with no key to be composed by hand. */
  @Test
  void thePrivateTransactionIsNamedWhileItRunsAndWithItsOutcomeAlsoAfterARestart() {
    var id = queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var key = queue.handedOver().get(0).key();
    assertThat(explain(id).transaction()).isEmpty();

    queue.tell(new HandedOver(key, OUTSIDE));
    assertThat(queue.notices()).containsExactly(new Notice.Submitted(key, ALICE, OUTSIDE));
    queue.recover();
    queue.tell(new HandedOver(key, OUTSIDE));
    assertThat(queue.last.events()).isEmpty();
    assertThat(explain(id).transaction()).contains(OUTSIDE);

    queue.tell(new Answered(key, new Conclusion.Failed(60, "It reverted.", false)));
    queue.recover();
    assertThat(explain(id).transaction()).isEmpty();
    assertThat(queue.outcome(id).orElseThrow().transaction()).contains(OUTSIDE);
    assertThat(queue.queue.outcomes(queue.state, 0, 1, any -> true).outcomes())
        .singleElement()
        .satisfies(each -> assertThat(each.recorded()).isEqualTo(queue.outcome(id).get()));
  }

  @Test
  void whatTheSequencerNeverTookNamesNoTransaction() {
    var id = queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var key = queue.handedOver().get(0).key();

    queue.tell(new Answered(key, new Conclusion.Failed(60, "It was refused.", true)));

    assertThat(queue.outcome(id).orElseThrow().transaction()).isEmpty();
    assertThat(queue.notices())
        .filteredOn(Notice.Ended.class::isInstance)
        .containsExactly(new Notice.Ended(queue.outcome(id).get()));
  }

  private Explanation explain(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall());
  }

  @Test
  void whatWasStartedCannotBeCancelled() {
    var id = queue.insert(call(200));
    queue.blockAt(START_MS + 200);

    assertThat(queue.refused(ALICE, new Operation.Cancel(id))).isEqualTo(Code.ALREADY_STARTED);
  }

  @Test
  void aChosenRetryRunsUnderAnotherKeyAfterItsBackoffAndIsSettledOnce() {
    var retry = new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    var once = call(200);
    queue.insert(new Proposal(ALICE, once.terms(), once.target(), LatePolicy.AS_SPECIFIED, retry));
    queue.blockAt(START_MS + 200);
    var first = queue.handedOver().get(0).key();

    queue.tell(new Answered(first, new Conclusion.Failed(20, "no answer", true)));
    assertThat(queue.balance(AccountId.FEES)).isZero();
    queue.block();
    assertThat(queue.handedOver()).isEmpty();

    queue.recover();
    queue.blockAt(START_MS + 1_500);
    var second = queue.handedOver().get(0).key();
    assertThat(second).isEqualTo(first.nextAttempt());

    queue.tell(new Answered(second, new Conclusion.Failed(30, "no answer", true)));
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(30);
    assertThat(queue.state.history().of(first.schedule())).hasSize(1);
  }

  /** Its next attempt may be years away, and what has failed so far has failed. */
  @Test
  void aShutdownEndsWhatAwaitsAnotherAttempt() {
    var years = Duration.ofDays(3_650);
    var once = call(200);
    var id =
        queue.insert(
            new Proposal(
                ALICE,
                once.terms(),
                once.target(),
                LatePolicy.AS_SPECIFIED,
                new RetryPolicy(100, new Backoff(years, years))));
    queue.blockAt(START_MS + 200);
    var key = queue.handedOver().get(0).key();
    queue.tell(new Answered(key, new Conclusion.Failed(20, "no answer", true)));

    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.block();

    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
    assertThat(queue.notices()).contains(new Notice.ShutdownComplete(GAS_PRIORITY));
    assertThat(outcomes(List.of(id))).containsExactly(Outcome.FAILED);
    assertThat(queue.outcome(id).orElseThrow().note()).contains("no answer", "shut down");
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(20);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 20);
    assertThat(queue.handedOver()).isEmpty();
    queue.recover();
    queue.blockAt(START_MS + years.toMillis() + 1_000);
    assertThat(queue.handedOver()).isEmpty();
    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
  }

  @Test
  void ofThoseTooItEndsSoManyInEachBlock() {
    var retry = new RetryPolicy(9, new Backoff(Duration.ofDays(1), Duration.ofDays(1)));
    var tooMuch = new Target.Transfer(BOB, new Amount(2 * MONEY));
    int batch = queue.queue.setup().shutdownBatch();
    for (int i = 0; i <= batch; i++) {
      var plain = proposal(200, 10, 1 + i, tooMuch);
      queue.insert(new Proposal(ALICE, plain.terms(), tooMuch, LatePolicy.AS_SPECIFIED, retry));
    }
    queue.nowMs = START_MS + 200;
    while (queue.state.entries().due().waiting(GAS_PRIORITY) > 0) {
      queue.block();
    }
    assertThat(queue.state.entries().executing()).isEqualTo(batch + 1);

    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    queue.block();
    assertThat(queue.state.entries().executing()).isEqualTo(1);
    queue.block();

    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  private Code refusal(AccountId signer, Proposal proposal) {
    return queue.refused(signer, new Operation.Propose(proposal));
  }

  private List<Outcome> outcomes(List<ScheduleId> ids) {
    return ids.stream().map(id -> queue.outcome(id).orElseThrow().outcome()).toList();
  }
}

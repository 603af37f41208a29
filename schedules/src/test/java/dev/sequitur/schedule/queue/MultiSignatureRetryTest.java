package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A private transaction that is tried again, as all who signed have agreed (MSIG-17). */
class MultiSignatureRetryTest {
  private static final Identity FROM = new Identity("alice", new NodeName("node1"));
  private static final RetryPolicy THRICE =
      new RetryPolicy(3, new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10)));

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  private EntityId scheduled() {
    return scheduled(1);
  }

  private EntityId scheduled(int nonce) {
    queue.administer(new MultiSignatureOperation.BindKey(FROM, key(61)));
    var action = new Action.PrivateTransaction(SignaturesUnderTest.call(FROM), THRICE);
    var schedule = queue.create(body(nonce, action));
    assertThat(queue.sign(schedule, key(61))).isEqualTo(ResponseCode.SUCCESS);
    return schedule;
  }

  private void fails(boolean retryable) {
    var out = queue.queue.state.entries().executions().firstEntry().getValue().key();
    queue.queue.tell(new Answered(out, new Conclusion.Failed(1, "no", retryable)));
  }

  private void nextAttempt() {
    queue.later(10);
    queue.queue.block();
  }

  private Outcome outcome(EntityId schedule) {
    return queue.queue.outcome(schedule.schedule()).orElseThrow().outcome();
  }

  @Test
  void theSecondAttemptIsAnotherKeyAndCostsNothingMore() {
    var schedule = scheduled();
    var first = queue.queue.handedOver().get(0).key();
    long fees = queue.queue.balance(AccountId.FEES);

    fails(true);
    assertThat(queue.queue.outcome(schedule.schedule())).isEmpty();
    assertThat(queue.exported()).isEmpty();
    nextAttempt();

    assertThat(queue.queue.handedOver())
        .singleElement()
        .satisfies(again -> assertThat(again.key()).isEqualTo(first.nextAttempt()));
    queue.queue.tell(new HandedOver(first.nextAttempt(), QueueUnderTest.OUTSIDE));
    queue.queue.tell(new Answered(first.nextAttempt(), new Conclusion.Succeeded(1)));
    assertThat(outcome(schedule)).isEqualTo(Outcome.RUN);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS);
    assertThat(queue.queue.balance(AccountId.FEES)).isEqualTo(fees);
    var record = queue.exported().get(0);
    assertThat(queue.queries().records(record.transactionId()))
        .extracting(each -> each.receipt().status())
        .containsExactly(ResponseCode.OK, ResponseCode.SUCCESS);
    assertThat(record.privateTransaction()).contains(QueueUnderTest.OUTSIDE);
  }

  @Test
  void afterTheLastAttemptItHasFailedOnce() {
    var schedule = scheduled();
    fails(true);
    nextAttempt();
    fails(true);
    nextAttempt();
    fails(true);

    assertThat(outcome(schedule)).isEqualTo(Outcome.FAILED);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.CONTRACT_REVERT_EXECUTED);
    nextAttempt();
    assertThat(queue.queue.handedOver()).isEmpty();
    assertThat(queue.queue.state.isIdle()).isTrue();
  }

  @Test
  void whatMayStillBeConfirmedIsNotTriedAgain() {
    var schedule = scheduled();

    fails(false);

    assertThat(outcome(schedule)).isEqualTo(Outcome.FAILED);
  }

  @Test
  void aKeyThatHasChangedBetweenTwoAttemptsNoLongerAuthorisesIt() {
    var schedule = scheduled();
    fails(true);
    queue.administer(new MultiSignatureOperation.BindKey(FROM, key(62)));

    nextAttempt();

    assertThat(queue.queue.handedOver()).isEmpty();
    assertThat(outcome(schedule)).isEqualTo(Outcome.FAILED);
    assertThat(queue.queue.outcome(schedule.schedule()).orElseThrow().note()).contains("key");
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.CONTRACT_REVERT_EXECUTED);
  }

  /** Each of them leaves a record, and no two records are of one time (MSIG-11). */
  @Test
  void aKeyThatHasChangedEndsAllThatItHadAuthorisedInOneBlock() {
    var schedules = List.of(scheduled(1), scheduled(2), scheduled(3));
    for (var out : List.copyOf(queue.queue.state.entries().executions().values())) {
      queue.queue.tell(new Answered(out.key(), new Conclusion.Failed(1, "no", true)));
    }
    queue.administer(new MultiSignatureOperation.BindKey(FROM, key(62)));

    nextAttempt();

    assertThat(schedules).extracting(this::outcome).containsOnly(Outcome.FAILED);
    assertThat(queue.exported())
        .hasSize(3)
        .doesNotHaveDuplicates()
        .extracting(TransactionRecord::consensusTimestamp)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void thoseOverWhichTheRulesFailLeaveRecordsOfDifferentTimesToo() {
    var schedules = List.of(scheduled(1), scheduled(2), scheduled(3));
    for (var out : List.copyOf(queue.queue.state.entries().executions().values())) {
      queue.queue.tell(new Answered(out.key(), new Conclusion.Failed(1, "no", true)));
    }
    var rules = queue.queue.queue;
    var now = queue.queue.state.clock().next(queue.queue.wall(), rules.setup().maxAhead());
    var step = new QueueStep(rules, queue.queue.state, now);

    for (var schedule : schedules) {
      new OneByOne(step)
          .each(
              schedule.schedule(),
              () -> {
                throw new IllegalStateException("a fault");
              });
    }

    queue.queue.last = step.finish();
    assertThat(queue.exported())
        .hasSize(3)
        .extracting(TransactionRecord::consensusTimestamp)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void aShutdownEndsThoseBetweenTwoAttemptsWithARecordForEach() {
    var schedules = List.of(scheduled(1), scheduled(2));
    for (var out : List.copyOf(queue.queue.state.entries().executions().values())) {
      queue.queue.tell(new Answered(out.key(), new Conclusion.Failed(1, "no", true)));
    }

    queue.queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.MULTI_SIGNATURE));
    queue.queue.block();

    assertThat(schedules).extracting(this::outcome).containsOnly(Outcome.FAILED);
    assertThat(queue.exportedStatus())
        .containsExactly(
            ResponseCode.CONTRACT_REVERT_EXECUTED, ResponseCode.CONTRACT_REVERT_EXECUTED);
    assertThat(queue.queue.state.service(FamilyKind.MULTI_SIGNATURE)).isEqualTo(Service.SHUT_DOWN);
  }

  @Test
  void betweenTwoAttemptsNobodySignsOrDeletesItAndItDoesNotExpire() {
    var schedule = scheduled();
    fails(true);

    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.delete(schedule, key(4))).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    queue.later(2_000);
    queue.queue.block();

    assertThat(queue.queue.handedOver()).hasSize(1);
  }

  @Test
  void aRestartBetweenTwoAttemptsChangesNothing() {
    var schedule = scheduled();
    fails(true);
    queue.queue.recover();
    assertThat(queue.queue.handedOver()).isEmpty();

    nextAttempt();
    queue.queue.recover();

    assertThat(queue.queue.handedOver()).hasSize(1);
    queue.queue.tell(
        new Answered(queue.queue.handedOver().get(0).key(), new Conclusion.Succeeded(1)));
    assertThat(outcome(schedule)).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
  }
}

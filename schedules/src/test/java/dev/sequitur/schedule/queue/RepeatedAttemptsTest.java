package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What failed elsewhere is tried again: at its time, so many in a block, or not any more. */
class RepeatedAttemptsTest {
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  private final QueueUnderTest queue =
      new QueueUnderTest(
          new QueueSetup(
              OPERATOR,
              Duration.ofSeconds(10),
              GasUse.DEFAULT,
              4,
              1_000,
              Map.of(),
              Amount.ZERO,
              List.of(
                  new GasPriority(new GasPrioritySettings(100, 200, 3, 2, 1, 64)),
                  new Recurring(RecurringSettings.DEFAULT))));

  /** So many that were started and have failed once. */
  private List<ScheduleId> failed(int count) {
    queue.fund(ALICE, 100_000_000);
    var ids = new ArrayList<ScheduleId>();
    for (int price = 1; price <= count; price++) {
      ids.add(queue.insert(call(price)));
    }
    queue.blockAt(START_MS + 200);
    var out = queue.handedOver();
    assertThat(out).hasSize(count);
    queue.nowMs++;
    out.forEach(each -> queue.tell(new Answered(each.key(), new Conclusion.Failed(5, "no", true))));
    return ids;
  }

  private static Proposal call(long price) {
    var plain = AlicesProposals.call(200);
    var terms = new GasPriorityTerms(START_MS + 200, 100, price);
    return new Proposal(ALICE, terms, plain.target(), plain.late(), TWICE);
  }

  private long startsAt(ScheduleId id) {
    return queue.state.entries().execution(id).orElseThrow().startAt().nanos();
  }

  @Test
  void anAttemptIsRepeatedAtItsTimeAndNotBefore() {
    var id = failed(1).get(0);
    long at = startsAt(id);
    assertThat(at % 1_000_000).isZero();

    queue.blockAt(at / 1_000_000 - 1);
    assertThat(queue.startedInLastBlock()).isEmpty();
    queue.blockAt(at / 1_000_000);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
    assertThat(queue.handedOver().get(0).key().attempt()).isEqualTo(2);
  }

  /** When each began, and why it failed: also of those before the last. */
  @Test
  void anOutcomeKeepsEachAttempt() {
    var id = failed(1).get(0);
    var asked = ConsensusTime.ofMillis(START_MS + 200);
    long again = startsAt(id) / 1_000_000;
    queue.blockAt(again);
    var second = queue.handedOver().get(0).key();
    queue.nowMs += 7;
    queue.tell(new Answered(second, new Conclusion.Succeeded(5)));

    var outcome = queue.outcome(id).orElseThrow();
    assertThat(outcome.asked()).contains(asked);
    assertThat(outcome.attempts())
        .containsExactly(
            new Attempted(asked, "no"), new Attempted(ConsensusTime.ofMillis(again), ""));
  }

  @Test
  void oneBlockRepeatsAHundredAndTheNextTheRest() {
    failed(101);

    queue.blockAt(START_MS + 5_000);
    assertThat(queue.startedInLastBlock()).hasSize(100);
    queue.block();
    assertThat(queue.startedInLastBlock()).hasSize(1);
    queue.block();
    assertThat(queue.startedInLastBlock()).isEmpty();
  }

  /** Those that await another attempt are ended in the same batches as those that wait. */
  @Test
  void aShutdownEndsThemWithoutAnotherAttemptSoManyInABlock() {
    var failed = failed(3);
    var waiting = new ArrayList<ScheduleId>();
    for (int price = 1; price <= 3; price++) {
      waiting.add(queue.insert(AlicesProposals.pay(60_000, price)));
    }
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));

    queue.blockAt(START_MS + 5_000);
    assertThat(ended(waiting)).isEqualTo(3);
    assertThat(ended(failed)).isEqualTo(1);
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUTTING_DOWN);
    queue.block();
    assertThat(ended(failed)).isEqualTo(3);
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
    assertThat(failed)
        .allSatisfy(id -> assertThat(queue.outcome(id).orElseThrow().key().attempt()).isEqualTo(2))
        .allSatisfy(
            id -> assertThat(queue.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.FAILED));
    assertThat(queue.handedOver()).isEmpty();
  }

  @Test
  void theShutdownOfAnotherFamilyLeavesThemAlone() {
    var id = failed(1).get(0);
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));

    queue.blockAt(START_MS + 300);
    assertThat(queue.outcome(id)).isEmpty();
    assertThat(queue.state.service(FamilyKind.RECURRING)).isEqualTo(Service.SHUT_DOWN);
    queue.blockAt(START_MS + 5_000);
    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  private long ended(List<ScheduleId> ids) {
    return ids.stream().filter(id -> queue.outcome(id).isPresent()).count();
  }
}

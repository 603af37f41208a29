package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.newQueue;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** After the wall clock was set back the queue's stands still, and says so of what waits. */
class ClockSetBackTest {
  private final QueueUnderTest queue = newQueue();

  @Test
  void itStandsStillUntilTheWallClockHasComeToItAgain() {
    queue.insert(pay(60_000, 7));

    queue.nowMs = START_MS - 5_000;
    assertThat(queue.queue.standsStill(queue.state, queue.wall()))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(5).plusMillis(1));
    queue.nowMs = START_MS - 999;
    assertThat(queue.queue.standsStill(queue.state, queue.wall())).isZero();
  }

  @Test
  void ofWhatWaitsItIsToldAndNotOfWhatHasItsOutcome() {
    var ended = queue.insert(pay(200, 7));
    var waits = queue.insert(pay(60_000, 7));
    queue.blockAt(START_MS + 200);

    queue.nowMs = START_MS - 9_800;

    assertThat(sentence(waits)).contains("stands still").contains("for another 10 s");
    assertThat(sentence(ended)).doesNotContain("stands still");
    queue.nowMs = START_MS + 200;
    queue.block();
    queue.nowMs = START_MS - 9_800;
    assertThat(sentence(ended)).doesNotContain("stands still");
    queue.nowMs = START_MS + 200;
    assertThat(sentence(waits)).doesNotContain("stands still");
  }

  /** No bucket runs out before the wall clock has come to the queue's time, hours later perhaps. */
  @Test
  void nobodyWaitsForABucketWhileItStandsStill() {
    var setup =
        QueueSetup.of(OPERATOR, new GasPriority(AlicesProposals.SETTINGS))
            .throttledBy(Map.of("Fund", 2L));
    var throttled = new QueueUnderTest(setup);
    var fund = new Operation.Fund(ALICE, new Amount(1));
    throttled.accepted(OPERATOR, fund);
    throttled.accepted(OPERATOR, fund);
    assertThat(throttled.refused(OPERATOR, fund)).isEqualTo(Code.BUSY);

    throttled.nowMs -= Duration.ofHours(1).toMillis();
    for (int i = 0; i < 10; i++) {
      throttled.accepted(OPERATOR, fund);
    }

    throttled.nowMs += Duration.ofHours(1).toMillis();
    assertThat(throttled.refused(OPERATOR, fund)).isEqualTo(Code.BUSY);
    throttled.nowMs += 1_001;
    throttled.accepted(OPERATOR, fund);
    throttled.accepted(OPERATOR, fund);
    assertThat(throttled.refused(OPERATOR, fund)).isEqualTo(Code.BUSY);
  }

  private String sentence(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }
}

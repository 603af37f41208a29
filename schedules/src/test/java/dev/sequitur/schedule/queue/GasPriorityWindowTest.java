package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A window that its owner has chosen, in real time, whatever blocks there were (SCH-18). */
class GasPriorityWindowTest {
  private final QueueUnderTest queue = AlicesProposals.newQueue();

  @Test
  void afterAnOutageItDoesNotRunOutsideItsWindowAndAllIsGivenBack() {
    var within = queue.insert(within(Duration.ofMinutes(5), 7));
    var asSpecified = queue.insert(pay(200, 7));

    queue.blockAt(START_MS + Duration.ofHours(2).toMillis());

    assertThat(queue.startedInLastBlock()).containsExactly(asSpecified);
    assertThat(outcome(within)).isEqualTo(Outcome.MISSED);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @Test
  void theEndOfTheWindowBelongsToIt() {
    var within = queue.insert(within(Duration.ofMinutes(5), 7));

    queue.blockAt(START_MS + 200 + Duration.ofMinutes(5).toMillis());

    assertThat(queue.startedInLastBlock()).containsExactly(within);
  }

  /** Two run in a block, and three ticks late is not expired yet. */
  @Test
  void whatIsOutbidUntilItsWindowHasPassedDoesNotRun() {
    var within = queue.insert(within(Duration.ofMillis(150), 1));
    for (int price = 2; price <= 5; price++) {
      queue.insert(pay(200, price));
    }
    queue.blockAt(START_MS + 200);
    queue.blockAt(START_MS + 300);

    queue.blockAt(START_MS + 400);

    assertThat(queue.startedInLastBlock()).isEmpty();
    assertThat(outcome(within)).isEqualTo(Outcome.MISSED);
  }

  @Test
  void whatHasLeftItsWindowTakesNoPlaceAndRaisesNoPrice() {
    queue.insert(within(Duration.ofMinutes(5), 9));
    queue.insert(within(Duration.ofMinutes(6), 8));
    var first = queue.insert(pay(200, 5));
    var second = queue.insert(pay(200, 3));
    long late = START_MS + Duration.ofHours(2).toMillis();
    queue.nowMs = late;

    var ready =
        queue.queue.ask(queue.state, new GasPriorityQuery.GetReadyTransactions(late), queue.wall());

    assertThat(ready.transactions())
        .extracting(each -> each.schedule().id())
        .isEqualTo(List.of(first, second));
    assertThat(ready.transactions())
        .extracting(GasPriorityQuery.ReadyTransaction::gasUnitPriceCharged)
        .containsExactly(3L, 3L);
    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(first, second);
  }

  private static Proposal within(Duration window, long price) {
    var plain = pay(200, price);
    var late = new LatePolicy.RunWithin(window);
    return new Proposal(ALICE, plain.terms(), plain.target(), late, RetryPolicy.NEVER);
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.newQueue;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When there is something to do, and that no block is cut for nothing. Two run in a block. */
class NextBlockTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final QueueUnderTest queue = newQueue();

  @Test
  void withoutSchedulesThereIsNothingToAwait() {
    assertThat(nextAfter(0)).isEqualTo(new NextBlock(false, NEVER));
  }

  @Test
  void theFirstThatBecomesDueIsAwaited() {
    queue.insert(pay(700, 9));
    queue.insert(pay(300, 1));

    assertThat(nextAfter(0)).isEqualTo(new NextBlock(false, nanos(300)));
    assertThat(nextAfter(299)).isEqualTo(new NextBlock(false, nanos(300)));
  }

  @Test
  void whatWasDueWhenTheLastBlockWasCutIsWorkThatIsLeft() {
    queue.insert(pay(300, 1));

    assertThat(nextAfter(300)).isEqualTo(new NextBlock(true, NEVER));
  }

  @Test
  void whatHasRunLeavesTheQueueByTheNextBlock() {
    queue.insert(pay(300, 1));
    queue.insert(pay(700, 1));
    queue.blockAt(START_MS + 300);
    assertThat(nextAfter(300)).isEqualTo(new NextBlock(true, nanos(700)));

    queue.block();

    assertThat(nextAfter(300)).isEqualTo(new NextBlock(false, nanos(700)));
  }

  @Test
  void ofAFamilyThatIsPausedNothingIsAwaited() {
    queue.insert(pay(300, 1));
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));

    assertThat(nextAfter(0)).isEqualTo(new NextBlock(false, NEVER));
    assertThat(nextAfter(300)).isEqualTo(new NextBlock(false, NEVER));
  }

  @Test
  void aShutdownIsWorkUntilItAwaitsNothingButWhatIsOut() {
    queue.insert(call(200));
    queue.blockAt(START_MS + 200);
    var out = queue.handedOver().get(0).key();
    queue.insert(pay(700, 1));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    assertThat(nextAfter(200)).isEqualTo(new NextBlock(true, NEVER));

    queue.block();
    assertThat(nextAfter(200)).isEqualTo(new NextBlock(false, NEVER));

    queue.tell(new Answered(out, new Conclusion.Succeeded(5)));
    assertThat(nextAfter(200)).isEqualTo(new NextBlock(true, NEVER));
    queue.block();
    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
    assertThat(nextAfter(200)).isEqualTo(new NextBlock(false, NEVER));
  }

  @Test
  void anotherAttemptIsAwaitedAtItsTimeButNotInAPause() {
    failOnce();
    queue.insert(pay(60_000, 1));
    long again = queue.state.entries().executions().values().iterator().next().startAt().nanos();
    assertThat(again).isBetween(nanos(200) + 1, nanos(60_000));

    assertThat(nextAfter(200)).isEqualTo(new NextBlock(false, again));
    assertThat(NextBlock.of(queue.queue.setup(), queue.state, new ConsensusTime(again)))
        .isEqualTo(new NextBlock(true, nanos(60_000)));
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));
    assertThat(nextAfter(200)).isEqualTo(new NextBlock(false, NEVER));
  }

  private void failOnce() {
    var plain = call(200);
    var twice = new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    queue.insert(new Proposal(plain.owner(), plain.terms(), plain.target(), plain.late(), twice));
    queue.blockAt(START_MS + 200);
    var out = queue.handedOver().get(0).key();
    queue.tell(new Answered(out, new Conclusion.Failed(5, "no", true)));
  }

  private NextBlock nextAfter(long ms) {
    return queue.queue.nextBlock(queue.state, ConsensusTime.ofMillis(START_MS + ms));
  }

  private static long nanos(long ms) {
    return ConsensusTime.ofMillis(START_MS + ms).nanos();
  }
}

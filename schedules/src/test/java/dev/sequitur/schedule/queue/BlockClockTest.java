package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the next block is to be cut. Two run in a block, and the queue has cut its first. */
class BlockClockTest {
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final QueueUnderTest queue = AlicesProposals.newQueue();
  private final BlockClock blocks =
      new BlockClock(queue.queue, INTERVAL, this::wall, time -> wake = Optional.of(time));
  private Optional<Duration> wake = Optional.empty();
  private long nanos;

  @BeforeEach
  void cutTheFirst() {
    assertThat(blocks.take()).isTrue();
  }

  private ConsensusTime wall() {
    return new ConsensusTime(ConsensusTime.ofMillis(queue.nowMs).nanos() + nanos);
  }

  private void at(long inMs) {
    queue.nowMs = START_MS + inMs;
  }

  private void plan() {
    wake = Optional.empty();
    blocks.plan(queue.state);
  }

  /** The time that was asked for. */
  private void due() {
    wake = Optional.empty();
    blocks.due();
  }

  private void cut() {
    assertThat(blocks.take()).isTrue();
    queue.block();
    plan();
  }

  @Test
  void whoeverTakesABlockHasTakenIt() {
    var other = new BlockClock(queue.queue, INTERVAL, this::wall, time -> {});
    other.due();
    assertThat(other.isDue()).isTrue();

    assertThat(other.take()).isTrue();

    assertThat(other.isDue()).isFalse();
    assertThat(other.take()).isFalse();
  }

  @Test
  void aQueueInWhichNothingWaitsAsksForNoTime() {
    plan();

    assertThat(wake).isEmpty();
    assertThat(blocks.isDue()).isFalse();
    assertThat(blocks.workLeft()).isFalse();
  }

  @Test
  void aBlockIsDueJustWhenSomethingBecomesSo() {
    queue.insert(pay(500, 5));
    plan();
    assertThat(wake).contains(Duration.ofMillis(500));
    nanos = 1;
    plan();
    assertThat(wake).as("not before it").contains(Duration.ofMillis(500));

    nanos = 0;
    at(499);
    due();
    assertThat(wake).contains(Duration.ofMillis(1));
    assertThat(blocks.isDue()).isFalse();
    at(500);
    due();

    assertThat(wake).isEmpty();
    assertThat(blocks.isDue()).isTrue();
  }

  @Test
  void aSecondIsTheLongestWaitSinceClocksMayBeSet() {
    queue.insert(pay(5_000, 5));
    plan();
    assertThat(wake).contains(Duration.ofSeconds(1));

    at(1_000);
    due();

    assertThat(wake).contains(Duration.ofSeconds(1));
    assertThat(blocks.isDue()).isFalse();
  }

  @Test
  void whatABlockLeavesIsForTheNextAtThePaceOfTheQueue() {
    for (int price = 3; price > 0; price--) {
      queue.insert(pay(100, price));
    }
    plan();
    at(100);
    due();
    cut();
    assertThat(blocks.workLeft()).isTrue();
    assertThat(blocks.isDue()).isFalse();
    assertThat(wake).contains(INTERVAL);

    at(250);
    due();
    assertThat(wake).contains(Duration.ofMillis(50));
    assertThat(blocks.isDue()).isFalse();
    at(300);
    due();
    cut();

    assertThat(queue.startedInLastBlock()).hasSize(1);
  }

  /** What it has found is stored a moment later: until then nothing new has become due. */
  @Test
  void aBlockThatWasTakenIsNotDueOnceMore() {
    queue.insert(pay(500, 5));
    plan();
    at(500);
    due();
    assertThat(blocks.take()).isTrue();

    plan();

    assertThat(blocks.isDue()).isFalse();
    assertThat(blocks.workLeft()).isTrue();
    assertThat(wake).contains(INTERVAL);
  }

  @Test
  void whatIsDueByTheQueuesOwnTimeIsSoThoughTheClockWasSetBack() {
    queue.insert(pay(500, 5));
    plan();
    at(500);
    queue.fund(ALICE, 1);
    at(0);

    plan();

    assertThat(blocks.isDue()).isTrue();
  }

  @Test
  void noBlockCountsAsCutAtATimeThatIsYetToCome() {
    queue.nowMs = START_MS + HOUR;
    plan();
    due();
    var ahead = new BlockClock(queue.queue, INTERVAL, this::wall, time -> wake = Optional.of(time));
    assertThat(ahead.take()).isTrue();
    at(0);
    queue.insert(pay(500, 5));

    ahead.plan(queue.state);

    assertThat(ahead.workLeft()).isFalse();
    assertThat(wake).contains(Duration.ofMillis(500));
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery.WhyUnreached;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What will expire, since blocks do not come to it in time, is said before. */
class UnreachedTest {
  private static final int PER_TICK = 3;
  private static final int EXPIRY_TICKS = 4;
  private static final long TICK = 100;

  private final QueueUnderTest queue =
      new QueueUnderTest(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(new GasPrioritySettings(100, PER_TICK, EXPIRY_TICKS, 100, 1, 64))));

  private int line;

  private ScheduleId insert(long tick, long price) {
    return insert(tick, price, LatePolicy.AS_SPECIFIED);
  }

  private ScheduleId insert(long tick, long price, LatePolicy late) {
    var say = new Target.Notify(Bytes.utf8("line " + line++));
    var terms = new GasPriorityTerms(START_MS + tick * TICK, 10, price);
    return queue.insert(new Proposal(ALICE, terms, say, late, RetryPolicy.NEVER));
  }

  private boolean isUnreached(ScheduleId id) {
    return queue.queue.ask(queue.state, new WhyUnreached(id), queue.wall()).why().isPresent();
  }

  private int foretold(long tick) {
    var at = ConsensusTime.ofMillis(START_MS + tick * TICK);
    return queue
        .queue
        .forecast(queue.state, FamilyKind.GAS_PRIORITY, at, queue.wall())
        .orElseThrow()
        .unreached();
  }

  private String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  @Test
  void whatStandsBehindMoreThanItsTicksRunIsNotReached() {
    queue.fund(ALICE, 1_000_000);
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < PER_TICK * (EXPIRY_TICKS + 1); i++) {
      ids.add(insert(10, 5));
    }
    assertThat(ids).noneMatch(this::isUnreached);
    assertThat(foretold(10)).isZero();

    var outbid = insert(10, 4);

    assertThat(isUnreached(outbid)).isTrue();
    assertThat(foretold(10)).isOne();
    assertThat(why(outbid))
        .contains("As things stand it will not be run: 3 run in a tick of 100 ms")
        .contains("it is given up at " + ConsensusTime.ofMillis(START_MS + 15 * TICK).toInstant());
    assertThat(foretold(16)).isZero();
    assertThat(isUnreached(insert(10, 6))).isFalse();
    assertThat(isUnreached(insert(10, 3, new LatePolicy.RunOnce()))).isFalse();
    assertThat(isUnreached(insert(10, 3, new LatePolicy.Skip()))).isTrue();
  }

  /** What was foretold of each comes true, if nobody comes or goes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatWasForetoldComesTrue(long seed) {
    queue.fund(ALICE, 10_000_000);
    var random = new Random(seed);
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 80; i++) {
      ids.add(insert(5 + random.nextInt(8), 1 + random.nextInt(9)));
    }
    var foretold = ids.stream().filter(this::isUnreached).toList();
    int inAll = 0;
    for (long tick = 1; tick < 20; tick++) {
      inAll += foretold(tick);
    }
    for (long tick = 1; tick <= 30; tick++) {
      queue.blockAt(START_MS + tick * TICK);
    }

    assertThat(expired(ids)).containsExactlyInAnyOrderElementsOf(foretold).hasSize(inAll);
  }

  private List<ScheduleId> expired(List<ScheduleId> ids) {
    return ids.stream()
        .filter(id -> queue.outcome(id).orElseThrow().outcome() == Outcome.EXPIRED)
        .toList();
  }
}

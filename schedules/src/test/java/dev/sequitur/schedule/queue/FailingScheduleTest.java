package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schedule over which the rules fail, as one does whose money is not where it has to be. */
class FailingScheduleTest {
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  private final List<ScheduleId> failed = new ArrayList<>();
  private final QueueSetup setup = QueueSetup.of(OPERATOR, new GasPriority(SETTINGS));
  private final ScheduleQueue rules = new ScheduleQueue(setup, (id, failure) -> failed.add(id));
  private final QueueUnderTest queue = new QueueUnderTest(setup);

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  /** No schedule stops the others (SCH-8). */
  @Test
  void itDoesNothingAndIsCalledOffWhileTheOthersRun() {
    var broken = queue.insert(pay(200, 9));
    var other = queue.insert(pay(200, 8));
    loseHold(broken);

    var decision = blockAt(START_MS + 300);

    assertThat(outcome(other)).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(outcome(broken)).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.outcome(broken).orElseThrow().note()).contains("log");
    assertThat(ended(decision)).containsExactly(broken, other);
    assertThat(failed).containsExactly(broken);
    assertThat(queue.state.entries().due().waiting(GAS_PRIORITY)).isZero();
  }

  @Test
  void whatIsDecidedIsTheSameEachTimeAndAReplayNeedsNoDecision() {
    var broken = queue.insert(pay(200, 8));
    queue.insert(pay(200, 7));
    loseHold(broken);
    var before = queue.state;

    var first = blockAt(START_MS + 300);
    var again = rules.decide(before, new QueueInput.CutBlock(), wall(START_MS + 300));

    assertThat(again).isEqualTo(first);
    var replayed = before;
    for (var event : first.events()) {
      replayed = rules.evolve(replayed, event);
    }
    assertThat(CanonicalState.digest(replayed)).isEqualTo(CanonicalState.digest(first.state()));
  }

  @Test
  void ifItCannotEvenBeCalledOffItIsParkedAndNoBlockLooksAtItAgain() {
    var broken = queue.insert(pay(200, 8));
    loseAllThatIsHeld();

    var decision = blockAt(START_MS + 300);

    assertThat(queue.state.entries().schedules().get(broken).due().isParked()).isTrue();
    assertThat(queue.outcome(broken)).isEmpty();
    assertThat(failed).containsOnly(broken);
    assertThat(notices(decision))
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Parked.class, parked -> assertThat(parked.why()).contains("log"));
    failed.clear();
    assertThat(blockAt(START_MS + 400).events()).isEmpty();
    assertThat(failed).isEmpty();
    assertThat(rules.explain(queue.state, broken, wall(START_MS + 400)).sentence())
        .contains("failed over it", "log");
    var last = ConsensusTime.ofMillis(START_MS + 400);
    assertThat(rules.nextBlock(queue.state, last).workLeft()).isFalse();
  }

  /** Otherwise each block would come to it again, and fail. */
  @Test
  void oneWhoseEndFailsWhenItsTimeHasPassedIsParkedToo() {
    var broken = queue.insert(pay(200, 8));
    loseAllThatIsHeld();

    blockAt(START_MS + 10_000);

    assertThat(queue.state.entries().schedules().get(broken).due().isParked()).isTrue();
    assertThat(failed).containsOnly(broken);
    failed.clear();
    assertThat(blockAt(START_MS + 11_000).events()).isEmpty();
    assertThat(failed).isEmpty();
  }

  @Test
  void anAttemptOverWhichTheyFailIsTheLastOneAndCostsNothing() {
    var tooMuch = new Target.Transfer(BOB, new Amount(MONEY));
    var plain = proposal(200, GAS, 7, tooMuch);
    var broken =
        queue.insert(new Proposal(ALICE, plain.terms(), tooMuch, LatePolicy.AS_SPECIFIED, TWICE));
    queue.blockAt(START_MS + 200);
    var other = queue.insert(pay(2_000, 7));
    loseHold(broken);

    blockAt(START_MS + 2_000);

    assertThat(outcome(other)).isEqualTo(Outcome.RUN);
    assertThat(outcome(broken)).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(broken).orElseThrow().note()).contains("log");
    assertThat(queue.outcome(broken).orElseThrow().cost().charged()).isEqualTo(Amount.ZERO);
    assertThat(queue.state.entries().executing()).isZero();
  }

  @Test
  void aShutdownGoesOnWithTheOthers() {
    var broken = queue.insert(pay(200, 8));
    queue.insert(pay(300, 8));
    queue.accepted(OPERATOR, new Operation.Shutdown(GAS_PRIORITY));
    loseHold(broken);

    blockAt(START_MS + 100);

    assertThat(queue.state.service(GAS_PRIORITY)).isEqualTo(Service.SHUT_DOWN);
  }

  /** No audit: the money is wrong on purpose. */
  private Decision<QueueState, QueueEvent, QueueEffect> blockAt(long ms) {
    var decision = rules.decide(queue.state, new QueueInput.CutBlock(), wall(ms));
    queue.state = decision.state();
    return decision;
  }

  private static WallTime wall(long ms) {
    return WallTime.of(Instant.ofEpochMilli(ms));
  }

  private void loseHold(ScheduleId id) {
    var book = queue.state.book();
    var hold = queue.state.entries().schedules().get(id).hold();
    queue.state = queue.state.withBook(new Book(book.balances(), book.holds().minus(hold)));
  }

  private void loseAllThatIsHeld() {
    var book = queue.state.book();
    queue.state =
        queue.state.withBook(new Book(book.balances().plus(AccountId.HELD, 0L), book.holds()));
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }

  private static List<Notice> notices(Decision<QueueState, QueueEvent, QueueEffect> decision) {
    return decision.effects().stream()
        .filter(QueueEffect.Publish.class::isInstance)
        .map(effect -> ((QueueEffect.Publish) effect).notice())
        .toList();
  }

  private static List<ScheduleId> ended(Decision<QueueState, QueueEvent, QueueEffect> decision) {
    return notices(decision).stream()
        .filter(Notice.Ended.class::isInstance)
        .map(notice -> ((Notice.Ended) notice).recorded().key().schedule())
        .toList();
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.book.Hold;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A series over which the rules fail, and the fee that it has set aside for its next time. */
class FailingSeriesTest {
  private static final long FEE = 3;
  private static final long MONEY = 1_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final RecurringSettings SETTINGS =
      new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 2, 2, FEE, 64, false);

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(SETTINGS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, MONEY);
  }

  @Test
  void oneThatIsParkedKeepsItsFeeForTheTimeAtWhichItsOwnerResumesIt() {
    var id = parkedByFailure();

    queue.accepted(ALICE, new Operation.Perform(new ResumeSeries(id)));

    assertThat(held(id)).isEqualTo(FEE);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - FEE);
    queue.blockAt(2 * HOUR);
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(FEE);
  }

  @Test
  void itsFeeGoesBackIfItIsCancelledInstead() {
    var id = parkedByFailure();

    queue.accepted(ALICE, new Operation.Cancel(id));

    assertThat(queue.balance(ALICE)).isEqualTo(MONEY);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  /** It was tried, and failed: what a time costs does not depend on its gas. */
  @Test
  void anAttemptThatIsGivenUpPaysTheFeeOfItsTimeAsAnyThatFailed() {
    var id =
        queue.insert(series(new Target.Transfer(BOB, new Amount(2 * MONEY)), Optional.empty()));
    queue.blockAt(HOUR);
    var now = queue.state.clock().next(queue.wall(), queue.queue.setup().maxAhead());
    var step = new QueueStep(queue.queue, queue.state, now);

    new OneByOne(step)
        .each(
            id,
            () -> {
              throw new IllegalStateException("a fault");
            });

    queue.state = step.finish().state();
    assertThat(outcome(id)).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(id).orElseThrow().cost().charged()).isEqualTo(new Amount(FEE));
    assertThat(held(id)).as("for the next time").isEqualTo(FEE);
    assertThat(queue.queue.audit(queue.state).isConserved()).isTrue();
  }

  /** The money that is held is lost when its last time comes, and found again afterwards. */
  private ScheduleId parkedByFailure() {
    var id = queue.insert(series(new Target.Transfer(BOB, new Amount(1)), Optional.of(1L)));
    holdsInAll(0);
    queue.nowMs = HOUR;
    queue.state = queue.queue.decide(queue.state, new QueueInput.CutBlock(), queue.wall()).state();
    assertThat(queue.state.entries().schedules().get(id).due().parkedFor())
        .contains(ParkedFor.FAILED);
    holdsInAll(FEE);
    var audit = queue.queue.audit(queue.state);
    assertThat(audit.isConserved()).as("%s", audit).isTrue();
    return id;
  }

  private void holdsInAll(long units) {
    var book = queue.state.book();
    var balances = book.balances().plus(AccountId.HELD, units);
    queue.state = queue.state.withBook(new Book(balances, book.holds()));
  }

  private long held(ScheduleId id) {
    var hold = queue.state.entries().schedules().get(id).hold();
    return queue.state.book().hold(hold).map(Hold::units).orElse(0L);
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }

  private static Proposal series(Target target, Optional<Long> runs) {
    var terms = new SeriesTerms(Bytes.utf8("rent"), new Cadence.Every(HOUR, HOUR), runs);
    var retry = new RetryPolicy(2, new Backoff(Duration.ofSeconds(9), Duration.ofSeconds(9)));
    return new Proposal(ALICE, terms, target, LatePolicy.AS_SPECIFIED, retry);
  }
}

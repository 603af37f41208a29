package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.book.Hold;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.gaspriority.GasPriority;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a family may have the queue do, whichever family it is. */
class ActingTest {
  private static final HoldId.Named PURSE =
      new HoldId.Named(FamilyKind.GAS_PRIORITY, "alice's purse");

  private final Family family = new GasPriority(SETTINGS);
  private final QueueUnderTest queue = new QueueUnderTest(QueueSetup.of(OPERATOR, family));
  private QueueStep step;

  @BeforeEach
  void fund() {
    queue.fund(ALICE, 1_000_000);
    step = nextStep();
  }

  @Test
  void moneyIsSetAsidePaidToAnybodyAndGivenBack() {
    act(
        new Act.SetAside(PURSE, ALICE, new Amount(300)),
        new Act.SetAside(PURSE, ALICE, new Amount(200)),
        new Act.Capture(PURSE, BOB, new Amount(120)),
        new Act.Pay(ALICE, AccountId.FEES, new Amount(10)),
        new Act.Release(PURSE));

    var book = step.state().book();
    assertThat(book.available(ALICE)).isEqualTo(new Amount(1_000_000 - 120 - 10));
    assertThat(book.available(BOB)).isEqualTo(new Amount(120));
    assertThat(book.holds()).isEmpty();
    assertThat(book.audit().isConserved()).isTrue();
  }

  @Test
  void moneyIsMovedFromOneHoldOfAnOwnerToAnother() {
    var other = new HoldId.Named(FamilyKind.GAS_PRIORITY, "alice's other purse");

    act(
        new Act.SetAside(PURSE, ALICE, new Amount(300)),
        new Act.Shift(PURSE, other, new Amount(120)));

    assertThat(step.state().book().hold(PURSE)).contains(new Hold(ALICE, 180));
    assertThat(step.state().book().hold(other)).contains(new Hold(ALICE, 120));
  }

  @Test
  void theAuditNoticesANamedHoldThatNobodyOwes() {
    act(new Act.SetAside(PURSE, ALICE, new Amount(300)));

    assertThat(queue.queue.audit(step.state()).isConserved()).isFalse();
  }

  @Test
  void aScheduleIsRunAtOnceANanosecondLater() {
    var id = queue.insert(pay(200, 7));
    step = nextStep();
    var operation = step.now();

    act(new Act.Pay(ALICE, AccountId.FEES, new Amount(10)), new Act.Fire(id, 1));

    assertThat(step.state().history().of(id))
        .singleElement()
        .satisfies(
            recorded -> {
              assertThat(recorded.outcome()).isEqualTo(Outcome.RUN);
              assertThat(recorded.at().nanos()).isEqualTo(operation.nanos() + 1);
            });
    assertThatThrownBy(() -> act(new Act.Fire(id, 1))).hasMessageContaining("Started before");
  }

  @Test
  void aScheduleIsEndedWithItsMoneyBack() {
    var id = queue.insert(pay(200, 7));
    step = nextStep();

    act(new Act.End(id, new OccurrenceEnding.NotRun(Outcome.REFUNDED), "asked for"));

    assertThat(step.state().book().available(ALICE)).isEqualTo(new Amount(1_000_000));
    assertThatThrownBy(() -> act(new Act.Fire(id, 1))).hasMessageContaining("No such schedule");
  }

  @Test
  void aFamilyCanStopItself() {
    act(new Act.Serve(Service.PAUSED));

    assertThat(step.state().service(FamilyKind.GAS_PRIORITY)).isEqualTo(Service.PAUSED);
  }

  @Test
  void anAttemptThatIsNotKeptHasNotHappened() {
    var before = CanonicalState.digest(step.state());
    var time = step.now();

    boolean kept =
        step.attempt(
            () -> {
              act(new Act.Pay(ALICE, BOB, new Amount(10)));
              step.tick();
              return false;
            });

    assertThat(kept).isFalse();
    assertThat(step.now()).isEqualTo(time);
    assertThat(CanonicalState.digest(step.state())).isEqualTo(before);
    assertThat(step.finish().events()).isEmpty();
  }

  @Test
  void anAttemptThatIsKeptReplaysByteForByte() {
    act(new Act.Pay(ALICE, BOB, new Amount(1)));
    step.attempt(
        () -> {
          act(new Act.SetAside(PURSE, ALICE, new Amount(5)));
          step.tick();
          return true;
        });
    act(new Act.Pay(ALICE, BOB, new Amount(2)));

    var done = step.finish();
    var replayed = queue.state;
    for (var event : done.events()) {
      replayed = queue.queue.evolve(replayed, event);
    }
    assertThat(CanonicalState.digest(replayed)).isEqualTo(CanonicalState.digest(done.state()));
    assertThat(done.state().book().available(BOB)).isEqualTo(new Amount(3));
  }

  private void act(Act... acts) {
    new Acting(step, family).carryOut(List.of(acts));
  }

  private QueueStep nextStep() {
    var setup = queue.queue.setup();
    var now = queue.state.clock().next(queue.wall(), setup.maxAhead());
    return new QueueStep(queue.queue, queue.state, now);
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.RecurringRefusalTest.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The fee of a time is the one at which it was booked, whatever the operator sets afterwards; the
 * audit after each input holds on both sides of the change.
 */
class ChangedFeeTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long MONEY = 1_000;
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private static QueueSetup setup(long fee) {
    var settings =
        new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 9, 9, fee, 64, false);
    return QueueSetup.of(OPERATOR, new Recurring(settings));
  }

  private static QueueUnderTest queue(long fee) {
    var queue = new QueueUnderTest(setup(fee));
    queue.fund(ALICE, MONEY);
    return queue;
  }

  /** A fee for each time (REC-8). */
  @ParameterizedTest
  @CsvSource({"1, 2", "0, 1", "3, 1", "3, 0"})
  void aTaskPaysForEachTimeWhatWasHeldForIt(long before, long after) {
    var first = queue(before);
    var id = first.insert(task("rent", PAY, 1, 2, 3));

    var queue = first.restartedWith(setup(after));
    for (int slot = 1; slot <= 3; slot++) {
      queue.blockAt(slot * HOUR);
    }

    assertThat(outcomes(queue, id)).containsExactly(Outcome.RUN, Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(3 * before);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 3 * before - 3);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "0, 1", "3, 1", "3, 0"})
  void aSeriesPaysTheNewFeeFromTheNextTimeThatItBooks(long before, long after) {
    var first = queue(before);
    var id = first.insert(series());

    var queue = first.restartedWith(setup(after));
    queue.blockAt(HOUR);
    queue.blockAt(2 * HOUR);

    assertThat(outcomes(queue, id)).containsExactly(Outcome.RUN, Outcome.RUN);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(before + after);
    queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(before + 2 * after);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  /** The fees of times that never come (REC-8). */
  @ParameterizedTest
  @CsvSource({"1, 2", "0, 1", "3, 1", "3, 0"})
  void aCancelTakesAndAShutdownGivesBackWhatWasHeld(long before, long after) {
    var first = queue(before);
    var cancelled = first.insert(task("cancelled", PAY, 1, 2));
    var stopped = first.insert(series());
    var left = first.insert(task("left", PAY, 1, 2));

    var queue = first.restartedWith(setup(after));
    queue.accepted(ALICE, new Operation.Cancel(cancelled));
    queue.accepted(ALICE, new Operation.Cancel(stopped));
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(3 * before);
    queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.RECURRING));
    queue.block();

    assertThat(outcomes(queue, left)).containsExactly(Outcome.CANCELLED, Outcome.CANCELLED);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 3 * before);
    assertThat(queue.state.book().holds()).isEmpty();
  }

  private static Proposal series() {
    var terms =
        new SeriesTerms(Bytes.utf8("series"), new Cadence.Every(HOUR, HOUR), Optional.empty());
    return Proposal.of(ALICE, terms, PAY);
  }

  private static List<Outcome> outcomes(QueueUnderTest queue, ScheduleId id) {
    return queue.state.history().of(id).stream().map(History.Recorded::outcome).toList();
  }
}

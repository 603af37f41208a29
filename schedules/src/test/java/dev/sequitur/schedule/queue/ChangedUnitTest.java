package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Due keys count in slots and ticks. Counted in others, each is a time decades away: a queue that
 * holds some does not go on until its operator has set the slot or the tick back.
 */
class ChangedUnitTest {
  private static final long NOW = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final Target PAY = new Target.Transfer(BOB, new Amount(1));

  private static QueueSetup setup(Duration slot, int tickMillis) {
    var recurring = new RecurringSettings(slot, Duration.ofDays(180), 24, 9, 9, 1, 64, false);
    return QueueSetup.of(
        OPERATOR,
        new Recurring(recurring),
        new GasPriority(new GasPrioritySettings(tickMillis, 2, 3, 100, 1, 64)));
  }

  private static QueueUnderTest queue() {
    var queue = new QueueUnderTest(setup(Duration.ofHours(1), 100));
    queue.nowMs = NOW;
    queue.fund(ALICE, 1_000_000);
    return queue;
  }

  static Stream<Terms> recurring() {
    var id = Bytes.utf8("rent");
    return Stream.of(
        new RecurringTerms(id, List.of(NOW + HOUR, NOW + 5 * HOUR)),
        new SeriesTerms(id, new Cadence.Every(NOW + HOUR, HOUR), Optional.empty()),
        new SeriesTerms(id, new CronCadence("0 * * * *", "UTC"), Optional.empty()),
        new SeriesTerms(id, new CronCadence("30 8 * * 1", "Asia/Kolkata"), Optional.empty()));
  }

  /** Settings that give keys their meaning (SCH-20). */
  @ParameterizedTest
  @MethodSource("recurring")
  void aRecurringScheduleRefusesASlotOfAnotherLength(Terms terms) {
    var queue = queue();
    queue.insert(Proposal.of(ALICE, terms, PAY));

    for (var slot : List.of(Duration.ofMinutes(30), Duration.ofMinutes(5), Duration.ofHours(2))) {
      assertThat(new ScheduleQueue(setup(slot, 100)).refusesSettings(queue.state))
          .get()
          .asString()
          .contains("scheduler.recurring.slot", slot.toString());
    }
    var other = new ScheduleQueue(setup(Duration.ofHours(1), 1_000));
    assertThat(other.refusesSettings(queue.state)).isEmpty();
  }

  /** Settings that give keys their meaning (SCH-20). */
  @ParameterizedTest
  @ValueSource(ints = {1, 50, 1_000})
  void aGasPriorityTransactionRefusesATickOfAnotherLength(int tickMillis) {
    var queue = queue();
    queue.insert(Proposal.of(ALICE, new GasPriorityTerms(NOW + 60_000, 100, 1), PAY));

    assertThat(
            new ScheduleQueue(setup(Duration.ofHours(1), tickMillis)).refusesSettings(queue.state))
        .get()
        .asString()
        .contains("scheduler.gas-priority.tick-millis");
  }

  /** It stays until the next block, and its key is of no use any more. */
  @Test
  void whatHasRunRefusesNothing() {
    var queue = queue();
    queue.insert(Proposal.of(ALICE, new GasPriorityTerms(NOW + 60_000, 100, 1), PAY));
    queue.blockAt(NOW + 60_000);
    assertThat(queue.state.entries().schedules()).isNotEmpty();

    assertThat(new ScheduleQueue(setup(Duration.ofHours(1), 50)).refusesSettings(queue.state))
        .isEmpty();
  }

  /**
   * Also though the ticks that were cut before are numbers of the years to come, or of long ago.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void withNothingThatWaitsBothMayBeChanged(int tickMillis) {
    var first = queue();
    for (int price = 1; price <= 12; price++) {
      first.insert(Proposal.of(ALICE, new GasPriorityTerms(NOW + 100, 100, price), PAY));
    }
    first.insert(Proposal.of(ALICE, recurring().findFirst().orElseThrow(), PAY));
    for (int tick = 1; tick <= 6; tick++) {
      first.blockAt(NOW + 100L * tick);
    }
    for (var family : List.of(FamilyKind.GAS_PRIORITY, FamilyKind.RECURRING)) {
      first.accepted(OPERATOR, new Operation.Shutdown(family));
      first.block();
      first.accepted(OPERATOR, new Operation.Resume(family));
    }

    var queue = first.restartedWith(setup(Duration.ofMinutes(30), tickMillis));
    var ids =
        Stream.of(1, 2, 3, 4, 5)
            .map(price -> new GasPriorityTerms(NOW + 5_000, 100, price))
            .map(terms -> queue.insert(Proposal.of(ALICE, terms, PAY)))
            .toList();
    for (int tick = 0; tick < 3; tick++) {
      queue.blockAt(NOW + 5_000 + (long) tick * tickMillis);
    }

    assertThat(ids)
        .extracting(id -> queue.outcome(id).orElseThrow().outcome())
        .containsOnly(Outcome.RUN);
  }
}

package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A journal that says what cannot be is not followed: nothing is done twice, or out of turn. */
class EntriesTest {
  private static final ConsensusTime NOW = ConsensusTime.ofSeconds(1_000);
  private static final DueKey DUE = DueKey.of(10, 1);
  private static final DueKey LATER = DueKey.of(20, 1);

  private final Schedule waiting = new Schedule(id(1), 1, pay(200, 7), 0, DUE);
  private final Schedule out = new Schedule(id(2), 2, call(200), 0, DueKey.of(10, 2));
  private final Entries entries =
      Entries.EMPTY
          .admit(waiting)
          .admit(out)
          .start(new QueueEvent.Started(out.firstAttempt(), out.proposal().target(), 7), NOW);

  @Test
  void nothingIsTakenInTwiceNorTwoAtOnePlace() {
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.admit(waiting))
        .withMessageContaining("Admitted twice");
    var other = new Schedule(id(3), 3, pay(200, 7), 0, DUE);
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.admit(other))
        .withMessageContaining("Two schedules");
  }

  @Test
  void onlyWhatRunsIsTakenOverConcludedAndTriedAgain() {
    var key = waiting.firstAttempt();
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.submit(new QueueEvent.Submitted(key, QueueUnderTest.OUTSIDE)))
        .withMessageContaining("Not executing");
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.conclude(key, new Conclusion.Succeeded(1)))
        .withMessageContaining("Not executing");
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.retry(key, NOW))
        .withMessageContaining("Not executing");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> entries.conclude(out.firstAttempt().nextAttempt(), new Conclusion.Succeeded(1)))
        .withMessageContaining("Not executing");
  }

  @Test
  void onlyWhatWaitsStandsElsewhereFromNowOn() {
    assertThat(entries.defer(waiting.id(), LATER).due().firstKey(FamilyKind.GAS_PRIORITY))
        .contains(LATER);
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.defer(out.id(), LATER))
        .withMessageContaining("does not wait");
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.defer(id(3), LATER))
        .withMessageContaining("does not wait");
  }

  @Test
  void anOccurrenceIsSettledOnceAndOnlyTheOneThatIsThere() {
    var settled =
        new QueueEvent.Settled(
            waiting.firstAttempt(),
            Outcome.CANCELLED,
            Amount.ZERO,
            AccountId.FEES,
            Optional.empty(),
            "",
            1);
    var key = waiting.firstAttempt();

    assertThat(entries.require(key)).isEqualTo(waiting);
    refuses(entries.settle(waiting, settled, false), waiting);
    refuses(entries.settle(waiting, settled, true), waiting);
    refuses(entries, new Schedule(id(1), 2, pay(200, 7), 0, DUE));
    refuses(entries, new Schedule(id(1), 1, pay(200, 7), 1, DUE));
    refuses(entries, new Schedule(id(3), 1, pay(200, 7), 0, DUE));
  }

  @Test
  void whatRunsIsSettledOnceItsOutcomeIsKnown() {
    var settled =
        new QueueEvent.Settled(
            out.firstAttempt(), Outcome.RUN, Amount.ZERO, AccountId.FEES, Optional.empty(), "", 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> entries.settle(out, settled, true))
        .withMessageContaining("the outcome is not known");
    var ended =
        entries
            .conclude(out.firstAttempt(), new Conclusion.Succeeded(1))
            .settle(out, settled, true);
    assertThat(ended.executions()).isEmpty();
    assertThat(ended.removals()).containsExactly(out.id());
  }

  /** Whichever order their ids have. */
  @Test
  void whatIsIndexedAnewStandsInTheOrderInWhichItIsDue() {
    var first = new Schedule(id(9), 3, pay(100, 7), 0, DueKey.of(5, 3));
    var known = entries.admit(first);

    assertThat(known.reindexed()).isEqualTo(known);
    assertThat(known.reindexed().due().first(FamilyKind.GAS_PRIORITY)).contains(first.id());
    assertThat(known.reindexed().due().range(FamilyKind.GAS_PRIORITY, DueKey.from(0), LATER, 9))
        .containsExactly(first.id(), waiting.id());
  }

  @Test
  void whatIsToBeTriedAgainIsIndexedAnewByItsTime() {
    var failed = entries.conclude(out.firstAttempt(), new Conclusion.Failed(1, "no", true));
    var planned = failed.retry(out.firstAttempt(), NOW);

    assertThat(planned.retries().first(out.family())).contains(out.id());
    assertThat(planned.reindexed()).isEqualTo(planned);
    assertThat(failed.reindexed()).as("its conclusion is not weighed yet").isEqualTo(failed);
    assertThat(planned.nothingWaits(out.family())).isFalse();
  }

  /** Those of several families are tried in the order of their times, so many of them together. */
  @Test
  void theEarliestOfSeveralFamiliesComeFirst() {
    var other = new ScheduleId(FamilyKind.RECURRING, Hash.sha256(new byte[] {7}));
    var both =
        DueIndex.EMPTY
            .plus(waiting.id(), DueKey.of(10, 1))
            .plus(other, DueKey.of(11, 2))
            .plus(out.id(), DueKey.of(12, 3));
    var all = List.of(FamilyKind.RECURRING, FamilyKind.GAS_PRIORITY);

    assertThat(both.earliest(all, DueKey.from(12), 9)).containsExactly(waiting.id(), other);
    assertThat(both.earliest(all, DueKey.from(99), 2)).containsExactly(waiting.id(), other);
    assertThat(both.earliest(List.of(FamilyKind.GAS_PRIORITY), DueKey.from(99), 9))
        .containsExactly(waiting.id(), out.id());
  }

  private static void refuses(Entries entries, Schedule schedule) {
    assertThatIllegalStateException()
        .isThrownBy(() -> entries.require(schedule.firstAttempt()))
        .withMessageContaining("settled before");
  }

  private static ScheduleId id(long number) {
    return new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, number));
  }
}

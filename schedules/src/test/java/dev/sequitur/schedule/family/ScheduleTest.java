package dev.sequitur.schedule.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.HoldId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a schedule is from its proposal to its outcome. */
class ScheduleTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final ScheduleId ID =
      new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, 1));
  private static final Terms TERMS = () -> FamilyKind.GAS_PRIORITY;
  private static final Target TARGET = new Target.ByFamily();
  private static final Schedule SCHEDULE =
      new Schedule(ID, 3, Proposal.of(ALICE, TERMS, TARGET), 5, DueKey.of(1, 1));

  @Test
  void thePoliciesThatAlmostAllHaveAreOneObject() {
    var pause = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1));
    var proposal =
        new Proposal(ALICE, TERMS, TARGET, new LatePolicy.AsSpecified(), new RetryPolicy(1, pause));

    assertThat(proposal.late()).isSameAs(LatePolicy.AS_SPECIFIED);
    assertThat(proposal.retry()).isSameAs(RetryPolicy.NEVER);
    assertThat(proposal).isEqualTo(Proposal.of(ALICE, TERMS, TARGET));
  }

  @Test
  void whatAProposalAsksForElseStays() {
    var late = new LatePolicy.RunAll();
    var retry = new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    var proposal = new Proposal(ALICE, TERMS, TARGET, late, retry);

    assertThat(proposal.late()).isEqualTo(late);
    assertThat(proposal.retry()).isEqualTo(retry);
    Terms other = () -> FamilyKind.RECURRING;
    var changed = proposal.with(other, TARGET);
    assertThat(changed.terms()).isSameAs(other);
    assertThat(changed.with(TERMS, TARGET)).isEqualTo(proposal);
  }

  @Test
  void allOfAnOwnersShareItsAccountAndAKeyItsSchedulesId() {
    var same = new AccountId("alice");
    var shared = SCHEDULE.sharing(same);
    var due = DueKey.of(1, 1, new Hash(0, 0, 0, 1));

    assertThat(shared).isEqualTo(SCHEDULE);
    assertThat(shared.proposal().owner()).isSameAs(same);
    assertThat(SCHEDULE.deferred(due).due().id()).isSameAs(ID.value());
  }

  @Test
  void itsFamilyIsThatOfItsIdAndItsHoldAndAttemptsBearItsIncarnation() {
    assertThat(SCHEDULE.family()).isEqualTo(FamilyKind.GAS_PRIORITY);
    assertThat(SCHEDULE.firstAttempt()).isEqualTo(new OccurrenceKey(ID, 3, 5, 1));
    assertThat(SCHEDULE.hold()).isEqualTo(new HoldId.OfSchedule(ID, 3));
  }

  @Test
  void onlyItsPlaceChangesWhenItIsDeferredAndItsOccurrenceTooWhenSomeHaveEnded() {
    var later = DueKey.of(2, 1);

    assertThat(SCHEDULE.deferred(later).due()).isEqualTo(later);
    assertThat(SCHEDULE.deferred(later).deferred(SCHEDULE.due())).isEqualTo(SCHEDULE);
    assertThat(SCHEDULE.next(later, 4, Outcome.RUN).occurrence()).isEqualTo(9);
    assertThat(SCHEDULE.next(later, 4, Outcome.RUN).due()).isEqualTo(later);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> SCHEDULE.next(later, Long.MAX_VALUE, Outcome.RUN));
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void whatWasNotRunNeitherRanNorFailed(Outcome outcome) {
    if (outcome == Outcome.RUN || outcome == Outcome.FAILED) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OccurrenceEnding.NotRun(outcome))
          .withMessageContaining("" + outcome);
    } else {
      assertThat(new OccurrenceEnding.NotRun(outcome).outcome()).isEqualTo(outcome);
    }
  }

  @Test
  void whatRanEndsAsItsLastAttemptAndWhatIsCalledOffAsCancelled() {
    var failed = new Conclusion.Failed(1, "no", false);

    assertThat(new OccurrenceEnding.Ran(1, failed, Optional.empty()).outcome())
        .isEqualTo(Outcome.FAILED);
    assertThat(new OccurrenceEnding.Ran(1, new Conclusion.Succeeded(1), Optional.empty()).outcome())
        .isEqualTo(Outcome.RUN);
    assertThat(new OccurrenceEnding.CalledOff().outcome()).isEqualTo(Outcome.CANCELLED);
  }

  @Test
  void aSettlementThatSaysNoMorePaysForOneRunAndEndsTheSchedule() {
    assertThat(Settlement.last(new Amount(7)))
        .isEqualTo(
            new Settlement(
                new Amount(7), AccountId.FEES, List.of(), Optional.empty(), Optional.empty(), 1));
  }

  @Test
  void aRefusalSaysWhyAndNothingElse() {
    var refusal = new Refusal(Refusal.Code.BUSY, "Try again.");

    assertThat(Admission.refused(Refusal.Code.BUSY, "Try again."))
        .isEqualTo(new Admission.Refused(refusal));
    assertThat(Performance.refused(Refusal.Code.BUSY, "Try again."))
        .isEqualTo(new Performance.Refused(refusal, Optional.empty()));
  }
}

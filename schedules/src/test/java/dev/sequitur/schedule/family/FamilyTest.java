package dev.sequitur.schedule.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What holds of a family whose text says nothing of it. */
class FamilyTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId BOB = new AccountId("bob");
  private static final ScheduleId ID =
      new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, 1));
  private static final Schedule ALICES =
      new Schedule(
          ID,
          1,
          Proposal.of(ALICE, () -> FamilyKind.GAS_PRIORITY, new Target.ByFamily()),
          0,
          DueKey.of(1, 1));
  private static final FamilyState STATE = new FamilyState() {};

  /** Has these answers, by the method's name, and what interfaces say beside them. */
  private static <T> T answering(Class<T> kind, Map<String, Object> answers) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : answers.get(method.getName());
    return kind.cast(Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, handler));
  }

  private static final Family FAMILY = answering(Family.class, Map.of());

  private static QueueView view(Service service) {
    return answering(QueueView.class, Map.of("service", service, "last", new ConsensusTime(1_000)));
  }

  @Test
  void onlyWhoScheduledItCancelsIt() {
    var view = view(Service.ACTIVE);

    assertThat(FAMILY.refusesCancel(view, ALICES, ALICE)).isEmpty();
    assertThat(FAMILY.refusesCancel(view, ALICES, BOB))
        .get()
        .satisfies(
            refusal -> {
              assertThat(refusal.code()).isEqualTo(Refusal.Code.NOT_ALLOWED);
              assertThat(refusal.sentence())
                  .startsWith("Only who scheduled it can cancel it.")
                  .contains("schedule_shutdown");
            });
  }

  @Test
  void aCreationIsAnsweredWithTheIdAlone() {
    assertThat(FAMILY.answer(null, ALICES)).isEmpty();
  }

  @Test
  void anOccurrenceCostsWhatWasCapturedAndTheFamilyHoldsNothingBesides() {
    assertThat(FAMILY.charged(STATE, ALICES, Outcome.RUN, new Amount(7))).isEqualTo(new Amount(7));
    assertThat(FAMILY.owed(STATE)).isEqualTo(Amount.ZERO);
  }

  @Test
  void whateverItsKeysCountInIsServedAndWhatIsOverdueComesFirst() {
    assertThat(FAMILY.refusesKey(ALICES, ConsensusTime.ZERO)).isEmpty();
    assertThat(FAMILY.servesOverdueLast()).isFalse();
  }

  @Test
  void whoAsksWhyNothingOfItRunsIsToldWhatWasDoneToIt() {
    assertThat(FAMILY.whyNotServed(view(Service.SHUTTING_DOWN), ALICES))
        .isEqualTo("Its family is not served now: it is shutting down.");
  }

  @Test
  void aBlockCanHavePassedOverOnlyWhatWasDueByThen() {
    var view = view(Service.ACTIVE);
    Map.of(999L, "passed over", 1_000L, "passed over", 1_001L, "")
        .forEach(
            (due, expected) -> {
              var family = answering(Family.class, Map.of("dueNanos", due));
              assertThat(family.whyNotServed(view, ALICES, "passed over"))
                  .as("due at %d, the last block at 1000", due)
                  .isEqualTo(
                      expected.isEmpty()
                          ? "Its time has just come: no block has been cut since."
                          : expected);
            });
  }

  @Test
  void anOperationThatHasToWaitIsRefusedWithoutMore() {
    var busy = new Refusal(Refusal.Code.BUSY, "Try again.");

    assertThat(answering(Family.Operated.class, Map.of()).busy(busy))
        .isEqualTo(new Performance.Refused(busy, Optional.empty()));
  }

  @Test
  void aStateFollowsOnlyWhatItsFamilySaysItFollows() {
    var following = answering(Family.Following.class, Map.of());
    var ended = new Family.Ended(Outcome.RUN, ConsensusTime.ZERO, Optional.empty(), 1);

    assertThat(following.onSettled(STATE, ALICES, ended)).isSameAs(STATE);
    assertThat(following.onDeferred(STATE, ALICES, DueKey.of(2, 1))).isSameAs(STATE);
  }

  @Test
  void theLastOutcomeIsTheOneThatNothingFollows() {
    assertThat(new Family.Ended(Outcome.RUN, ConsensusTime.ZERO, Optional.empty(), 1).last())
        .isTrue();
    assertThat(
            new Family.Ended(Outcome.RUN, ConsensusTime.ZERO, Optional.of(DueKey.of(2, 1)), 1)
                .last())
        .isFalse();
  }
}

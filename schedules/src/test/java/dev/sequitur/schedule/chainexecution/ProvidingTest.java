package dev.sequitur.schedule.chainexecution;

import static dev.sequitur.schedule.chainexecution.Executions.BACKOFF;
import static dev.sequitur.schedule.chainexecution.Executions.CHAIN;
import static dev.sequitur.schedule.chainexecution.Executions.GAS;
import static dev.sequitur.schedule.chainexecution.Executions.NEWEST;
import static dev.sequitur.schedule.chainexecution.Executions.NOW;
import static dev.sequitur.schedule.chainexecution.Executions.PRICE;
import static dev.sequitur.schedule.chainexecution.Executions.SERVED;
import static dev.sequitur.schedule.chainexecution.Executions.SETTINGS;
import static dev.sequitur.schedule.chainexecution.Executions.dispatch;
import static dev.sequitur.schedule.chainexecution.Executions.id;
import static dev.sequitur.schedule.chainexecution.Executions.known;
import static dev.sequitur.schedule.chainexecution.Executions.view;
import static dev.sequitur.schedule.chainexecution.Executions.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.ChainLook.Look;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.PlanChain.Sent;
import dev.sequitur.schedule.chainexecution.Providing.Effect;
import dev.sequitur.schedule.chainexecution.Providing.Input;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which order a round asks, looks, stores and sends, and what it does when that fails. */
class ProvidingTest {
  private static final Effect WAKES = new Effect.WakeIn(SETTINGS.poll());
  private static final Point NEXT = new Point(51, new Hash(0, 0, 0, 51), NOW + 1);
  private static final Point BEFORE = new Point(49, new Hash(0, 0, 0, 49), NOW - 1);

  private Host<Input, Providing.State, Void, Effect> provider = begin();
  private Instant now = Instant.EPOCH;

  private static Host<Input, Providing.State, Void, Effect> begin() {
    var machine = new Providing(SETTINGS, CHAIN).machine();
    return new Host<>(machine, machine.initial());
  }

  private List<Effect> tell(Input input) {
    return provider.fold(List.of(input), now).effects();
  }

  private static ChainLook at(Point newest, Optional<Reading> reading, ScheduleId... scheduled) {
    var states = new HashMap<ScheduleId, PlanExecutionState>();
    for (var id : scheduled) {
      states.put(id, PlanExecutionState.SCHEDULED);
    }
    var view = view();
    return new ChainLook(
        newest, 1, 0, view.blockGas(), false, view.account(), reading, states, Map.of());
  }

  /** Asks, looks and decides; what it wants done then. */
  private List<Effect> decides(ToDo.Known known, ChainLook view) {
    tell(new Input.Tick());
    tell(new Input.Told(known));
    return tell(new Input.Shown(view));
  }

  private static Reading reading(Point to) {
    return new Reading(Optional.empty(), List.of(), to, Optional.empty(), Map.of());
  }

  @Test
  void aRoundAsksThenLooksThenStoresThenSendsThenRests() {
    var asked = tell(new Input.Tick());
    assertThat(asked).containsExactly(new Effect.Ask(new ToDo(0, 4)));

    var known = known(List.of(waiting(1, NOW)), List.of());
    assertThat(tell(new Input.Told(known)))
        .containsExactly(
            new Effect.LookAt(
                new Look(7, known.read(), known.settled(), List.of(id(1)), List.of())));

    var stored = tell(new Input.Shown(at(NEWEST, Optional.empty(), id(1))));
    assertThat(stored)
        .singleElement()
        .satisfies(
            effect ->
                assertThat(((Effect.Store) effect).advance().dispatches())
                    .containsExactly(dispatch(0, 1)));

    assertThat(tell(new Input.Stored())).containsExactly(new Effect.Send(List.of(dispatch(0, 1))));
    assertThat(tell(new Input.Offered(List.of(new Sent(0, Pooling.POOLED, "")))))
        .containsExactly(WAKES);
  }

  @Test
  void withNothingNewNothingIsStoredOrSent() {
    assertThat(decides(known(List.of(), List.of()), view())).containsExactly(WAKES);
  }

  @Test
  void whatIsLongPastIsReadOnAtOnce() {
    var known = known(List.of(), List.of());
    decides(known, at(NEWEST, Optional.of(reading(BEFORE))));
    assertThat(tell(new Input.Stored())).containsExactly(new Effect.WakeIn(Duration.ZERO));

    decides(known, at(NEWEST, Optional.of(reading(NEWEST))));
    assertThat(tell(new Input.Stored())).as("it is at the newest").containsExactly(WAKES);
  }

  /** For how long the newest block has been the newest tells when the next one comes (PRV-4). */
  @Test
  void asLongAsNoBlockComesItAsksFurtherAhead() {
    var known = known(List.of(), List.of());
    decides(known, view());
    now = now.plusSeconds(30);
    assertThat(tell(new Input.Tick())).containsExactly(new Effect.Ask(new ToDo(NOW + 30 + 1, 4)));
    tell(new Input.Told(known));
    tell(new Input.Shown(view()));

    now = now.plusSeconds(30);
    assertThat(tell(new Input.Tick()))
        .as("it is the same block still")
        .containsExactly(new Effect.Ask(new ToDo(NOW + 60 + 1, 4)));
    tell(new Input.Told(known));
    tell(new Input.Shown(at(NEXT, Optional.empty())));

    assertThat(tell(new Input.Tick()))
        .as("a new one")
        .containsExactly(new Effect.Ask(new ToDo(NOW + 1 + 1 + 1, 4)));
  }

  @Test
  void whatIsOutIsSentAgainWithTheNextBlockAndNotBefore() {
    var out = known(List.of(), List.of(dispatch(0, 1)));
    assertThat(decides(out, view())).containsExactly(new Effect.Send(List.of(dispatch(0, 1))));
    tell(new Input.Offered(List.of(new Sent(0, Pooling.POOLED, ""))));

    assertThat(decides(out, view())).containsExactly(WAKES);
    assertThat(decides(out, at(NEXT, Optional.empty())))
        .containsExactly(new Effect.Send(List.of(dispatch(0, 1))));
  }

  @Test
  void whatTheNodeHadNoRoomForIsSentAgainInTheNextRoundAndNothingElse() {
    var out = known(List.of(), List.of(dispatch(0, 1), dispatch(1, 2)));
    decides(out, view());
    tell(
        new Input.Offered(
            List.of(new Sent(0, Pooling.POOLED, ""), new Sent(1, Pooling.LATER, "full"))));

    assertThat(decides(out, view())).containsExactly(new Effect.Send(List.of(dispatch(1, 2))));
  }

  @Test
  void whatIsNewGoesOutThoughAllElseOfTheBlockIsOut() {
    decides(known(List.of(), List.of(dispatch(0, 1))), view());
    tell(new Input.Offered(List.of(new Sent(0, Pooling.POOLED, ""))));

    decides(
        known(List.of(waiting(2, NOW)), List.of(dispatch(0, 1))),
        at(NEWEST, Optional.empty(), id(2)));

    assertThat(tell(new Input.Stored())).containsExactly(new Effect.Send(List.of(dispatch(1, 2))));
  }

  /** A nonce is handed over once in a round; the last word about it holds. */
  @Test
  void ofTwoWordsOfTheNodeTheLaterHolds() {
    var out = known(List.of(waiting(1, NOW)), List.of(dispatch(0, 1)));
    decides(out, view());
    tell(
        new Input.Offered(
            List.of(new Sent(0, Pooling.LATER, "full"), new Sent(0, Pooling.INVALID, "never"))));

    assertThat(decides(out, at(NEWEST, Optional.empty(), id(1))))
        .filteredOn(Effect.Store.class::isInstance)
        .singleElement()
        .satisfies(
            effect -> assertThat(((Effect.Store) effect).advance().failures()).containsKey(id(1)));
  }

  // What goes wrong

  @Test
  void whatTheQueueRefusesIsSaidAndDoneAgainLessAndLessOften() {
    var known = known(List.of(waiting(1, NOW)), List.of());
    for (int failures = 1; failures <= 5; failures++) {
      decides(known, at(NEWEST, Optional.empty(), id(1)));
      var effects = tell(new Input.Refused("The queue is busy."));
      var wake = new Effect.WakeIn(BACKOFF.wait(failures, 0));
      assertThat(effects).containsExactly(new Effect.Report("The queue is busy."), wake);
    }
  }

  @Test
  void theSameTroubleIsToldOnceAndThatItIsOverToo() {
    tell(new Input.Tick());
    assertThat(tell(new Input.Failed("The queue does not answer.")))
        .containsExactly(
            new Effect.Report("The queue does not answer."), new Effect.WakeIn(BACKOFF.wait(1, 0)));
    tell(new Input.Tick());
    assertThat(tell(new Input.Failed("The queue does not answer.")))
        .containsExactly(new Effect.WakeIn(BACKOFF.wait(2, 0)));

    assertThat(decides(known(List.of(), List.of()), view()))
        .containsExactly(new Effect.Report(Providing.WELL), WAKES);
    assertThat(decides(known(List.of(), List.of()), view())).containsExactly(WAKES);
  }

  @Test
  void aRoundThatWentWellEndsTheBackOff() {
    tell(new Input.Tick());
    tell(new Input.Failed("Away."));
    decides(known(List.of(), List.of()), view());

    tell(new Input.Tick());
    assertThat(tell(new Input.Failed("Away."))).contains(new Effect.WakeIn(BACKOFF.wait(1, 0)));
  }

  /** So that whoever asks why learns of it. */
  @Test
  void thatTheChainIsAwayIsStoredOnceByTheQueue() {
    tell(new Input.Tick());
    tell(new Input.Told(known(List.of(), List.of())));
    assertThat(tell(new Input.Failed("The chain is away.")))
        .containsExactly(
            new Effect.Report("The chain is away."),
            new Effect.Store(Advance.troubled(SERVED, false, "The chain is away.")));
    assertThat(tell(new Input.Stored())).containsExactly(WAKES);

    tell(new Input.Tick());
    tell(new Input.Told(known(List.of(), List.of(), "The chain is away.")));
    assertThat(tell(new Input.Failed("The chain is away.")))
        .containsExactly(new Effect.WakeIn(BACKOFF.wait(1, 0)));
  }

  @Test
  void whatTheChainDidNotTakeIsAskedForAgainInTheNextRound() {
    var out = known(List.of(), List.of(dispatch(0, 1)));
    decides(out, view());
    tell(new Input.Failed("The chain is away."));

    assertThat(decides(out, view())).contains(new Effect.Send(List.of(dispatch(0, 1))));
  }

  @Test
  void whatComesTooLateOrTwiceChangesNothing() {
    var late =
        List.of(
            new Input.Told(known(List.of(), List.of())),
            new Input.Shown(view()),
            new Input.Stored(),
            new Input.Offered(List.of()));
    for (var input : late) {
      assertThat(tell(input)).as("%s", input).isEmpty();
    }
    assertThat(tell(new Input.Tick())).hasSize(1);
    assertThat(tell(new Input.Tick())).as("a round is under way").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 1, true",
    "-1, 1, 1, 1, false",
    "0, 0, 1, 1, false",
    "0, 1, 0, 1, false",
    "0, 1, 1, 0, false"
  })
  void theLimitsMustBePositive(long from, int atOnce, int bumpAfter, int tries, boolean taken) {
    if (taken) {
      assertThat(settings(from, atOnce, bumpAfter, tries).from()).isEqualTo(from);
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> settings(from, atOnce, bumpAfter, tries));
    }
  }

  private static Providing.Settings settings(long from, int atOnce, int bumpAfter, int tries) {
    return new Providing.Settings(
        from, PRICE, atOnce, bumpAfter, tries, GAS, Duration.ofSeconds(1), BACKOFF);
  }
}

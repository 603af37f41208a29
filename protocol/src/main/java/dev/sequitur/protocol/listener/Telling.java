package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.TellingTable.Action;
import dev.sequitur.protocol.listener.TellingTable.TellingEvent;
import dev.sequitur.protocol.listener.TellingTable.TellingPhase;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One subscription to a listener: reads what the listener is told of from where it stands, keeps
 * one batch on its way, and goes on once that is acknowledged and the acknowledgement is stored
 * (CLR-2). What was pushed and not acknowledged comes again to whoever subscribes next.
 *
 * <p>Where several share a listener, one has its turn at a time ({@link Turns}). Its turn ends with
 * each batch that is taken, and with one that is refused or not answered for long; then it forgets
 * what it has gathered, and begins its next turn where the listener stands then. Who rests may
 * answer late: then it may have a turn again, and that is all (CLR-3).
 *
 * @param batch rows at most in one
 * @param patience how long a batch that is not full waits for more; zero not to wait
 * @param poll until it looks again where nothing new was there
 * @param pauses after failures and refusals in a row
 */
public record Telling(int batch, Duration patience, Duration poll, Backoff pauses) {
  /** A batch that is not answered for so long goes to the next, if there is one. */
  public static final Duration LONGEST_TURN = Duration.ofSeconds(30);

  public Telling {
    if (batch < 1 || patience.isNegative() || poll.isNegative() || poll.isZero()) {
      throw new IllegalArgumentException("No batches: " + batch + ", " + patience + ", " + poll);
    }
  }

  public <R> Machine<TellingInput<R>, TellingState<R>, Void, TellingEffect<R>> machine() {
    return Machine.storingNothing(
        new TellingState<>(
            TellingPhase.UNSTARTED,
            List.of(),
            Optional.empty(),
            0,
            false,
            pauses.initial(),
            Optional.empty(),
            Optional.empty(),
            0),
        this::decide,
        new TellingInput.Tick<>());
  }

  private <R> Decision<TellingState<R>, Void, TellingEffect<R>> decide(
      TellingState<R> before, TellingInput<R> input, Instant now) {
    var step = Step.<TellingState<R>, TellingEffect<R>>storingNothing(before, now);
    switch (input) {
      case TellingInput.Start<R>() -> move(step, TellingEvent.START);
      case TellingInput.Turn<R>() -> move(step, TellingEvent.TURN);
      case TellingInput.Came<R> came -> onCame(step, came);
      case TellingInput.Stopped<R>(var at) -> onStopped(step, at);
      case TellingInput.Stored<R>() -> onStored(step);
      case TellingInput.Failed<R>(var cause) -> onFailed(step, cause);
      case TellingInput.Gone<R>() -> move(step, TellingEvent.GONE);
      case TellingInput.Acknowledged<R>() -> onAcknowledged(step);
      case TellingInput.Refused<R>() -> move(step, TellingEvent.REFUSAL);
      case TellingInput.Offered<R>(var kept) ->
          move(step, kept ? TellingEvent.KEPT : TellingEvent.LOST);
      case TellingInput.End<R>() -> move(step, TellingEvent.STOP);
      case TellingInput.Tick<R>() -> onTick(step);
    }
    return step.finish();
  }

  private <R> void onCame(
      Step<TellingState<R>, Void, TellingEffect<R>> step, TellingInput.Came<R> came) {
    if (step.state().hasEnded()) {
      return;
    }
    readFrom(step, came.from());
    var state = step.state();
    var before = state.soFar().orElseThrow();
    var soFar = before.and(came.taken());
    boolean more = soFar.upTo() > before.upTo();
    step.become(
        state
            .withGathered(Stream.concat(state.gathered().stream(), came.rows().stream()).toList())
            .withSoFar(Optional.of(soFar))
            .withFull(
                state.gathered().isEmpty() && !came.rows().isEmpty()
                    ? Optional.of(step.now().plus(patience))
                    : state.full()));
    move(step, next(step.state(), more, step.now()));
  }

  private <R> TellingEvent next(TellingState<R> state, boolean more, Instant now) {
    if (state.gathered().isEmpty()) {
      // Nothing to acknowledge: what the listener does not want is remembered as taken.
      return more || !state.soFar().orElseThrow().done().isEmpty()
          ? TellingEvent.PASSED
          : TellingEvent.NOTHING;
    }
    if (state.gathered().size() >= batch || state.isOverdue(now)) {
      return TellingEvent.FULL;
    }
    return more ? TellingEvent.MORE : TellingEvent.NOTHING;
  }

  /** What was gathered is read again, once it is started. */
  private <R> void onStopped(Step<TellingState<R>, Void, TellingEffect<R>> step, long at) {
    if (step.state().hasEnded()) {
      return;
    }
    readFrom(step, at);
    step.become(forgetful(step.state()).withSoFar(Optional.of(Taken.upTo(step.state().stands()))));
    move(step, TellingEvent.NOTHING);
  }

  /** Something came: if it is the first of a turn, that is where the listener stands. */
  private <R> void readFrom(Step<TellingState<R>, Void, TellingEffect<R>> step, long from) {
    var state = step.state();
    if (!state.isRefused()) {
      state = state.withPause(pauses.initial());
    }
    if (state.soFar().isEmpty()) {
      state = state.withStands(from).withSoFar(Optional.of(Taken.upTo(from)));
    }
    step.become(state);
  }

  private <R> void onStored(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    move(
        step,
        step.state().gathered().isEmpty() ? TellingEvent.PASS_STORED : TellingEvent.BATCH_STORED);
  }

  /** What is due goes though nothing more can be read. */
  private <R> void onFailed(Step<TellingState<R>, Void, TellingEffect<R>> step, Throwable cause) {
    var state = step.state();
    if (state.phase() == TellingPhase.LOOKING && state.isOverdue(step.now())) {
      move(step, TellingEvent.FULL);
    } else if (!state.hasEnded()) {
      step.effect(new TellingEffect.Warn<>(cause, state.pause()));
      move(step, TellingEvent.FAILED);
    }
  }

  private <R> void onAcknowledged(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    if (step.state().phase() == TellingPhase.DELIVERING) {
      step.become(step.state().withIsRefused(false).withPause(pauses.initial()));
    }
    move(step, TellingEvent.ACKNOWLEDGED);
  }

  private <R> void onTick(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    var state = step.state();
    if (state.phase() == TellingPhase.WAITING && state.isOverdue(step.now())) {
      move(step, TellingEvent.FULL);
    } else if (state.isDue(step.now())) {
      move(step, TellingEvent.DUE);
    }
  }

  private <R> void move(Step<TellingState<R>, Void, TellingEffect<R>> step, TellingEvent event) {
    TellingTable.TELLING.move(
        step.state().phase(),
        event,
        step.state(),
        (next, action) -> {
          step.become(step.state().withPhase(next).withUntil(Optional.empty()));
          act(step, action, event);
          return next;
        });
  }

  private <R> void act(
      Step<TellingState<R>, Void, TellingEffect<R>> step, Action action, TellingEvent event) {
    switch (action) {
      case NOTHING -> {}
      case LOOK -> look(step);
      case POLL -> until(step, poll);
      case PAUSE -> pause(step, event);
      case DELIVER -> deliver(step);
      case AWAIT -> until(step, LONGEST_TURN);
      case STORE -> step.effect(new TellingEffect.Store<>(step.state().soFar().orElseThrow()));
      case GO_ON -> {
        goOn(step);
        look(step);
      }
      case OFFER -> step.effect(new TellingEffect.Offer<>(false));
      case OFFER_NEXT -> {
        goOn(step);
        step.effect(new TellingEffect.Offer<>(false));
      }
      case OFFER_LATE -> step.effect(new TellingEffect.Offer<>(true));
      case FORGET -> step.become(forgetful(step.state()).withSoFar(Optional.empty()));
      case ANSWER_LATE -> step.effect(new TellingEffect.AnsweredLate<>());
      case END -> step.effect(new TellingEffect.TellGone<>());
    }
  }

  private <R> void look(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    var state = step.state();
    step.effect(new TellingEffect.Look<>(state.soFar(), batch - state.gathered().size()));
  }

  private <R> void until(Step<TellingState<R>, Void, TellingEffect<R>> step, Duration wait) {
    step.become(step.state().withUntil(Optional.of(step.now().plus(wait))));
  }

  private <R> void pause(Step<TellingState<R>, Void, TellingEffect<R>> step, TellingEvent event) {
    var pause = step.state().pause();
    step.become(
        step.state()
            .withPause(pauses.longer(pause))
            .withIsRefused(step.state().isRefused() || event == TellingEvent.REFUSAL));
    until(step, pause);
  }

  private <R> void deliver(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    long number = step.state().batches() + 1;
    step.become(step.state().withBatches(number).withFull(Optional.empty()));
    step.effect(new TellingEffect.Deliver<>(number, step.state().gathered()));
    until(step, LONGEST_TURN);
  }

  /** Behind what is stored. */
  private <R> void goOn(Step<TellingState<R>, Void, TellingEffect<R>> step) {
    var state = step.state();
    long at = state.soFar().orElseThrow().upTo();
    step.become(
        forgetful(state)
            .withPause(pauses.initial())
            .withStands(at)
            .withSoFar(Optional.of(Taken.upTo(at))));
  }

  private static <R> TellingState<R> forgetful(TellingState<R> state) {
    return state.withGathered(List.of()).withFull(Optional.empty());
  }
}

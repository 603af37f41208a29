package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.DeliveringState.Delivery;
import dev.sequitur.protocol.listener.WebhookTable.WebhookEvent;
import dev.sequitur.protocol.listener.WebhookTable.WebhookPhase;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a webhook is sent (CLR-7): rows behind where it stands, several at once and those of one
 * subject one after another, each until the receiver has taken it. Where it stands is stored once
 * all up to there was taken, so whoever begins anew sends some again and leaves none out. A row
 * that the receiver refuses so often is dead: it keeps the others no longer, and is listed with the
 * webhook. While the receiver is not there, nothing dies: one row is tried now and then.
 *
 * @param ahead how many rows are known at once
 * @param atOnce how many are on their way
 * @param attempts how often a row is refused before it is dead
 * @param poll until it is looked again where nothing new was there
 * @param pauses after refusals and failures in a row
 */
public record Delivering(int ahead, int atOnce, int attempts, Duration poll, Backoff pauses) {
  public Delivering {
    if (ahead < 1 || atOnce < 1 || attempts < 1 || poll.isNegative() || poll.isZero()) {
      throw new IllegalArgumentException("No deliveries: " + ahead + ", " + atOnce + ", " + poll);
    }
  }

  public <R> Machine<DeliveringInput<R>, DeliveringState<R>, Void, DeliveringEffect<R>> machine() {
    return Machine.storingNothing(
        new DeliveringState<>(
            PagedMap.empty(),
            0,
            0,
            true,
            Optional.empty(),
            false,
            pauses.initial(),
            Optional.empty(),
            Optional.empty()),
        this::decide,
        new DeliveringInput.Tick<>());
  }

  private <R> Decision<DeliveringState<R>, Void, DeliveringEffect<R>> decide(
      DeliveringState<R> before, DeliveringInput<R> input, Instant now) {
    var step = Step.<DeliveringState<R>, DeliveringEffect<R>>storingNothing(before, now);
    switch (input) {
      case DeliveringInput.Start<R>(var stands) ->
          step.become(before.withStands(stands).withReadTo(stands).withLooking(false));
      case DeliveringInput.Came<R> came -> onCame(step, came);
      case DeliveringInput.NotRead<R>(var cause) -> {
        step.become(step.state().withLooking(false));
        onSilence(step, "what is next cannot be read: " + cause, false);
      }
      case DeliveringInput.Taken<R>(var number) -> {
        step.become(
            step.state()
                .withSilent(false)
                .withPause(pauses.initial())
                .withQuietUntil(Optional.empty()));
        move(step, number, WebhookEvent.TAKEN);
      }
      case DeliveringInput.Refused<R>(var number, var why) -> onRefused(step, number, why);
      case DeliveringInput.Unreached<R>(var number, var why) -> {
        move(step, number, WebhookEvent.UNREACHED);
        onSilence(step, why, true);
      }
      case DeliveringInput.Stored<R>() -> onStored(step);
      case DeliveringInput.NotStored<R>(var cause) -> {
        step.become(step.state().withStoring(Optional.empty()));
        onSilence(step, "what was delivered cannot be stored: " + cause, false);
      }
      case DeliveringInput.Tick<R>() -> {}
    }
    goOn(step);
    return step.finish();
  }

  private <R> void onCame(
      Step<DeliveringState<R>, Void, DeliveringEffect<R>> step, DeliveringInput.Came<R> came) {
    var rows = step.state().rows();
    for (var read : came.rows()) {
      rows =
          rows.plus(
              read.number(),
              new Delivery<>(read.row(), read.subject(), WebhookPhase.QUEUED, 0, Optional.empty()));
    }
    boolean more = came.readTo() > step.state().readTo();
    step.become(
        step.state()
            .withRows(rows)
            .withLooking(false)
            .withReadTo(Math.max(step.state().readTo(), came.readTo()))
            .withLookAgain(more ? Optional.empty() : Optional.of(step.now().plus(poll))));
  }

  private <R> void onRefused(
      Step<DeliveringState<R>, Void, DeliveringEffect<R>> step, long number, String why) {
    step.become(
        step.state()
            .withSilent(false)
            .withPause(pauses.initial())
            .withQuietUntil(Optional.empty()));
    var row = step.state().rows().get(number);
    boolean last = row != null && row.refusals() + 1 >= attempts;
    move(step, number, last ? WebhookEvent.GIVEN_UP : WebhookEvent.REFUSED);
    if (last) {
      step.effect(new DeliveringEffect.WarnOfDead<>(number, why));
    }
  }

  /** Answers to rows that were sent before are silent, too: one pause is enough for all of them. */
  private <R> void onSilence(
      Step<DeliveringState<R>, Void, DeliveringEffect<R>> step, String why, boolean ofReceiver) {
    var state = step.state();
    if (state.quietUntil().filter(step.now()::isBefore).isPresent()) {
      step.become(state.withSilent(state.silent() || ofReceiver));
      return;
    }
    var pause = state.pause();
    if (pause.equals(pauses.initial())) {
      step.effect(new DeliveringEffect.WarnOfSilence<>(why, pause));
    }
    step.become(
        state
            .withSilent(state.silent() || ofReceiver)
            .withPause(pauses.longer(pause))
            .withQuietUntil(Optional.of(step.now().plus(pause))));
  }

  private <R> void onStored(Step<DeliveringState<R>, Void, DeliveringEffect<R>> step) {
    var state = step.state();
    long upTo = state.storing().orElseThrow().upTo();
    var rows = state.rows();
    for (long number : List.copyOf(rows.keySet())) {
      if (number > upTo) {
        break;
      }
      rows = rows.minus(number);
    }
    step.become(state.withRows(rows).withStands(upTo).withStoring(Optional.empty()));
  }

  /** Sends, stores and reads what can be by now. */
  private <R> void goOn(Step<DeliveringState<R>, Void, DeliveringEffect<R>> step) {
    var state = step.state();
    for (var each : state.rows().entrySet()) {
      if (each.getValue().until().filter(until -> !step.now().isBefore(until)).isPresent()) {
        move(step, each.getKey(), WebhookEvent.DUE);
      }
    }
    if (state.quietUntil().filter(step.now()::isBefore).isPresent()) {
      return;
    }
    step.become(step.state().withQuietUntil(Optional.empty()));
    send(step);
    store(step);
    look(step);
  }

  private <R> void send(Step<DeliveringState<R>, Void, DeliveringEffect<R>> step) {
    long room = (step.state().silent() ? 1 : atOnce) - step.state().underway();
    var before = new HashSet<String>();
    for (var each : step.state().rows().entrySet()) {
      if (room <= 0) {
        return;
      }
      var row = each.getValue();
      boolean first = row.subject().filter(before::contains).isEmpty();
      if (first && row.phase() == WebhookPhase.QUEUED) {
        move(step, each.getKey(), WebhookEvent.TURN);
        room--;
      }
      if (!row.hasEnded()) {
        row.subject().ifPresent(before::add);
      }
    }
  }

  private <R> void store(Step<DeliveringState<R>, Void, DeliveringEffect<R>> step) {
    var state = step.state();
    if (state.storing().isPresent()) {
      return;
    }
    long upTo = state.stands();
    var dead = new ArrayList<HeldBack.Row>();
    boolean all = true;
    for (var each : state.rows().entrySet()) {
      all = each.getValue().hasEnded();
      if (!all) {
        break;
      }
      upTo = each.getKey();
      if (each.getValue().phase() == WebhookPhase.DEAD) {
        dead.add(new HeldBack.Row(upTo, false));
      }
    }
    upTo = all ? state.readTo() : upTo;
    if (upTo > state.stands()) {
      var taken = new Taken(upTo, dead, List.of());
      step.become(state.withStoring(Optional.of(taken)));
      step.effect(new DeliveringEffect.Store<>(taken));
    }
  }

  private <R> void look(Step<DeliveringState<R>, Void, DeliveringEffect<R>> step) {
    var state = step.state();
    int room = ahead - state.rows().size();
    if (state.looking() || state.lookAgain().filter(step.now()::isBefore).isPresent()) {
      return;
    }
    step.become(state.withLooking(room > 0).withLookAgain(Optional.empty()));
    if (room > 0) {
      step.effect(new DeliveringEffect.Look<>(state.readTo(), room));
    }
  }

  private <R> void move(
      Step<DeliveringState<R>, Void, DeliveringEffect<R>> step, long number, WebhookEvent event) {
    var row = step.state().rows().get(number);
    if (row == null) {
      throw new IllegalStateException("No such row is known: " + number + ", " + event);
    }
    WebhookTable.DELIVERY.move(
        row.phase(),
        event,
        row,
        (next, action) -> {
          var moved = row.in(next);
          switch (action) {
            case NOTHING -> {}
            case SEND ->
                step.effect(new DeliveringEffect.Send<>(number, row.row(), row.refusals() + 1));
            case PAUSE ->
                moved =
                    moved.refused(
                        step.now().plus(pauses.wait(row.refusals() + 1, Long.hashCode(number))));
          }
          step.become(step.state().withRows(step.state().rows().plus(number, moved)));
          return next;
        });
  }
}

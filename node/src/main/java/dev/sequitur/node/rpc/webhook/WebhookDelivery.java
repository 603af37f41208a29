package dev.sequitur.node.rpc.webhook;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.node.rpc.listener.WakeTimer;
import dev.sequitur.node.rpc.method.ListenerFeed.Page;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.node.rpc.method.Webhook;
import dev.sequitur.node.rpc.method.WebhookSender.Answer;
import dev.sequitur.node.rpc.method.WebhookSender.Receiver;
import dev.sequitur.protocol.listener.DeliveringEffect;
import dev.sequitur.protocol.listener.DeliveringInput;
import dev.sequitur.protocol.listener.DeliveringState;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Does for one webhook what {@link dev.sequitur.protocol.listener.Delivering} decides: reads, sends
 * and stores. Survives nothing: the webhook, which the store keeps, is where the next life begins.
 * Ends when it is told to, or when the webhook is gone or another.
 */
final class WebhookDelivery extends AbstractBehavior<WebhookDelivery.Command> {
  /** What it is told. */
  sealed interface Command {}

  /** What it waited for first is due: there is no timer any more. */
  private enum Due implements Command {
    INSTANCE
  }

  /** It is stopped, deleted or changed. */
  enum Stop implements Command {
    INSTANCE
  }

  private record Told(DeliveringInput<Row> input) implements Command {}

  private final WebhookDispatcher.Setup setup;
  private final Listener listener;
  private final Webhook webhook;
  private final Receiver receiver;
  private final WakeTimer<Command> timer;
  private final Host<DeliveringInput<Row>, DeliveringState<Row>, Void, DeliveringEffect<Row>> host;

  static Behavior<Command> create(WebhookDispatcher.Setup setup, Listener listener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  var delivery = new WebhookDelivery(setup, listener, context, timers);
                  delivery.decide(new DeliveringInput.Start<>(listener.acknowledged()));
                  delivery.timer.set(delivery.host.state().wake());
                  return delivery;
                }));
  }

  private WebhookDelivery(
      WebhookDispatcher.Setup setup,
      Listener listener,
      ActorContext<Command> context,
      TimerScheduler<Command> timers) {
    super(context);
    this.setup = setup;
    this.listener = listener;
    this.webhook = Webhook.of(listener);
    this.receiver = webhook.receiver(setup.secrets());
    this.timer = new WakeTimer<>(timers, Due.INSTANCE, setup.nanos());
    var machine = setup.rules().<Row>machine();
    this.host = new Host<>(machine, machine.initial());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(
            PostStop.class,
            ended -> {
              setup.figures().waitsNoMore(listener.name());
              return this;
            })
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Stop.INSTANCE -> {
        return Behaviors.stopped();
      }
      case Told(var input) -> decide(input);
      case Due.INSTANCE -> {
        timer.rang();
        decide(new DeliveringInput.Tick<>());
      }
    }
    timer.set(host.state().wake());
    show();
    return this;
  }

  /** How long the oldest that it has still to send has waited. */
  private void show() {
    host.state()
        .rows()
        .first()
        .map(first -> first.getValue().row().json().path("at").textValue())
        .map(Instant::parse)
        .ifPresentOrElse(
            since -> setup.figures().waits(listener.name(), since),
            () -> setup.figures().waitsNoMore(listener.name()));
  }

  private void decide(DeliveringInput<Row> first) {
    host.fold(List.of(first), timer.now()).effects().forEach(this::run);
  }

  private void run(DeliveringEffect<Row> effect) {
    switch (effect) {
      case DeliveringEffect.Look<Row>(var after, var most) ->
          pipe(
              setup.rows().of(listener).after(after, HeldBack.NONE, most),
              WebhookDelivery::came,
              DeliveringInput.NotRead::new);
      case DeliveringEffect.Send<Row>(var number, var row, var attempt) ->
          pipe(
              setup.sender().send(receiver, webhook.id(number), webhook.body(row)),
              answer -> answered(number, answer),
              failure -> new DeliveringInput.Unreached<>(number, failure.toString()));
      case DeliveringEffect.Store<Row>(var taken) -> {
        var self = getContext().getSelf();
        setup
            .store()
            .acknowledge(ListenerKind.WEBHOOKS, listener, taken)
            .whenComplete((there, failure) -> self.tell(stored(there, failure)));
      }
      case DeliveringEffect.WarnOfDead<Row>(var number, var why) ->
          getContext()
              .getLog()
              .warn(
                  "The webhook '{}' does not take event {} ({}); it is listed by"
                      + " events_deadLetters, and sent again by events_replay",
                  listener.name(),
                  number - 1,
                  why);
      case DeliveringEffect.WarnOfSilence<Row>(var why, var again) ->
          getContext()
              .getLog()
              .warn(
                  "The webhook '{}' is sent nothing now: {}; it is tried again in {} ms, and later"
                      + " each time",
                  listener.name(),
                  why,
                  again.toMillis());
    }
  }

  private static DeliveringInput<Row> came(Page page) {
    return new DeliveringInput.Came<>(
        page.rows().stream()
            .map(row -> new DeliveringInput.Read<>(row.number(), subject(row), row))
            .toList(),
        page.readTo());
  }

  /** Events of one schedule go one after another. */
  private static Optional<String> subject(Row row) {
    return Optional.ofNullable(row.json().path("schedule").textValue());
  }

  private static DeliveringInput<Row> answered(long number, Answer answer) {
    return switch (answer) {
      case Answer.Taken() -> new DeliveringInput.Taken<>(number);
      case Answer.Refused(var why) -> new DeliveringInput.Refused<>(number, why);
      case Answer.Unreached(var why) -> new DeliveringInput.Unreached<>(number, why);
    };
  }

  /** Of one that is gone or another nothing more is sent by this. */
  private static Command stored(Boolean there, Throwable failure) {
    if (failure != null) {
      return new Told(new DeliveringInput.NotStored<>(failure));
    }
    return there ? new Told(new DeliveringInput.Stored<>()) : Stop.INSTANCE;
  }

  /** Not pipeToSelf: it hands each callback to another thread. */
  private <T> void pipe(
      CompletionStage<T> stage,
      Function<T, DeliveringInput<Row>> then,
      Function<Throwable, DeliveringInput<Row>> failed) {
    var self = getContext().getSelf();
    stage.whenComplete(
        (outcome, failure) ->
            self.tell(new Told(failure == null ? then.apply(outcome) : failed.apply(failure))));
  }
}

package dev.sequitur.node.rpc.webhook;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.SingletonActor;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.node.rpc.WebhookSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.WebhookSecrets;
import dev.sequitur.node.rpc.method.WebhookSender;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.Delivering;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Has each webhook of the node that is not stopped sent to, on one of the node's JVMs at a time. It
 * looks every second which there are: what was made, stopped, changed or deleted on any JVM is seen
 * then. Nothing of a queue waits for it.
 */
public final class WebhookDispatcher extends AbstractBehavior<WebhookDispatcher.Command> {
  private static final String NAME = "webhooks";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(100);

  /** As many of one webhook are known at once. */
  private static final int AHEAD = 512;

  /** What it is told. */
  public sealed interface Command {}

  private enum Look implements Command {
    INSTANCE
  }

  private record Found(List<Listener> webhooks) implements Command {}

  private record NotFound(Throwable cause) implements Command {}

  private record Ended(String name, ActorRef<WebhookDelivery.Command> delivery)
      implements Command {}

  /** What a webhook is sent. */
  @FunctionalInterface
  public interface Feeds {
    ListenerFeed.Rows of(Listener webhook);
  }

  /**
   * @param nanos goes on evenly, like {@link System#nanoTime}
   */
  record Setup(
      ListenerStore store,
      WebhookSender sender,
      WebhookSecrets secrets,
      Feeds rows,
      Delivering rules,
      LongSupplier nanos,
      WebhookFigures figures) {}

  private record Running(Listener webhook, ActorRef<WebhookDelivery.Command> delivery) {}

  private final Setup setup;
  private final Map<String, Running> running = new HashMap<>();
  private int made;

  /**
   * Begins, on whichever JVM of the node is to do it.
   *
   * @param registry where it is shown how far it is
   */
  public static void start(
      ActorSystem<?> system,
      ListenerStore store,
      WebhookSettings settings,
      WebhookSender sender,
      WebhookSecrets secrets,
      Feeds rows,
      PrometheusRegistry registry,
      InstantSource clock) {
    var rules =
        new Delivering(
            AHEAD,
            settings.atOnce(),
            settings.attempts(),
            POLL,
            new Backoff(settings.firstPause(), settings.longestPause()));
    var setup =
        new Setup(
            store,
            sender,
            secrets,
            rows,
            rules,
            System::nanoTime,
            new WebhookFigures(registry, clock));
    if (system.settings().config().getString("akka.actor.provider").equals("local")) {
      system.systemActorOf(create(setup), NAME, Props.empty());
    } else {
      TrustedPaths.requireSingleton(system.settings().config(), NAME);
      ClusterSingleton.get(system).init(SingletonActor.of(create(setup), NAME));
    }
  }

  static Behavior<Command> create(Setup setup) {
    return Behaviors.setup(
        context -> {
          var dispatcher = new WebhookDispatcher(setup, context);
          dispatcher.look();
          return dispatcher;
        });
  }

  private WebhookDispatcher(Setup setup, ActorContext<Command> context) {
    super(context);
    this.setup = setup;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(
            PostStop.class,
            ended -> {
              setup.figures().end();
              return this;
            })
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Look.INSTANCE -> look();
      case Found(var webhooks) -> {
        onFound(webhooks);
        lookLater();
      }
      case NotFound(var cause) -> {
        getContext().getLog().warn("Which webhooks there are cannot be read now", cause);
        lookLater();
      }
      case Ended(var name, var delivery) ->
          running.computeIfPresent(name, (same, it) -> it.delivery().equals(delivery) ? null : it);
    }
    return this;
  }

  private void look() {
    var self = getContext().getSelf();
    setup
        .store()
        .all(ListenerKind.WEBHOOKS)
        .whenComplete(
            (found, failure) ->
                self.tell(failure == null ? new Found(found) : new NotFound(failure)));
  }

  private void lookLater() {
    getContext().scheduleOnce(BETWEEN_LOOKS, getContext().getSelf(), Look.INSTANCE);
  }

  private void onFound(List<Listener> webhooks) {
    setup.figures().found(webhooks);
    var wanted =
        webhooks.stream()
            .filter(each -> each.stopped().isEmpty())
            .collect(Collectors.toMap(Listener::name, Function.identity()));
    running
        .entrySet()
        .removeIf(
            each -> {
              var now = wanted.get(each.getKey());
              boolean ends = now == null || !now.isSameAs(each.getValue().webhook());
              if (ends) {
                each.getValue().delivery().tell(WebhookDelivery.Stop.INSTANCE);
              }
              return ends;
            });
    wanted.forEach((name, webhook) -> running.computeIfAbsent(name, any -> begin(webhook)));
  }

  private Running begin(Listener webhook) {
    var delivery = getContext().spawn(WebhookDelivery.create(setup, webhook), "delivery-" + ++made);
    getContext().watchWith(delivery, new Ended(webhook.name(), delivery));
    return new Running(webhook, delivery);
  }
}

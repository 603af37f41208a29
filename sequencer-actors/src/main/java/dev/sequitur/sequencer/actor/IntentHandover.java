package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.sender.Handover;
import java.util.List;
import java.util.Optional;

/** Runs the {@link Handover}; one in each JVM. */
public final class IntentHandover extends AbstractBehavior<IntentHandover.Command> {
  /** What it is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Within its JVM. */
  public record Told(Handover.Input input) implements Command {}

  /** Whoever was told something under that number has it. */
  public record Taken(long number) implements Command {}

  private final NodeServices services;
  private final ActorRef<Taken> taken;
  private final Host<Handover.Input, Handover.State, Void, Handover.Effect> host;

  public static Behavior<Command> create(NodeServices services) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  var machine = Handover.machine();
                  timers.startTimerWithFixedDelay(new Told(machine.tick()), Handover.AGAIN);
                  return new IntentHandover(
                      context, services, new Host<>(machine, machine.initial()));
                }));
  }

  private IntentHandover(
      ActorContext<Command> context,
      NodeServices services,
      Host<Handover.Input, Handover.State, Void, Handover.Effect> host) {
    super(context);
    this.services = services;
    this.taken = context.getSelf().narrow();
    this.host = host;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Told(var input) -> on(input);
      case Taken(var number) -> on(new Handover.Input.Taken(number));
    };
  }

  private Behavior<Command> on(Handover.Input input) {
    host.fold(List.of(input), services.now()).effects().forEach(this::perform);
    return this;
  }

  private void perform(Handover.Effect effect) {
    switch (effect) {
      case Handover.Effect.Hand(var number, var what, var again) ->
          services
              .entities()
              .sender(what.contract())
              .tell(new SenderActor.IntentsHanded(what.transactions(), number, again, taken));
      case Handover.Effect.Reload(var number, var contract) ->
          services.entities().sender(contract).tell(new SenderActor.Reload(number, taken));
      case Handover.Effect.TellPublics(var number, var sender) ->
          services
              .entities()
              .publicSubmitter(sender)
              .tell(new SubmitterActor.PublicsWaiting(number, Optional.of(taken)));
    }
  }
}

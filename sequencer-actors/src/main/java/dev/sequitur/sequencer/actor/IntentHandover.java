package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.Identity;
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

  /** The sender has them. */
  public record Taken(long batch) implements Command {}

  /** The submitter of the sender's public transactions looks for them. */
  public record PublicsTold(Identity sender) implements Command {}

  private final NodeServices services;
  private final ActorRef<PublicsTold> publicsTold;
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
    this.publicsTold = context.getSelf().narrow();
    this.host = host;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Told(var input) -> on(input);
      case PublicsTold(var sender) -> on(new Handover.Input.PublicsTold(sender));
      case Taken(var batch) -> on(new Handover.Input.Taken(batch));
    };
  }

  private Behavior<Command> on(Handover.Input input) {
    host.fold(List.of(input), services.now()).effects().forEach(this::perform);
    return this;
  }

  private void perform(Handover.Effect effect) {
    switch (effect) {
      case Handover.Effect.Hand(var batch, var what) ->
          services
              .entities()
              .sender(what.contract())
              .tell(new SenderActor.IntentsHanded(what.transactions(), batch, taken));
      case Handover.Effect.Reload(var contract) ->
          services.entities().sender(contract).tell(new SenderActor.Reload());
      case Handover.Effect.TellPublics(var sender) ->
          services
              .entities()
              .publicSubmitter(sender)
              .tell(new SubmitterActor.PublicsWaiting(Optional.of(publicsTold)));
    }
  }
}

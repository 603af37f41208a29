package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.errand.RoomErrands;
import dev.sequitur.protocol.errand.RoomErrands.Step;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Stop;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;

/**
 * Forgets what has ended, where the node's rules say so: one for the whole node, in one of its
 * JVMs. A few receipts, then a pause, so that nothing else waits for it. Remembers nothing across a
 * restart: the store says up to where it has come.
 */
public final class RoomKeeper extends AbstractBehavior<RoomKeeper.Command> {
  /** Between two looks whether something has become old enough. */
  static final Duration PACE = Duration.ofSeconds(10);

  /** Between two writes while there is more: a thousand receipts a second at the most. */
  static final Duration PAUSE = Duration.ofMillis(100);

  /** After so many receipts their room is given back: some hundred megabytes. */
  private static final long TIDIED_EVERY = 50_000;

  /** What the keeper is told. */
  public sealed interface Command extends ProtocolSerializable {}

  private record GoOn() implements Command {}

  private record Done(Step step) implements Command {}

  private record Tidied() implements Command {}

  private record Failed(Throwable cause) implements Command {}

  private record Late(Duration overdue) implements Command {}

  private final TimerScheduler<Command> timers;
  private final NodeStore store;
  private final NodeStanding standing;
  private final RoomErrands errands;
  private long untidy;
  private Stop told = Stop.NONE;

  public static Behavior<Command> create(NodeSetup setup, NodeStanding standing) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(timers -> new RoomKeeper(context, timers, setup, standing))));
  }

  private RoomKeeper(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeSetup setup,
      NodeStanding standing) {
    super(context);
    this.timers = timers;
    this.store = setup.ports().store();
    this.standing = standing;
    this.errands =
        new RoomErrands(
            new Room(setup.rules().room()), store, setup.clock(), setup.ports().export());
    context.getSelf().tell(new GoOn());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PostStop.class, stopped -> onStopped())
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case GoOn() -> onGoOn();
      case Done(var step) -> onDone(step);
      case Tidied() -> after(PAUSE);
      case Failed(var cause) -> onFailed(cause);
      case Late(var overdue) -> onLate(overdue);
    };
  }

  private Behavior<Command> onGoOn() {
    getContext()
        .pipeToSelf(
            errands.forget(),
            (step, failure) -> failure == null ? new Done(step) : new Failed(failure));
    return this;
  }

  private Behavior<Command> onDone(Step step) {
    untidy += step.freed().receipts();
    standing.forgotten(step);
    tell(step.stop());
    if (untidy >= TIDIED_EVERY) {
      untidy = 0;
      getContext()
          .pipeToSelf(
              store.tidy(),
              (done, failure) -> failure == null ? new Tidied() : new Failed(failure));
      return this;
    }
    return after(step.goesOn() ? PAUSE : PACE);
  }

  /** Whoever forgets a listener has a store that grows: that is said once. */
  private void tell(Stop stop) {
    if (stop == Stop.UNREAD && told != Stop.UNREAD) {
      getContext()
          .getLog()
          .warn(
              "Nothing more is forgotten: {}. Have it read on, delete it, or set room.unread.",
              stop.sentence());
    }
    told = stop;
  }

  private Behavior<Command> onFailed(Throwable cause) {
    standing.warnSeldom(
        "What has ended cannot be forgotten, and is tried again: "
            + Answers.cause(cause).getMessage());
    getContext()
        .pipeToSelf(
            errands.overdue(),
            (overdue, failure) -> new Late(failure == null ? overdue : Duration.ZERO));
    return this;
  }

  private Behavior<Command> onLate(Duration overdue) {
    standing.roomOverdue(overdue);
    return after(PACE);
  }

  /** The next one may be in another JVM, and finds out for itself. */
  private Behavior<Command> onStopped() {
    standing.roomOverdue(Duration.ZERO);
    return this;
  }

  private Behavior<Command> after(Duration pause) {
    timers.startSingleTimer(new GoOn(), pause);
    return this;
  }
}

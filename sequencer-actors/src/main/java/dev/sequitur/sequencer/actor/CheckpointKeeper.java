package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.CheckpointWitness;
import dev.sequitur.protocol.port.CheckpointWitness.Step;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.time.Duration;
import java.util.Optional;

/**
 * Has the node say what the ledger's blocks have left (ROM-9), once everybody in it has
 * acknowledged them: one for the whole node, in one of its JVMs. Remembers nothing across a
 * restart: the witness knows how far it is.
 */
public final class CheckpointKeeper extends AbstractBehavior<CheckpointKeeper.Command> {
  /** Between two looks whether there are new blocks. */
  static final Duration PACE = Duration.ofSeconds(10);

  /** Between two pages of blocks while there are more: nothing else waits for it. */
  static final Duration PAUSE = Duration.ofMillis(100);

  /** What the keeper is told. */
  public sealed interface Command extends ProtocolSerializable {}

  private record GoOn() implements Command {}

  private record Done(Step step) implements Command {}

  private record Failed(Throwable cause) implements Command {}

  private final TimerScheduler<Command> timers;
  private final NodeStore store;
  private final CheckpointWitness witness;
  private final NodeStanding standing;

  public static Behavior<Command> create(
      NodeStore store, CheckpointWitness witness, NodeStanding standing) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> new CheckpointKeeper(context, timers, store, witness, standing))));
  }

  private CheckpointKeeper(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeStore store,
      CheckpointWitness witness,
      NodeStanding standing) {
    super(context);
    this.timers = timers;
    this.store = store;
    this.witness = witness;
    this.standing = standing;
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
      case Failed(var cause) -> onFailed(cause);
    };
  }

  private Behavior<Command> onGoOn() {
    getContext()
        .pipeToSelf(
            store
                .indexedTo()
                .thenApply(to -> to.map(IndexedTo::height).orElse(BlockHeight.ZERO))
                .thenCompose(witness::goOn),
            (step, failure) -> failure == null ? new Done(step) : new Failed(failure));
    return this;
  }

  private Behavior<Command> onDone(Step step) {
    step.remark().ifPresent(standing::warnSeldom);
    standing.witnessing(step.remark());
    return after(step.goesOn() ? PAUSE : PACE);
  }

  /** That the ledger does not answer is told by the indexer. */
  private Behavior<Command> onFailed(Throwable cause) {
    standing.warnSeldom(
        "What the ledger's blocks have left cannot be said, and is tried again: "
            + Answers.cause(cause).getMessage());
    return after(PACE);
  }

  /** The next one may be in another JVM, and finds out for itself. */
  private Behavior<Command> onStopped() {
    standing.witnessing(Optional.empty());
    return this;
  }

  private Behavior<Command> after(Duration pause) {
    timers.startSingleTimer(new GoOn(), pause);
    return this;
  }
}

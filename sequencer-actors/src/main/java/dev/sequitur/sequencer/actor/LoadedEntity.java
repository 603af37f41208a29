package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.persistence.typed.javadsl.Effect;
import dev.sequitur.protocol.machine.Host.Folded;
import dev.sequitur.protocol.machine.Machine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An entity that begins with what it reads from the node store: until that is here, what it is told
 * may wait. What it decides may have to be in the node store, too, before anything leaves. If the
 * store fails it ends, as when its events can't be stored: it comes back by itself and knows what
 * the disk says.
 */
abstract class LoadedEntity<C, I, S, E, F> extends MachineEntity<C, I, S, E, F> {
  private final ActorRef<C> self;
  private final Function<Supplier<Effect<E, S>>, C> turn;
  private boolean loaded;

  /**
   * @param turn a command of its own whose answer is just that: for what other threads want done
   */
  LoadedEntity(
      EntityTypeKey<C> key,
      Place<C> place,
      Signals<C> signals,
      Machine<I, S, E, F> machine,
      Snapshots<S> snapshots,
      Function<Supplier<Effect<E, S>>, C> turn) {
    super(key, place, signals, machine, snapshots);
    this.self = place.context().getSelf();
    this.turn = turn;
  }

  /**
   * Stores what goes with these in the node store; begun before the events are stored. Nothing
   * leaves before both are there.
   */
  CompletionStage<Void> alongside(List<F> effects) {
    return CompletableFuture.completedFuture(null);
  }

  final boolean isLoaded() {
    return loaded;
  }

  /** What it has read is here, and with it whatever waited for that. */
  final Effect<E, S> begin(I found) {
    loaded = true;
    var folded = fold(List.of(found));
    return storing(
        folded,
        () -> {
          line.letInLater();
          leave(folded, NOTHING);
        });
  }

  /** Now, or once it has read what it begins with. */
  final Effect<E, S> onceLoaded(Supplier<Effect<E, S>> work) {
    if (loaded) {
      return work.get();
    }
    line.waitUntilLoaded(turn.apply(work));
    return Effect().none();
  }

  /**
   * As {@link #feed}, for what may store something {@link #alongside}.
   *
   * @param whenDurable run when all that follows is
   */
  final Effect<E, S> take(List<? extends I> inputs, Runnable whenDurable) {
    var folded = fold(inputs);
    var kept = alongside(folded.effects()).toCompletableFuture();
    return storing(folded, () -> leaveOnce(kept, folded, whenDurable));
  }

  /** In a node of one JVM both are in one LevelDB, in which this comes first: it is done. */
  private void leaveOnce(CompletableFuture<Void> kept, Folded<E, F> folded, Runnable whenDurable) {
    if (kept.isDone() && !kept.isCompletedExceptionally()) {
      leave(folded, whenDurable);
      return;
    }
    kept.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            self.tell(turn.apply(() -> left(folded, whenDurable)));
          } else {
            failed("Storing what goes with its events", failure);
          }
        });
  }

  private Effect<E, S> left(Folded<E, F> folded, Runnable whenDurable) {
    leave(folded, whenDurable);
    return Effect().none();
  }

  /**
   * It cannot go on. From any thread.
   *
   * @param what failed, as a sentence begins
   */
  final void failed(String what, Throwable cause) {
    self.tell(turn.apply(() -> restart(what, cause)));
  }

  private Effect<E, S> restart(String what, Throwable cause) {
    context
        .getLog()
        .atError()
        .addKeyValue("contract", contract.toString())
        .setCause(cause)
        .log("{} failed, restarting", what);
    return Effect().stop();
  }
}

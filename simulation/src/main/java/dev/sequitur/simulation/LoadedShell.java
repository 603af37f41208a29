package dev.sequitur.simulation;

import dev.sequitur.protocol.machine.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The other edge of what LoadedEntity is one of: until it has read what it begins with, what it is
 * told may wait.
 */
abstract class LoadedShell<I, S, E, F> extends Shell<I, S, E, F> {
  private final List<Runnable> stashed = new ArrayList<>();
  private boolean loaded;

  LoadedShell(NodeLife node, String name, Machine<I, S, E, F> machine, List<E> journal) {
    super(node, name, machine, journal);
  }

  final boolean isLoaded() {
    return loaded;
  }

  /** What it has read is here, and with it whatever waited for that. */
  final void begin(I found) {
    tell(found);
    loaded = true;
    stashed.forEach(Runnable::run);
    stashed.clear();
  }

  /** Now, or once it has read what it begins with. */
  final void onceLoaded(Runnable work) {
    if (!node.isReached()) {
      node.hop(() -> onceLoaded(work));
    } else if (!isHere()) {
      // It is lost, as what an actor asks one that is about to stop.
      return;
    } else if (loaded) {
      work.run();
    } else {
      stashed.add(work);
    }
  }

  /** In the simulation no disk fails. */
  final void failed(String what, Throwable cause) {
    node.later(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException(what + " failed, and no disk does.", cause);
        });
  }

  @Override
  boolean isQuiet() {
    return super.isQuiet() && loaded;
  }
}

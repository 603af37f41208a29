package dev.sequitur.node.process;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says when a node has ended although nobody has asked it to, and why. */
public final class UnaskedEnd {
  /**
   * Longer than its data directory may take to be closed. Akka's remoting has been seen never to
   * end, where another process had taken the place of the one that it was connected to.
   */
  private static final Duration ANYWAY = Duration.ofSeconds(35);

  private static final String LEFT_OUT =
      "The other JVMs of node %s have left this one out, or it has lost sight of them: it ends, so"
          + " that nothing is written twice. Start it again once they reach each other.";

  private static final String BY_ITSELF =
      "The actor system of node %s has ended by itself: look into its log, then start it again.";

  private final ActorSystem<?> system;
  private final NodeName node;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final CompletableFuture<String> ended = new CompletableFuture<>();

  /** Does something later, and needs no actor system for it. */
  public interface Timer {
    void after(Duration delay, Runnable then);

    /** By the clock of the JDK. */
    static Timer ofJdk() {
      return (delay, then) -> {
        var unused =
            new CompletableFuture<Void>()
                .completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS)
                .thenRun(then);
      };
    }
  }

  /** Watches from now on. */
  public UnaskedEnd(ActorSystem<?> system, NodeName node, Timer timer) {
    this.system = system;
    this.node = node;
    system.getWhenTerminated().thenRun(this::end);
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "end-anyway",
            () -> {
              timer.after(ANYWAY, this::end);
              return CompletableFuture.completedFuture(Done.getInstance());
            });
  }

  /** Whatever ends from now on was asked for. */
  void ask() {
    asked.set(true);
  }

  boolean isReached() {
    return ended.isDone();
  }

  /** Completes with a sentence that says why and what to do; never if the end was asked for. */
  public CompletionStage<String> reached() {
    return ended;
  }

  private void end() {
    if (!asked.get()) {
      ended.complete((isLeftOut(system) ? LEFT_OUT : BY_ITSELF).formatted(node));
    }
  }

  /** Whether the system ends because this JVM does not belong to the others any more. */
  static boolean isLeftOut(ActorSystem<?> system) {
    return CoordinatedShutdown.get(system)
        .getShutdownReason()
        .filter(CoordinatedShutdown.clusterDowningReason()::equals)
        .isPresent();
  }

  static String leftOut(NodeName node) {
    return LEFT_OUT.formatted(node);
  }
}

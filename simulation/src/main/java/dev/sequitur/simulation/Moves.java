package dev.sequitur.simulation;

import dev.sequitur.protocol.port.NodeStore.Intent;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What comes between an intent that is stored and the sender that is to have it: senders move to
 * another JVM of their node, and the store says that it has failed, with the intent stored or not.
 */
final class Moves {
  private static final int MOVES = 8;
  private static final int JVM_FAULTS = 4;

  private final Simulation simulation;
  private SplittableRandom random;
  private boolean strikes;

  Moves(Simulation simulation) {
    this.simulation = simulation;
  }

  void start(Duration within) {
    random = new SplittableRandom(simulation.setup().seed() * 83);
    strikes = true;
    for (var node : simulation.nodes()) {
      for (int i = 0; i < MOVES; i++) {
        var contracts = List.copyOf(simulation.groups());
        var contract = contracts.get(random.nextInt(contracts.size())).contract();
        var away = Duration.ofMillis(300 + random.nextInt(2_500));
        simulation.after(
            Duration.ofMillis(random.nextLong(within.toMillis())),
            () -> {
              if (strikes && node.isUp() && node.running().moveSender(contract, away)) {
                simulation.injected(Fault.SENDER_MOVED);
              }
            });
      }
    }
  }

  /** The JVMs of a node that has several come and go. */
  void startJvms(Duration within) {
    var apart = new SplittableRandom(simulation.setup().seed() * 101);
    strikes = true;
    for (var node : simulation.nodes()) {
      for (int i = 0; i < (node.jvms().count() > 1 ? JVM_FAULTS : 0); i++) {
        boolean dies = apart.nextBoolean();
        long which = apart.nextLong(1_000);
        var away = Duration.ofMillis(100 + apart.nextInt(8_000));
        simulation.after(
            Duration.ofMillis(apart.nextLong(within.toMillis())),
            () -> {
              if (strikes && node.isUp()) {
                node.jvms().strike(which, dies, away);
              }
            });
      }
    }
  }

  /** Nothing fails from now on. */
  void calm() {
    strikes = false;
  }

  /**
   * What is stored of a batch, or why nobody knows.
   *
   * @param store stores it
   */
  <T> CompletionStage<T> accept(
      NodeLife node, List<Intent> batch, Supplier<CompletionStage<T>> store) {
    // What a schedule runs has a key, and whoever makes groups looks for itself.
    boolean isPlain =
        batch.stream().allMatch(it -> it.idempotencyKey().isEmpty() && it.newGroup().isEmpty());
    int dice = random != null && strikes && isPlain ? random.nextInt(16) : 15;
    if (dice > 1) {
      return store.get();
    }
    simulation.injected(Fault.ACCEPTANCE_FAILED);
    var failure = new IllegalStateException("The store has failed.");
    if (dice == 0) {
      return store.get().thenCompose(stored -> CompletableFuture.failedFuture(failure));
    }
    return SimulatedSurroundings.answer(
            node,
            NodeLife.WRITE,
            () -> {
              batch.forEach(it -> node.home().accepted(it.transaction().id()));
              return true;
            })
        .thenCompose(stored -> CompletableFuture.failedFuture(failure));
  }
}

package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Waits for what a transaction depends on (SND-6). The end of this sender's own transactions is
 * seen here; the receipts of others, of other contracts or of before a restart, are looked up, ever
 * less often.
 */
final class Depending {
  private Depending() {}

  /** Called once {@code dependant} and all that came with it are live. */
  static void await(SenderStep step, SenderTransaction dependant) {
    var waitsFor = dependant.waitsFor();
    for (var dependency : dependant.transaction().dependsOn()) {
      if (!step.state().ended().own(dependency).equals(Optional.of(TransactionState.CONFIRMED))) {
        waitsFor = waitsFor.plus(dependency);
        var dependencies = step.state().dependencies();
        step.become(
            step.state()
                .withDependencies(dependencies.plus(dependency, dependant.id(), step.now())));
        lookUpIfDue(step, dependency);
      }
    }
    step.put(dependant.waitsFor(waitsFor));
  }

  static void onTick(SenderStep step) {
    List.copyOf(step.state().dependencies().awaited().keySet())
        .forEach(dependency -> lookUpIfDue(step, dependency));
  }

  private static void lookUpIfDue(SenderStep step, TransactionId dependency) {
    var awaited = step.state().dependencies().awaited().get(dependency);
    if (step.get(dependency) != null || awaited.nextLookUp().isAfter(step.now())) {
      return;
    }
    var wait =
        step.setup
            .settings()
            .retries()
            .attempt()
            .wait(awaited.lookUps() + 1, dependency.hashCode());
    Instant next = step.now().plus(wait);
    step.become(
        step.state().withDependencies(step.state().dependencies().lookedUp(dependency, next)));
    step.effect(new SenderEffect.LookUpReceipt(dependency));
  }

  /** Releases what waited for it, or ends that too, with all that waits for that in turn. */
  static void onEnded(SenderStep step, TransactionId dependency, boolean success) {
    var reverted = new ArrayDeque<TransactionId>();
    if (success) {
      release(step, dependency);
    } else {
      reverted.add(dependency);
    }
    // Not by recursion: a chain may be as long as what waits.
    while (!reverted.isEmpty()) {
      var next = reverted.remove();
      var waiting = step.state().dependencies().waitingFor(next);
      step.become(step.state().withDependencies(step.state().dependencies().ended(next)));
      for (var dependant : waiting) {
        var why = "It depends on " + next + ", which ended as reverted.";
        if (step.move(dependant, TransactionEvent.REVERT, why)) {
          reverted.add(dependant);
        }
      }
    }
  }

  private static void release(SenderStep step, TransactionId dependency) {
    for (var waiting : step.state().dependencies().waitingFor(dependency)) {
      var transaction = step.get(waiting);
      step.put(transaction.waitsFor(transaction.waitsFor().minus(dependency)));
    }
    step.become(step.state().withDependencies(step.state().dependencies().ended(dependency)));
  }
}

package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Host.Folded;
import dev.sequitur.protocol.machine.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A {@link Host} on a simulated node, as an actor is one on a real node: events are on disk before
 * anything leaves, and inputs wait meanwhile.
 */
abstract class Shell<I, S, E, F> {
  protected final NodeLife node;
  private final String name;
  private final List<E> journal;
  private final Host<I, S, E, F> host;
  private final ArrayDeque<Told<I>> inbox = new ArrayDeque<>();
  private boolean writing;
  private final List<Told<I>> held = new ArrayList<>();
  private int leaving;
  private int written;
  private boolean gone;
  private boolean holds;

  /**
   * @param inputs in a row
   */
  private record Told<I>(List<I> inputs, Runnable whenDurable) {}

  Shell(NodeLife node, String name, Machine<I, S, E, F> machine, List<E> journal) {
    this.node = node;
    this.name = name;
    this.journal = journal;
    this.written = journal.size();
    this.host =
        new Host<>(
            machine.with((before, input, now) -> decide(machine.rules(), before, input, now)),
            machine.recover(journal));
  }

  /**
   * @param whenDurable run when all that follows from them is
   */
  abstract void perform(List<F> effects, Runnable whenDurable);

  abstract ContractAddress contract();

  final NodeLife node() {
    return node;
  }

  /**
   * What is stored elsewhere too, begun before the events are stored; nothing leaves before both is
   * done.
   */
  CompletionStage<Void> alongside(List<F> effects) {
    return CompletableFuture.completedFuture(null);
  }

  /** Sees each single decision, for the invariants. */
  void decided(S before, Decision<S, E, F> decision) {}

  /** Sees what has just become durable, for the invariants. */
  void committed(List<E> events) {
    node.simulation().conduct().onCommitted(node.name(), contract(), events);
    node.simulation().coordinating().onCommitted(node.speaker(), events);
  }

  final S state() {
    return host.state();
  }

  /** What a life would begin with that began now. */
  S recovered() {
    return host.machine().recover(journal);
  }

  boolean isQuiet() {
    return inbox.isEmpty() && !writing && leaving == 0;
  }

  /** It is in memory no longer: what it is told now is lost. */
  void leave() {
    gone = true;
  }

  /** The same, but what it is told now is held back for its next life. */
  final void leaveForNow() {
    leave();
    holds = true;
  }

  /** What is held back for the life before this one. */
  final void takeHeld(Shell<I, S, E, F> before) {
    before.held.forEach(told -> tell(told.inputs(), told.whenDurable()));
    before.held.clear();
  }

  final boolean isWriting() {
    return writing;
  }

  /** Whether no other life of it has written since. */
  final boolean isCurrent() {
    return written == journal.size();
  }

  final boolean isHere() {
    return !gone;
  }

  /** Its first moment: what it is told first. */
  final void start() {
    inbox.add(new Told<>(List.of(), () -> {}));
    drain();
  }

  final void tick() {
    tell(host.machine().tick());
  }

  final void tell(I input) {
    tell(input, () -> {});
  }

  final void tell(I input, Runnable whenDurable) {
    tell(List.of(input), whenDurable);
  }

  /**
   * @param inputs in a row
   */
  final void tell(List<I> inputs, Runnable whenDurable) {
    if (!node.isReached()) {
      node.hop(() -> tell(inputs, whenDurable));
    } else if (!gone) {
      inbox.add(new Told<>(inputs, whenDurable));
      drain();
    } else if (holds) {
      held.add(new Told<>(inputs, whenDurable));
    }
  }

  private void drain() {
    while (!writing && !inbox.isEmpty()) {
      var inputs = new ArrayList<I>();
      var durable = new ArrayList<Runnable>();
      while (!inbox.isEmpty()) {
        var told = inbox.poll();
        inputs.addAll(told.inputs());
        durable.add(told.whenDurable());
      }
      var folded = host.fold(inputs, node.now());
      leaving++;
      var stored = node.simulation().tampering().alongside(this, alongside(folded.effects()));
      if (folded.events().isEmpty()) {
        leave(stored, folded, durable);
      } else {
        write(folded.events(), () -> leave(stored, folded, durable));
      }
    }
  }

  private Decision<S, E, F> decide(
      Machine.Rules<I, S, E, F> rules, S before, I given, Instant now) {
    var tampering = node.simulation().tampering();
    var input = tampering.input(this, given);
    if (input.isEmpty()) {
      return new Decision<>(before, List.of(), List.of(), List.of());
    }
    var decision = tampering.decided(this, rules.decide(before, input.get(), now));
    decided(before, decision);
    return decision;
  }

  private void write(List<E> events, Runnable then) {
    writing = true;
    node.later(
        NodeLife.WRITE,
        () -> {
          if (gone) {
            return;
          }
          node.reach(new Moment.Committing(node.name(), name, events));
          if (!isCurrent()) {
            node.overtaken(this);
            return;
          }
          journal.addAll(events);
          written = journal.size();
          committed(events);
          node.trace(name, events);
          node.reach(new Moment.Committed(node.name(), name, events));
          writing = false;
          then.run();
          drain();
        });
  }

  /** What was to be stored first may be so already; nothing happens within its future. */
  private void leave(CompletionStage<Void> stored, Folded<E, F> folded, List<Runnable> durable) {
    var done = stored.toCompletableFuture();
    if (done.isDone() && !done.isCompletedExceptionally()) {
      leave(folded, durable);
    } else {
      var unused = stored.thenRun(() -> node.later(Duration.ZERO, () -> leave(folded, durable)));
      unused.exceptionally(refused -> endRefused());
    }
  }

  /** As an actor whose messages cannot be kept. */
  private Void endRefused() {
    node.later(
        Duration.ZERO,
        () -> {
          if (!gone) {
            node.overtaken(this);
          }
        });
    return null;
  }

  private void leave(Folded<E, F> folded, List<Runnable> durable) {
    if (gone) {
      return;
    }
    leaving--;
    folded.messages().forEach(node::send);
    perform(folded.effects(), () -> durable.forEach(Runnable::run));
  }
}

package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.attempt.Attempts;
import dev.sequitur.schedule.queue.BlockClock;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueState;
import java.time.Duration;
import java.util.List;

/** The other edge of what QueueActor is one of; the one queue of a node. */
final class QueueShell extends Shell<QueueInput, QueueState, QueueEvent, QueueEffect> {
  static final String NAME = "queue";

  /** As in the node's settings, if nothing else is said. */
  private static final Duration BLOCK_INTERVAL = Duration.ofMillis(100);

  private final BlockClock blocks;
  private final AttemptsShell attempts;
  private long wakes;

  QueueShell(NodeLife node) {
    super(node, NAME, Scheduling.RULES.machine(node::wall), node.disk().queue);
    this.blocks =
        new BlockClock(
            Scheduling.RULES,
            BLOCK_INTERVAL,
            () -> node.wall(node.now()).followed(Scheduling.RULES.setup().maxAhead()),
            this::wakeIn);
    this.attempts = new AttemptsShell(node, this);
  }

  AttemptsShell attempts() {
    return attempts;
  }

  @Override
  void leave() {
    super.leave();
    attempts.leave();
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for all contracts.");
  }

  @Override
  void decided(QueueState before, Decision<QueueState, QueueEvent, QueueEffect> decision) {
    node.simulation().scheduling().onDecided(node.name(), decision.state());
  }

  @Override
  void committed(List<QueueEvent> events) {
    node.simulation().scheduling().onCommitted(node.name(), events);
  }

  @Override
  void perform(List<QueueEffect> effects, Runnable whenDurable) {
    for (var effect : effects) {
      switch (effect) {
        case QueueEffect.HandOver handOver -> attempts.tell(new Attempts.Input.Begin(handOver));
        case QueueEffect.Answer answer -> node.trace("answered", answer);
        case QueueEffect.BatchAnswer answer -> node.trace("answered", answer);
        case QueueEffect.Publish(var notice, var ignored) -> node.trace("published", notice);
      }
    }
    whenDurable.run();
    blocks.plan(state());
    cut();
  }

  private void cut() {
    if (blocks.take()) {
      node.later(Duration.ZERO, this::tick);
    }
  }

  private void wakeIn(Duration time) {
    long wake = ++wakes;
    node.later(
        time,
        () -> {
          if (wake == wakes) {
            blocks.due();
            cut();
          }
        });
  }
}

package dev.sequitur.simulation;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.schedule.attempt.Attempts;
import dev.sequitur.schedule.call.AttemptErrands;
import dev.sequitur.schedule.queue.QueueInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a queue has carried out by others; lives and dies with it. */
final class AttemptsShell extends Shell<Attempts.Input, Attempts.State, Void, Attempts.Effect>
    implements AttemptErrands.Edge {
  private static final Attempts.Settings SETTINGS =
      new Attempts.Settings(
          "default",
          500,
          3,
          new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2)),
          Scheduling.RULES.setup().gas().call());

  private final QueueShell queue;
  private final AttemptErrands errands;
  private long wakes;

  AttemptsShell(NodeLife node, QueueShell queue) {
    super(node, "attempts", new Attempts(SETTINGS).machine(), new ArrayList<>());
    this.queue = queue;
    this.errands = new AttemptErrands(node.scheduledCalls(), this);
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for all contracts, and stores nothing.");
  }

  @Override
  void perform(List<Attempts.Effect> effects, Runnable whenDurable) {
    errands.run(effects);
    whenDurable.run();
  }

  @Override
  public void answer(Attempts.Input input) {
    node.later(Duration.ZERO, () -> tell(input));
  }

  @Override
  public void tellQueue(QueueInput input) {
    node.later(Duration.ZERO, () -> queue.tell(input));
  }

  @Override
  public void wakeIn(Duration time) {
    long wake = ++wakes;
    node.later(
        time,
        () -> {
          if (wake == wakes) {
            tick();
          }
        });
  }
}

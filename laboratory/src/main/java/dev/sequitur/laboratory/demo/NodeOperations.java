package dev.sequitur.laboratory.demo;

import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.NodeLoad.Timed;
import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Those operations of a load that one node submits, each when it is due. Confined to one thread.
 */
public final class NodeOperations implements NodeLoad.Source {
  /** The operations of all nodes, by index from 0 to {@code size}, exclusive. */
  public record All(int size, IntFunction<Operation> operation) {}

  private static final long NANOS = 1_000_000_000;

  private final NodeName node;
  private final All all;
  private final Intents intents;
  private final int rate;
  private final long start = System.nanoTime();
  private int next;

  /**
   * @param rate of all together, a second; 0 if all are due at once
   */
  public NodeOperations(NodeName node, All all, Intents intents, int rate) {
    this.node = node;
    this.all = all;
    this.intents = intents;
    this.rate = rate;
  }

  @Override
  public Optional<Timed> next(long now) {
    while (next < all.size()) {
      long due = rate == 0 ? now : start + next * NANOS / rate;
      if (due > now) {
        break;
      }
      var operation = all.operation().apply(next++);
      if (operation.from().node().equals(node)) {
        return Optional.of(new Timed(intents.of(operation), due));
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean isDone() {
    return next == all.size();
  }
}

package dev.sequitur.transport;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * One way in which a network misbehaves. A probability is from 0 to 1 and drawn for each envelope.
 */
public sealed interface FaultRule {

  /** Whether the rule has anything to say about this envelope. */
  boolean concerns(Envelope envelope);

  /**
   * When the copies of an envelope that the rule concerns arrive.
   *
   * @param copies by the rules before this one: each copy's delay; none if it is lost already
   */
  List<Duration> apply(List<Duration> copies, RandomGenerator random);

  /** A rule for the envelopes of a scope. */
  sealed interface Scoped extends FaultRule {
    FaultScope scope();

    @Override
    default boolean concerns(Envelope envelope) {
      return scope().contains(envelope);
    }
  }

  /** Loses envelopes. */
  record Drop(FaultScope scope, double probability) implements Scoped {
    public Drop {
      checkProbability(probability);
    }

    @Override
    public List<Duration> apply(List<Duration> copies, RandomGenerator random) {
      return random.nextDouble() < probability ? List.of() : copies;
    }
  }

  /** Holds envelopes back. */
  record Delay(FaultScope scope, double probability, DelayTime time) implements Scoped {
    public Delay {
      checkProbability(probability);
    }

    @Override
    public List<Duration> apply(List<Duration> copies, RandomGenerator random) {
      return random.nextDouble() < probability
          ? copies.stream().map(copy -> copy.plus(time.draw(random))).toList()
          : copies;
    }
  }

  /** Delivers envelopes twice. */
  record Duplicate(FaultScope scope, double probability) implements Scoped {
    public Duplicate {
      checkProbability(probability);
    }

    @Override
    public List<Duration> apply(List<Duration> copies, RandomGenerator random) {
      if (copies.isEmpty() || random.nextDouble() >= probability) {
        return copies;
      }
      var more = new ArrayList<>(copies);
      more.add(copies.get(0));
      return more;
    }
  }

  /**
   * Lets later envelopes overtake.
   *
   * @param window an envelope is overtaken by what is sent within some part of this time
   */
  record Reorder(FaultScope scope, double probability, Duration window) implements Scoped {
    public Reorder {
      checkProbability(probability);
      if (window.isNegative() || window.isZero()) {
        throw new IllegalArgumentException("The window of a reordering is longer than zero.");
      }
    }

    @Override
    public List<Duration> apply(List<Duration> copies, RandomGenerator random) {
      var time = new DelayTime.Uniform(Duration.ZERO, window);
      return new Delay(scope, probability, time).apply(copies, random);
    }
  }

  /** Lets nothing through between two sets of nodes; within each all goes on. */
  record Partition(Set<NodeName> nodes, Set<NodeName> others, Direction direction)
      implements FaultRule {

    /** Which way is cut. */
    public enum Direction {
      /** From {@code nodes} to {@code others}. */
      ONE_WAY,
      BOTH_WAYS
    }

    public Partition {
      nodes = Set.copyOf(nodes);
      others = Set.copyOf(others);
      if (nodes.isEmpty() || others.isEmpty()) {
        throw new IllegalArgumentException("A partition has nodes on both sides.");
      }
    }

    @Override
    public boolean concerns(Envelope envelope) {
      return isCut(envelope.from(), envelope.to())
          || (direction == Direction.BOTH_WAYS && isCut(envelope.to(), envelope.from()));
    }

    private boolean isCut(NodeName from, NodeName to) {
      return nodes.contains(from) && others.contains(to);
    }

    @Override
    public List<Duration> apply(List<Duration> copies, RandomGenerator random) {
      return List.of();
    }
  }

  private static void checkProbability(double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "A probability is between 0 and 1, not " + probability + ".");
    }
  }
}

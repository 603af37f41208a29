package dev.sequitur.protocol.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * When shards get other weights: a rule without a clock, for the one JVM that decides it. It looks
 * now and then at what each JVM has counted, and changes the weights only if the busiest JVM has
 * too much with those that are there and would have clearly less with new ones: each change moves
 * entities, and what is there is mostly good enough.
 *
 * @param counted of each JVM, what it has counted by shards since its start, as of the last look
 * @param work of each shard between two looks, smoothed
 * @param weights those that hold
 * @param looks since they were changed
 */
public record Weighing(
    Map<String, List<Long>> counted, List<Double> work, ShardWeights weights, int looks) {
  /** Of what shards weigh the busiest JVM may have so many fair shares; of what they do, 1.12. */
  static final double BOUND = 1.1;

  /** So much less the busiest JVM must have after a change, in fair shares. */
  static final double GAIN = 0.05;

  /** After a change shards move, and what entities do when they begin is no measure. */
  static final int REST = 10;

  /**
   * So much the JVMs must have done between two looks, each on average: who does less is not busy,
   * and by chance alone one of them would have a tenth more than another.
   */
  static final long LEAST = 5_000;

  /** What the newest look counts for. */
  private static final double NEWEST = 0.25;

  /** This part of all weights is dealt out evenly, so that shards without work are spread too. */
  private static final double ALIKE = 0.1;

  private static final int PARTS = 1_000_000;

  /** Of a JVM that has not looked yet; {@code weights} are those that it was told. */
  public static Weighing begun(ShardWeights weights) {
    return new Weighing(Map.of(), List.of(), weights, 0);
  }

  public Weighing {
    counted = Map.copyOf(counted);
    work = List.copyOf(work);
  }

  /** Of two that were told the newer one holds. */
  public Weighing told(ShardWeights other) {
    return other.number() > weights.number() ? new Weighing(counted, work, other, 0) : this;
  }

  /**
   * @param now what each JVM has counted since its start: of all that take shards, else nothing is
   *     decided
   * @param jvms that take shards
   * @param shards how many there are
   */
  public Weighing look(Map<String, List<Long>> now, Collection<String> jvms, int shards) {
    if (jvms.isEmpty() || !now.keySet().containsAll(jvms)) {
      return this;
    }
    if (counted.isEmpty()) {
      return new Weighing(now, List.of(), weights, looks);
    }
    return new Weighing(now, smoothed(done(now, shards)), weights, Math.min(looks + 1, REST))
        .decided(jvms);
  }

  /** Of a JVM that is new, or has begun anew, it is not known when it did what it has counted. */
  private List<Long> done(Map<String, List<Long>> now, int shards) {
    var done = new ArrayList<Long>();
    for (int shard = 0; shard < shards; shard++) {
      long sum = 0;
      for (var jvm : now.entrySet()) {
        var before = counted.get(jvm.getKey());
        if (before != null && before.size() == shards && jvm.getValue().size() == shards) {
          sum += Math.max(0, jvm.getValue().get(shard) - before.get(shard));
        }
      }
      done.add(sum);
    }
    return done;
  }

  private List<Double> smoothed(List<Long> done) {
    var smoothed = new ArrayList<Double>();
    for (int shard = 0; shard < done.size(); shard++) {
      double last = done.get(shard);
      smoothed.add(
          work.size() == done.size() ? work.get(shard) * (1 - NEWEST) + last * NEWEST : last);
    }
    return smoothed;
  }

  private Weighing decided(Collection<String> jvms) {
    double all = work.stream().mapToDouble(each -> each).sum();
    if (looks < REST || all < LEAST * jvms.size()) {
      return this;
    }
    var measured = new ShardWeights(weights.number() + 1, weights(all));
    double present = busiest(measured, weights, jvms);
    double next = busiest(measured, measured, jvms);
    return present > BOUND && next <= present - GAIN
        ? new Weighing(counted, work, measured, 0)
        : this;
  }

  private List<Integer> weights(double all) {
    double alike = ALIKE / work.size();
    return work.stream()
        .map(each -> 1 + (int) Math.round(PARTS * (alike + (1 - ALIKE) * each / all)))
        .toList();
  }

  /** How much the busiest JVM has of what was measured where shards are dealt out by others. */
  private double busiest(ShardWeights measured, ShardWeights by, Collection<String> jvms) {
    var names = List.copyOf(new TreeSet<>(jvms));
    return WeightedShares.busiest(EvenShares.of(work.size(), names, by), measured.of(), names);
  }
}

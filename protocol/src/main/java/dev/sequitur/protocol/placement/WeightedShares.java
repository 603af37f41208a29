package dev.sequitur.protocol.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evens out by weights what was dealt out by numbers, with few moves: the busiest JVM gives a shard
 * away, or changes one for a lighter one of another, as long as it has more than its share and that
 * lowers it by enough. Only for one calculation.
 */
final class WeightedShares {
  /** A JVM that has so much more than its share gives none away, in parts of its share. */
  static final double ENOUGH = 0.02;

  /** What a move has to gain, in parts of a fair share. */
  static final double WORTH = 0.01;

  private final List<Integer> weights;
  private final List<String> jvms;
  private final List<String> places;
  private final Map<String, Long> loads;
  private final double fair;

  /**
   * @param places the JVM of each shard
   * @param weights of each shard
   * @param jvms among which they are, in an order that is the same for all who calculate
   */
  WeightedShares(List<String> places, List<Integer> weights, List<String> jvms) {
    this.weights = weights;
    this.jvms = jvms;
    this.places = new ArrayList<>(places);
    this.loads = loads(places, weights, jvms);
    this.fair = fair(weights, jvms);
  }

  /** How much the busiest JVM has, in fair shares. */
  static double busiest(List<String> places, List<Integer> weights, List<String> jvms) {
    return loads(places, weights, jvms).values().stream().mapToLong(each -> each).max().orElse(0)
        / fair(weights, jvms);
  }

  private static double fair(List<Integer> weights, List<String> jvms) {
    return weights.stream().mapToLong(Integer::longValue).sum() / (double) jvms.size();
  }

  private static Map<String, Long> loads(
      List<String> places, List<Integer> weights, List<String> jvms) {
    var loads = new HashMap<String, Long>();
    jvms.forEach(jvm -> loads.put(jvm, 0L));
    for (int shard = 0; shard < places.size(); shard++) {
      loads.merge(places.get(shard), (long) weights.get(shard), Long::sum);
    }
    return loads;
  }

  /**
   * @param back what comes in its place; -1 for none
   * @param most what the busier of the two JVMs has then
   */
  private record Move(int shard, String to, int back, long most) {}

  /** Each step lowers the sum of the squares of what JVMs have, so that it ends. */
  List<String> evened() {
    for (int steps = 0; steps < places.size(); steps++) {
      var from = busiest();
      long has = loads.get(from);
      if (has <= fair * (1 + ENOUGH)) {
        break;
      }
      var best = best(from).filter(move -> has - move.most() >= fair * WORTH);
      if (best.isEmpty()) {
        break;
      }
      carryOut(from, best.get());
    }
    return List.copyOf(places);
  }

  private String busiest() {
    return jvms.stream().max(Comparator.comparingLong(loads::get)).orElseThrow();
  }

  /** To give one away moves less than to change two. */
  private Optional<Move> best(String from) {
    var given = Optional.<Move>empty();
    var changed = Optional.<Move>empty();
    for (int shard = 0; shard < places.size(); shard++) {
      if (places.get(shard).equals(from)) {
        for (var jvm : jvms) {
          if (!jvm.equals(from)) {
            given = better(given, move(from, shard, jvm, -1));
          }
        }
        for (int back = 0; back < places.size(); back++) {
          if (!places.get(back).equals(from) && weights.get(back) < weights.get(shard)) {
            changed = better(changed, move(from, shard, places.get(back), back));
          }
        }
      }
    }
    boolean isEnough = given.filter(move -> move.most() <= fair * (1 + ENOUGH)).isPresent();
    return isEnough ? given : changed.isPresent() ? better(given, changed.get()) : given;
  }

  private Move move(String from, int shard, String to, int back) {
    long less = less(shard, back);
    return new Move(shard, to, back, Math.max(loads.get(from) - less, loads.get(to) + less));
  }

  /** What who gives a shard, and perhaps gets another one back, has less. */
  private int less(int shard, int back) {
    return weights.get(shard) - (back < 0 ? 0 : weights.get(back));
  }

  private static Optional<Move> better(Optional<Move> known, Move other) {
    return known.isPresent() && known.get().most() <= other.most() ? known : Optional.of(other);
  }

  private void carryOut(String from, Move move) {
    long less = less(move.shard(), move.back());
    places.set(move.shard(), move.to());
    if (move.back() >= 0) {
      places.set(move.back(), from);
    }
    loads.merge(from, -less, Long::sum);
    loads.merge(move.to(), less, Long::sum);
  }
}

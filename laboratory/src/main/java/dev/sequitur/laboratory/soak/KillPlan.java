package dev.sequitur.laboratory.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * When a JVM is killed, and which: the first after one interval, so that there is a time before,
 * and none so late that there is no time after. The same seed kills the same JVMs if all are up
 * each time. Confined to one thread.
 */
final class KillPlan {
  private final Duration every;
  private final Duration last;
  private final SplittableRandom random;
  private int due = 1;

  /**
   * @param load how long transactions are sent
   */
  KillPlan(Duration every, Duration load, long seed) {
    this.every = every;
    this.last = load.minus(KillLog.AFTERMATH);
    this.random = new SplittableRandom(seed);
  }

  /**
   * Takes what is due: several intervals that went by unasked count as one.
   *
   * @param elapsed since the load began
   * @param up the JVMs that could be killed; if there are none the kill is left out
   */
  <T> Optional<T> victim(Duration elapsed, List<T> up) {
    if (elapsed.compareTo(every.multipliedBy(due)) < 0 || elapsed.compareTo(last) > 0) {
      return Optional.empty();
    }
    due = (int) (elapsed.toNanos() / every.toNanos()) + 1;
    var candidates = new ArrayList<>(up);
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(candidates.get(random.nextInt(candidates.size())));
  }
}

package dev.sequitur.laboratory.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When JVMs were killed, on the clock of {@link System#nanoTime}. Confined to one thread. */
final class KillLog {
  /** How long after a kill counts as during it at least: what is in flight then has met it. */
  static final Duration AFTERMATH = Duration.ofSeconds(15);

  /** Where the life of a transaction lies. */
  enum Phase {
    /** It was final before the first kill. */
    BEFORE,
    /**
     * It was in flight at some time within the aftermath of a kill, or before what was killed
     * served again.
     */
    DURING,
    /** It was in flight only when the aftermath of every earlier kill was over. */
    AFTER
  }

  private final List<Long> kills = new ArrayList<>();
  private final Map<Long, Long> recovered = new HashMap<>();

  void add(long nanoTime) {
    kills.add(nanoTime);
  }

  /** What was killed then serves again. */
  void recovered(long kill, long nanoTime) {
    recovered.put(kill, nanoTime);
  }

  int size() {
    return kills.size();
  }

  /**
   * @param from when it was due to be sent
   * @param to when it was final
   */
  Phase phase(long from, long to) {
    boolean met = kills.stream().anyMatch(kill -> to - kill >= 0 && from - kill <= lasted(kill));
    if (met) {
      return Phase.DURING;
    }
    return kills.stream().anyMatch(kill -> kill - from < 0) ? Phase.AFTER : Phase.BEFORE;
  }

  private long lasted(long kill) {
    return Math.max(AFTERMATH.toNanos(), recovered.getOrDefault(kill, kill) - kill);
  }
}

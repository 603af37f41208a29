package dev.sequitur.sequencer.setup;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts by Prometheus name. Thread-safe, cheap. */
public final class Counters {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  public void add(String name, long howMany) {
    counts.computeIfAbsent(name, key -> new LongAdder()).add(howMany);
  }

  /** As they are now. */
  public Map<String, Double> snapshot() {
    var values = new TreeMap<String, Double>();
    counts.forEach((name, count) -> values.put(name, (double) count.sum()));
    return values;
  }
}

package dev.sequitur.sequencer.transport;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one transport since it was made. Thread-safe and cheap to add to. */
public final class TransportCounters {
  private final Map<TransportCounter, LongAdder> counters = new EnumMap<>(TransportCounter.class);

  public TransportCounters() {
    for (var counter : TransportCounter.values()) {
      counters.put(counter, new LongAdder());
    }
  }

  public void add(TransportCounter counter, long amount) {
    counters.get(counter).add(amount);
  }

  public long get(TransportCounter counter) {
    return counters.get(counter).sum();
  }

  /** All of them by Prometheus name. */
  public Map<String, Double> metrics() {
    var metrics = new TreeMap<String, Double>();
    counters.forEach((counter, value) -> metrics.put(counter.metricName(), (double) value.sum()));
    return metrics;
  }
}

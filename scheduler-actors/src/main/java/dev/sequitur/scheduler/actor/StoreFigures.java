package dev.sequitur.scheduler.actor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How it goes with what the queues in this JVM write beside their journal, and which of them could
 * not be started. Names no queue: they are their users' own. Thread-safe.
 */
public final class StoreFigures {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** What is written. */
  enum Kind {
    CHECKPOINT(
        "checkpoint",
        "Schedule queues whose checkpoints cannot be written: %d, since %s or later. Their journals"
            + " grow, and a restart takes longer."),
    BODIES(
        "bodies",
        "Schedule queues whose executed bodies cannot be stored: %d, since %s or later. They fill"
            + " the memory, and in the end creations are refused as BUSY."),
    COMMANDS(
        "commands",
        "Schedule queues whose finished commands cannot be stored: %d, since %s or later. They fill"
            + " the memory, and in the end commands with a key are refused as BUSY.");

    private final String metric;
    private final String trouble;

    Kind(String metric, String trouble) {
      this.metric = metric;
      this.trouble = trouble;
    }
  }

  /**
   * Of a queue.
   *
   * @param good when a write last succeeded, or the queue came into memory
   * @param failing whether the last one failed
   */
  private record Writes(Instant good, boolean failing) {}

  private final Map<Kind, Map<String, Writes>> writes = new EnumMap<>(Kind.class);
  private final Map<Kind, LongAdder> failures = new EnumMap<>(Kind.class);
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  StoreFigures() {
    for (var kind : Kind.values()) {
      writes.put(kind, new ConcurrentHashMap<>());
      failures.put(kind, new LongAdder());
    }
  }

  /** A queue has come into memory. */
  void began(String queue, Instant now) {
    refused.remove(queue);
    writes.values().forEach(queues -> queues.put(queue, new Writes(now, false)));
  }

  void left(String queue) {
    refused.remove(queue);
    writes.values().forEach(queues -> queues.remove(queue));
  }

  void refused(String queue) {
    refused.add(queue);
  }

  void written(Kind kind, String queue, Instant now) {
    writes.get(kind).put(queue, new Writes(now, false));
  }

  void failed(Kind kind, String queue) {
    failures.get(kind).increment();
    writes.get(kind).computeIfPresent(queue, (name, was) -> new Writes(was.good(), true));
  }

  void snapshot(Instant now, Map<String, Double> values) {
    values.put("sequitur_schedule_queues_refused", (double) refused.size());
    for (var kind : Kind.values()) {
      var name = "sequitur_schedule_" + kind.metric;
      values.put(name + "_failures_total", (double) failures.get(kind).sum());
      values.put(
          name + "_age_seconds",
          failing(kind).stream()
              .mapToDouble(good -> Duration.between(good, now).toMillis() / MILLIS_PER_SECOND)
              .max()
              .orElse(0));
    }
  }

  /** When the last good write of each queue was whose last one failed. */
  private List<Instant> failing(Kind kind) {
    return writes.get(kind).values().stream().filter(Writes::failing).map(Writes::good).toList();
  }

  /** A sentence for each thing that an operator has to do; empty if all is well. */
  public List<String> troubles() {
    var troubles = new ArrayList<String>();
    for (var kind : Kind.values()) {
      var failing = failing(kind);
      failing.stream()
          .min(Instant::compareTo)
          .map(
              oldest ->
                  kind.trouble.formatted(failing.size(), oldest)
                      + " Look for the cause in the log: free the disk, or mend what it names.")
          .ifPresent(troubles::add);
    }
    if (!refused.isEmpty()) {
      troubles.add(
          "Schedule queues that cannot be started: "
              + refused.size()
              + ". What they have stored is lost, damaged, of another version or of other settings: the"
              + " log names them and says what to do.");
    }
    return troubles;
  }
}

package dev.sequitur.scheduler.actor;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.metrics.LabelledCounter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * How it goes with what the queues in this JVM write beside their journal, and which of them could
 * not be started. Names no queue: they are their users' own. Thread-safe.
 */
public final class StoreFigures {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** What is written. */
  enum Kind {
    CHECKPOINT(
        "Schedule queues whose checkpoints cannot be written: %d, since %s or later. Their journals"
            + " grow, and a restart takes longer."),
    BODIES(
        "Schedule queues whose executed bodies cannot be stored: %d, since %s or later. They fill"
            + " the memory, and in the end creations are refused as BUSY."),
    OUTCOMES(
        "Schedule queues whose outcomes cannot be stored: %d, since %s or later. They fill the"
            + " memory, and those of before scheduler.history newer ones are forgotten."),
    COMMANDS(
        "Schedule queues whose finished commands cannot be stored: %d, since %s or later. They fill"
            + " the memory, and in the end commands with a key are refused as BUSY.");

    private final String trouble;

    Kind(String trouble) {
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
  private final LabelledCounter<Kind> failures;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /**
   * @param registry of the node; it has none of these names yet
   * @param now this JVM's time
   */
  StoreFigures(PrometheusRegistry registry, Supplier<Instant> now) {
    for (var kind : Kind.values()) {
      writes.put(kind, new ConcurrentHashMap<>());
    }
    failures =
        new LabelledCounter<>(
            registry,
            "sequitur_schedule_write_failures",
            "Failed writes of queues beside their journals; the log says why.",
            "what",
            Kind.class);
    Gauges.show(
        registry,
        "sequitur_schedule_write_age_seconds",
        "How old the last good write is of the queues whose last one failed; 0 if none did.",
        "what",
        () -> ages(now.get()));
    Gauges.show(
        registry,
        "sequitur_schedule_queues_refused",
        "Queues that could not be started; health says what to do.",
        refused::size);
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
    failures.increment(kind);
    writes.get(kind).computeIfPresent(queue, (name, was) -> new Writes(was.good(), true));
  }

  private Map<Kind, Double> ages(Instant now) {
    var ages = new EnumMap<Kind, Double>(Kind.class);
    for (var kind : Kind.values()) {
      ages.put(
          kind,
          failing(kind).stream()
              .mapToDouble(good -> Duration.between(good, now).toMillis() / MILLIS_PER_SECOND)
              .max()
              .orElse(0));
    }
    return ages;
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

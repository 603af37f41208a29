package dev.sequitur.sequencer.setup;

import static java.util.stream.Collectors.joining;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.protocol.text.Counted;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Which entities of this JVM could not be recovered from the journal. Their shard starts each again
 * every some seconds, here or in another JVM of the node: so one of which nothing was heard for
 * longer lives elsewhere, and is not this JVM's trouble any more. At most one entry for each entity
 * of the node's groups. Thread-safe.
 */
public final class FailedRecoveries {
  /** A recovery may wait half a minute for the journal before it fails. */
  private static final Duration HEARD_OF_AGAIN_WITHIN = Duration.ofMinutes(2);

  private static final int NAMED = 3;

  private final Map<String, Instant> failed = new ConcurrentHashMap<>();
  private final Supplier<Instant> now;

  /**
   * @param registry of the node; it has not this name yet
   * @param now this JVM's time, which never goes back
   */
  public FailedRecoveries(PrometheusRegistry registry, Supplier<Instant> now) {
    this.now = now;
    Gauges.show(
        registry,
        "sequitur_entities_not_recovered",
        "Entities of this JVM that cannot be loaded from the journal; health names some.",
        () -> standing().size());
  }

  /** It has failed, and stops. */
  public void failed(String kind, String id) {
    failed.put(name(kind, id), now.get());
  }

  /** It is in memory. */
  public void recovered(String kind, String id) {
    failed.remove(name(kind, id));
  }

  /** Whether it could not be loaded lately. */
  public boolean hasFailed(String kind, String id) {
    var when = failed.get(name(kind, id));
    return when != null && !when.isBefore(since());
  }

  private static String name(String kind, String id) {
    return kind + " of " + id;
  }

  /** A sentence for the operator, if there are any. */
  public Optional<String> trouble() {
    var standing = standing();
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    var named = standing.keySet().stream().sorted().limit(NAMED).collect(joining(", "));
    return Optional.of(
        "%s of this node cannot be loaded, and what is under way there stands still: %s%s. The log says why; if stored data is damaged, stop the node and let sequitur check-store say what is lost."
            .formatted(
                Counted.of(standing.size(), "entity", "entities"),
                named,
                standing.size() > NAMED ? " and others" : ""));
  }

  private Map<String, Instant> standing() {
    var since = since();
    failed.values().removeIf(when -> when.isBefore(since));
    return Map.copyOf(failed);
  }

  /** What is older is not this JVM's trouble any more. */
  private Instant since() {
    return now.get().minus(HEARD_OF_AGAIN_WITHIN);
  }
}

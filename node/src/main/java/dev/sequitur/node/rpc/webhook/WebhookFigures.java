package dev.sequitur.node.rpc.webhook;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far what is sent is behind what happens, and what no receiver has taken: on the JVM that
 * sends, and 0 on the others. Thread-safe.
 */
final class WebhookFigures {
  private final Map<String, Instant> waiting = new ConcurrentHashMap<>();
  private volatile long dead;

  WebhookFigures(PrometheusRegistry registry, InstantSource clock) {
    Gauges.show(
        registry,
        "sequitur_webhook_dead_letters",
        "Events that receivers of webhooks have refused too often, and nobody has sent again.",
        () -> dead);
    Gauges.show(
        registry,
        "sequitur_webhook_lag_seconds",
        "Age of the oldest event that a webhook has still to be sent.",
        () -> lag(clock.instant()));
  }

  private double lag(Instant now) {
    return waiting.values().stream()
        .min(Comparator.naturalOrder())
        .map(oldest -> Math.max(0, Duration.between(oldest, now).toMillis() / 1_000.0))
        .orElse(0.0);
  }

  /** All that there are. */
  void found(Collection<Listener> webhooks) {
    dead =
        webhooks.stream()
            .map(Listener::heldBack)
            .mapToLong(held -> held.rows().size() + held.leftOut())
            .sum();
  }

  /** Since when one has an event that its receiver has not taken. */
  void waits(String webhook, Instant since) {
    waiting.put(webhook, since);
  }

  /** Its receiver has all, or it is sent nothing any more. */
  void waitsNoMore(String webhook) {
    waiting.remove(webhook);
  }

  /** Another JVM sends from now on. */
  void end() {
    waiting.clear();
    dead = 0;
  }
}

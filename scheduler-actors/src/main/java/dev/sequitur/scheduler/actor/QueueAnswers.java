package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.cluster.metrics.Gauges;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How soon the queues that this JVM has in memory answer: each is asked again and again, as a
 * caller would be, and a question is behind what the queue decides and stores just then. A queue
 * that answers nobody is told, however well its node is otherwise. Thread-safe.
 */
public final class QueueAnswers {
  /** A queue that is silent for longer is a trouble: callers give up after twice that. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int MOST_NAMED = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanos;
  private final Map<ActorRef<QueueActor.Message>, Asked> queues = new ConcurrentHashMap<>();

  /**
   * @param since when it was asked what it has not answered yet
   * @param took its last answer, in nanoseconds
   */
  private record Asked(OptionalLong since, long took) {
    long silent(long now) {
      return since.isPresent() ? now - since.getAsLong() : 0;
    }
  }

  /**
   * @param nanos a time that goes on evenly
   */
  QueueAnswers(PrometheusRegistry registry, LongSupplier nanos) {
    this.nanos = nanos;
    Gauges.show(
        registry,
        "sequitur_schedule_answer_seconds",
        "How long the slowest queue of this JVM has taken to answer, or has not answered.",
        () -> longest() / NANOS_PER_SECOND);
  }

  void began(ActorRef<QueueActor.Message> actor) {
    queues.put(actor, new Asked(OptionalLong.empty(), 0));
  }

  void left(ActorRef<QueueActor.Message> actor) {
    queues.remove(actor);
  }

  /**
   * Asks all that have answered; to be called again and again. That a queue is asked is noted
   * first: its answer may be there before this goes on.
   */
  void ask() {
    queues.forEach(
        (actor, last) -> {
          if (last.since().isEmpty()
              && queues.replace(
                  actor, last, new Asked(OptionalLong.of(nanos.getAsLong()), last.took()))) {
            actor.tell(new QueueActor.AreYouThere());
          }
        });
  }

  void answered(ActorRef<QueueActor.Message> actor) {
    long now = nanos.getAsLong();
    queues.computeIfPresent(
        actor, (ref, asked) -> new Asked(OptionalLong.empty(), asked.silent(now)));
  }

  private long longest() {
    long now = nanos.getAsLong();
    return queues.values().stream()
        .mapToLong(asked -> Math.max(asked.silent(now), asked.took()))
        .max()
        .orElse(0);
  }

  /** For the log: some of the queues that {@link #trouble} is about. */
  List<String> silent() {
    long now = nanos.getAsLong();
    return queues.entrySet().stream()
        .filter(each -> each.getValue().silent(now) > PATIENCE.toNanos())
        .map(each -> each.getKey().path().name())
        .sorted()
        .limit(MOST_NAMED)
        .toList();
  }

  /** What an operator has to know about queues that answer nobody; empty if each does. */
  public Optional<String> trouble() {
    long now = nanos.getAsLong();
    var silent =
        queues.values().stream()
            .mapToLong(asked -> asked.silent(now))
            .filter(each -> each > PATIENCE.toNanos())
            .sorted()
            .toArray();
    return silent.length == 0
        ? Optional.empty()
        : Optional.of(
            "Schedule queues that answer nobody: "
                + silent.length
                + ", the longest for "
                + Duration.ofNanos(silent[silent.length - 1]).toSeconds()
                + " s. Calls to them fail meanwhile. If it does not end by itself, look at the log,"
                + " the disk and the processors, and start the node again.");
  }
}

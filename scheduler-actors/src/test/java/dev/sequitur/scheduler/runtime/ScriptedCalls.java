package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.port.ScheduledCalls;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A sequencer that outlives the scheduler: keys, and what became of them. */
public final class ScriptedCalls implements ScheduledCalls {
  final Map<String, TransactionId> accepted = new ConcurrentHashMap<>();
  final Map<TransactionId, Ended> ended = new ConcurrentHashMap<>();
  final AtomicInteger submissions = new AtomicInteger();
  volatile Optional<RuntimeException> failing = Optional.empty();

  /** So many submissions fail while it fails; what comes after them is never answered. */
  volatile int answered = Integer.MAX_VALUE;

  volatile Optional<Refusal> refusal = Optional.empty();

  @Override
  public Optional<Refusal> refuses(Target.Call call) {
    return refusal;
  }

  @Override
  public CompletionStage<TransactionId> submit(String key, Target.Call call) {
    int number = submissions.incrementAndGet();
    return failing
        .<CompletionStage<TransactionId>>map(
            why ->
                number > answered ? new CompletableFuture<>() : CompletableFuture.failedFuture(why))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    accepted.computeIfAbsent(key, k -> new TransactionId(UUID.randomUUID()))));
  }

  @Override
  public CompletionStage<Optional<Ended>> ended(TransactionId transaction) {
    return CompletableFuture.completedFuture(Optional.ofNullable(ended.get(transaction)));
  }
}

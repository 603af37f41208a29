package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.ScheduledCalls;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.Target;
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
  volatile Optional<Refusal> refusal = Optional.empty();

  @Override
  public Optional<Refusal> refuses(Target.Call call) {
    return refusal;
  }

  @Override
  public CompletionStage<TransactionId> submit(String key, Target.Call call) {
    submissions.incrementAndGet();
    return failing
        .<CompletionStage<TransactionId>>map(CompletableFuture::failedFuture)
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

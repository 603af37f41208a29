package dev.sequitur.laboratory.demo;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Notices that nothing moves any more, and finds out what it waits for. Confined to one thread. */
final class Standstill {
  /** No receipt for so long means that something is stuck. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration ASK_AFTER = Duration.ofSeconds(10);
  private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(5);

  private final List<Driver.Share> shares;
  private long movedAt;
  private long askedAt;
  private CompletableFuture<Optional<String>> asked =
      CompletableFuture.completedFuture(Optional.empty());
  private String reason = "";

  Standstill(List<Driver.Share> shares, long now) {
    this.shares = shares;
    this.movedAt = now;
    this.askedAt = now;
  }

  void moved(long now) {
    movedAt = now;
    reason = "";
  }

  long movedAt() {
    return movedAt;
  }

  boolean isFinal(long now) {
    return now - movedAt > PATIENCE.toNanos();
  }

  /** What the oldest unfinished transaction waits for; nothing while things move. */
  String reason(long now) {
    if (now - movedAt < ASK_AFTER.toNanos()) {
      return "";
    }
    if (asked.isDone() && now - askedAt > ASK_AGAIN_AFTER.toNanos()) {
      if (!asked.isCompletedExceptionally()) {
        asked.join().ifPresent(known -> reason = "  " + known);
      }
      askedAt = now;
      asked =
          shares.stream()
              .filter(share -> !share.isDone())
              .findFirst()
              .map(share -> share.oldestWaitsFor().toCompletableFuture())
              .orElse(CompletableFuture.completedFuture(Optional.empty()));
    }
    return reason;
  }
}

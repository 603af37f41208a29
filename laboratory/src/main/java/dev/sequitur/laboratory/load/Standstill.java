package dev.sequitur.laboratory.load;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Notices that nothing ends any more, and finds out what it waits for. Confined to one thread. */
public final class Standstill {
  private static final Duration ASK_AFTER = Duration.ofSeconds(10);
  private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(5);

  private final Duration patience;
  private final Supplier<CompletionStage<Optional<String>>> oldest;
  private int finished;
  private long movedAt = System.nanoTime();
  private long askedAt = movedAt;
  private CompletableFuture<Optional<String>> asked =
      CompletableFuture.completedFuture(Optional.empty());
  private String reason = "";

  /**
   * @param patience nothing for so long means that something is stuck
   * @param oldest asks what the oldest that has not ended waits for
   */
  public Standstill(Duration patience, Supplier<CompletionStage<Optional<String>>> oldest) {
    this.patience = patience;
    this.oldest = oldest;
  }

  /**
   * Whether something is stuck.
   *
   * @param nowFinished how many have ended
   */
  public boolean reached(int nowFinished) {
    long now = System.nanoTime();
    if (nowFinished > finished) {
      finished = nowFinished;
      movedAt = now;
      reason = "";
    }
    return now - movedAt > patience.toNanos();
  }

  /** When the newest ended. */
  public long movedAt() {
    return movedAt;
  }

  /** What the oldest unfinished transaction waits for; nothing while things move. */
  public String reason() {
    long now = System.nanoTime();
    if (now - movedAt < ASK_AFTER.toNanos()) {
      return "";
    }
    if (asked.isDone() && now - askedAt > ASK_AGAIN_AFTER.toNanos()) {
      if (!asked.isCompletedExceptionally()) {
        asked.join().ifPresent(known -> reason = "  " + known);
      }
      askedAt = now;
      asked = oldest.get().toCompletableFuture();
    }
    return reason;
  }
}

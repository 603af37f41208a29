package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.cluster.MemberStatus;
import dev.sequitur.cluster.placement.Drain.Limits;
import dev.sequitur.cluster.placement.Drain.Seen;
import dev.sequitur.cluster.placement.Drain.Step;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;

/** How far a JVM has come on its way out of its node ({@link Drain}). Thread-safe, never blocks. */
public final class Draining {
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final Limits limits;
  private final Sight sight;
  private final LongSupplier nanos;
  private final AtomicReference<Drain> drain = new AtomicReference<>(Drain.NONE);
  private final CompletableFuture<Void> asked = new CompletableFuture<>();
  private volatile boolean served;

  /** What a JVM sees of its node; {@link Drain.Seen} says what each is. */
  public interface Sight {
    int others();

    /** May fail, if it is not known. */
    CompletionStage<Boolean> coordinating();

    long range();
  }

  /** Of a JVM that is never asked to leave. */
  public static Draining never() {
    return new Draining(
        new Limits(Duration.ZERO, Duration.ZERO),
        new Sight() {
          @Override
          public int others() {
            return 0;
          }

          @Override
          public CompletionStage<Boolean> coordinating() {
            return CompletableFuture.completedFuture(false);
          }

          @Override
          public long range() {
            return 0;
          }
        },
        () -> 0);
  }

  /**
   * @param kind the name of the kind of entities that wait for the end of their range
   * @param range of blocks in which the ledger is
   */
  public static Draining of(ActorSystem system, Limits limits, String kind, LongSupplier range) {
    return new Draining(
        limits,
        new Sight() {
          @Override
          public int others() {
            var cluster = Cluster.get(system);
            return (int)
                StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                    .filter(member -> member.status().equals(MemberStatus.up()))
                    .filter(member -> !member.uniqueAddress().equals(cluster.selfUniqueAddress()))
                    .count();
          }

          @Override
          public CompletionStage<Boolean> coordinating() {
            return RegionStats.of(system, kind).thenApply(stats -> stats.entities() > 0);
          }

          @Override
          public long range() {
            return range.getAsLong();
          }
        },
        System::nanoTime);
  }

  /**
   * @param nanos a clock that only runs forward
   */
  public Draining(Limits limits, Sight sight, LongSupplier nanos) {
    this.limits = limits;
    this.sight = sight;
    this.nanos = nanos;
  }

  public Limits limits() {
    return limits;
  }

  public Step step() {
    return drain.get().step();
  }

  /** How many other JVMs the node has, who can be turned to. */
  public int others() {
    return sight.others();
  }

  /** Asks the JVM to leave; not for the first time, perhaps. */
  public void begin() {
    long now = nanos.getAsLong();
    drain.updateAndGet(before -> before.begin(now));
    asked.complete(null);
  }

  /**
   * For whoever ends the process.
   *
   * @param then is run once the JVM is asked to leave
   */
  public void whenAsked(Runnable then) {
    served = true;
    asked.thenRun(then);
  }

  /** Whether it would end if it were asked to. */
  public boolean isServed() {
    return served;
  }

  /** Begins, and completes when shards may be handed over: never later than the limits say. */
  public CompletionStage<Void> settled() {
    begin();
    var settled = new CompletableFuture<Void>();
    look(settled);
    return settled;
  }

  private void look(CompletableFuture<Void> settled) {
    coordinating()
        .exceptionally(failure -> true)
        .thenAccept(
            coordinating -> {
              var seen = new Seen(sight.others(), coordinating, sight.range(), nanos.getAsLong());
              if (drain.updateAndGet(before -> before.look(seen, limits)).step() == Step.LEAVES) {
                settled.complete(null);
              } else {
                CompletableFuture.delayedExecutor(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> look(settled));
              }
            })
        .exceptionally(
            failure -> {
              // It leaves all the same.
              settled.complete(null);
              return null;
            });
  }

  private CompletionStage<Boolean> coordinating() {
    try {
      return sight.coordinating();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}

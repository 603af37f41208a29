package dev.sequitur.cluster.downing;

import akka.actor.Scheduler;
import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a lease is this side's, asked again while the database is slow, and only for as long as
 * the answer is of use: a side that learns late that it has the lease may find that the other one
 * has had it, and has given it back. Thread-safe.
 */
final class LeaseQuestion {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseQuestion.class);
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

  private final Supplier<CompletionStage<Boolean>> database;
  private final Runnable giveBack;
  private final Timing timing;
  private final long begun;
  private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

  /**
   * @param most from the first attempt to the answer; after it the answer is no
   * @param nanos as {@link System#nanoTime}
   */
  record Timing(Duration most, Scheduler scheduler, Executor executor, LongSupplier nanos) {}

  /**
   * @param database one attempt; yes if the lease is this side's now
   * @param giveBack called when the database said yes too late
   */
  LeaseQuestion(Supplier<CompletionStage<Boolean>> database, Runnable giveBack, Timing timing) {
    this.database = database;
    this.giveBack = giveBack;
    this.timing = timing;
    this.begun = timing.nanos().getAsLong();
  }

  /** To be called once. Never fails: who does not know whether it has the lease has not. */
  CompletionStage<Boolean> ask() {
    after(timing.most(), () -> answer.complete(false));
    attempt(PAUSES.initial());
    return answer;
  }

  private void attempt(Duration pause) {
    if (!answer.isDone()) {
      database
          .get()
          .whenComplete(
              (mine, failure) -> {
                if (failure == null) {
                  answered(mine);
                } else {
                  LOG.warn(
                      "The lease cannot be asked for ({}), trying again in {}",
                      failure.toString(),
                      pause);
                  after(pause, () -> attempt(PAUSES.longer(pause)));
                }
              });
    }
  }

  /** The timer may be late, too, in a JVM that stood still. */
  private void answered(boolean mine) {
    boolean late = timing.nanos().getAsLong() - begun > timing.most().toNanos();
    boolean first = answer.complete(mine && !late);
    if (mine && (late || !first)) {
      LOG.warn("The lease was got after more than {}, which is too late", timing.most());
      giveBack.run();
    }
  }

  private void after(Duration pause, Runnable task) {
    var unused =
        timing
            .scheduler()
            .scheduleOnce(
                pause, task, scala.concurrent.ExecutionContext.fromExecutor(timing.executor()));
  }
}

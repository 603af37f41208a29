package dev.sequitur.node.rpc;

import dev.sequitur.protocol.port.Answers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What a call begins and nobody waits for, such as a backup: one at a time in this JVM, and other
 * calls ask how far it is. Thread-safe; nothing waits.
 *
 * @param <P> how far it is
 */
public final class BackgroundTask<P> {
  private final P nothing;
  private final InstantSource clock;
  private final Consumer<Throwable> onFailure;
  private final AtomicReference<Course<P>> last;

  /**
   * @param nothing how far one is that has just begun
   * @param onFailure told why one has failed, before others can see it
   */
  public BackgroundTask(P nothing, InstantSource clock, Consumer<Throwable> onFailure) {
    this.nothing = nothing;
    this.clock = clock;
    this.onFailure = onFailure;
    this.last =
        new AtomicReference<>(
            new Course<>(
                State.NONE, Optional.empty(), Optional.empty(), nothing, Optional.empty()));
  }

  /** How one is. */
  public enum State {
    /** This process has begun none. */
    NONE,
    /** It is under way. */
    RUNNING,
    /** It has ended, and all of it is done. */
    DONE,
    /** It has ended before all was done. */
    FAILED;

    /** As callers are told. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The last one that this process has begun.
   *
   * @param trouble a sentence on why it has failed
   */
  public record Course<P>(
      State state,
      Optional<Instant> begun,
      Optional<Instant> ended,
      P progress,
      Optional<String> trouble) {

    private Course<P> begin(P nothing, Instant now) {
      return state == State.RUNNING
          ? this
          : new Course<>(
              State.RUNNING, Optional.of(now), Optional.empty(), nothing, Optional.empty());
    }

    private Course<P> at(P now) {
      return new Course<>(state, begun, ended, now, trouble);
    }

    private Course<P> end(Instant now, Optional<Throwable> failure) {
      return new Course<>(
          failure.isEmpty() ? State.DONE : State.FAILED,
          begun,
          Optional.of(now),
          progress,
          failure.map(why -> why.getMessage() == null ? why.toString() : why.getMessage()));
    }
  }

  /** Does it. */
  public interface Work<P> {
    /**
     * Begins it and waits for nothing.
     *
     * @param progress to be told how far it is, until it has ended
     * @return completes when it has ended
     */
    CompletionStage<?> begin(Consumer<P> progress);
  }

  /**
   * Begins one, unless one is running. What {@code work} throws is its failure.
   *
   * @return how it is now
   */
  public Course<P> begin(Work<P> work) {
    var before = last.getAndUpdate(course -> course.begin(nothing, clock.instant()));
    if (before.state() != State.RUNNING) {
      var unused = begun(work).whenComplete((done, failure) -> end(Optional.ofNullable(failure)));
    }
    return last.get();
  }

  /** How the last one is. */
  public Course<P> last() {
    return last.get();
  }

  private CompletionStage<?> begun(Work<P> work) {
    try {
      return work.begin(progress -> last.updateAndGet(course -> course.at(progress)));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void end(Optional<Throwable> failure) {
    var cause = failure.map(Answers::cause);
    cause.ifPresent(onFailure);
    last.updateAndGet(course -> course.end(clock.instant(), cause));
  }
}

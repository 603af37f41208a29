package dev.sequitur.cluster.placement;

import java.time.Duration;

/**
 * How a JVM leaves its node without a caller's having to wait: a rule without a clock.
 *
 * @param step what it does now
 * @param since when it was asked to leave, by a clock that only runs forward; 0 before
 * @param range of blocks in which it has begun to refuse callers; 0 before
 */
public record Drain(Step step, long since, long range) {
  /** What a JVM does, in this order; only the last may be begun without those before. */
  public enum Step {
    /** Nobody has asked it to leave. */
    SERVES,
    /** Whoever watches is told that it is not ready; callers that come all the same are served. */
    TELLS,
    /**
     * Callers are refused, and told to turn to another JVM. What it has goes on, so that its
     * coordinators end their range.
     */
    REFUSES,
    /** It hands its shards over and leaves. */
    LEAVES
  }

  /** Of a JVM that nobody has asked to leave. */
  public static final Drain NONE = new Drain(Step.SERVES, 0, 0);

  /**
   * How long it may take until shards are handed over.
   *
   * @param notice in which callers are served still: as long as it takes until those who watch have
   *     looked, and send callers elsewhere
   * @param atMost the notice included
   */
  public record Limits(Duration notice, Duration atMost) {
    public Limits {
      if (notice.isNegative() || atMost.compareTo(notice) < 0) {
        throw new IllegalArgumentException("The notice is part of the whole time of a drain.");
      }
    }
  }

  /**
   * What the JVM sees.
   *
   * @param others how many other JVMs the node has, to whom callers and shards can go
   * @param coordinating whether it has a coordinator in memory, as far as it knows
   * @param range of blocks in which the ledger is
   * @param nanos by a clock that only runs forward
   */
  public record Seen(int others, boolean coordinating, long range, long nanos) {}

  /** It is asked to leave, perhaps not for the first time. */
  public Drain begin(long nanos) {
    return step == Step.SERVES ? new Drain(Step.TELLS, nanos, 0) : this;
  }

  /** As far as what is seen lets it go. */
  public Drain look(Seen seen, Limits limits) {
    long waited = seen.nanos() - since;
    return switch (step) {
      case SERVES, LEAVES -> this;
      case TELLS -> {
        if (seen.others() > 0 && waited < limits.notice().toNanos()) {
          yield this;
        }
        yield new Drain(Step.REFUSES, since, seen.range()).look(seen, limits);
      }
      case REFUSES -> {
        boolean settled = !seen.coordinating() || seen.range() != range;
        boolean over = seen.others() == 0 || waited >= limits.atMost().toNanos();
        yield settled || over ? new Drain(Step.LEAVES, since, range) : this;
      }
    };
  }
}

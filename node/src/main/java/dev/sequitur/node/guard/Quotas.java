package dev.sequitur.node.guard;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.guard.Quota.Taken;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.scheduler.QueueName;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What each caller has used of its quota. Who was not asked who it is has none. Thread-safe.
 *
 * <p>No more callers are remembered than there can be tokens; the one that has not come for longest
 * is forgotten first, and begins anew.
 */
public final class Quotas {
  private static final int MOST_CALLERS = 10_000;
  private static final long SECOND = 1_000_000_000;

  private final Optional<Quota> quota;
  private final LongSupplier nanoTime;
  private final Map<String, Caller> callers = LimitedMap.ofLastUsed(MOST_CALLERS);

  private static final class Caller {
    private Quota.Used used;
    private int inFlight;
    private int reserved;

    /** What was asked about for longest comes first. */
    private final Set<Begun> pending = new LinkedHashSet<>();

    private Caller(Quota.Used used) {
      this.used = used;
    }
  }

  /**
   * What is left to a caller.
   *
   * @param requests that it can make at once
   * @param resetSeconds until it can make as many as ever, rounded up
   */
  public record Left(Quota quota, int requests, long resetSeconds) {}

  /** What a call has begun, and what ends later. */
  public sealed interface Begun {
    /** A transaction, private or public: it ends with its receipt. */
    record Sent(TransactionId id) implements Begun {}

    /** A schedule: it ends with its last outcome. */
    record Scheduled(QueueName queue, ScheduleId id) implements Begun {}
  }

  /** A caller has asked for too much. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long retryAfterSeconds;
    private final transient RpcFailure failure;

    private Exceeded(long retryAfterSeconds, String sentence) {
      super(sentence, null, false, false);
      this.retryAfterSeconds = retryAfterSeconds;
      this.failure = new RpcFailure(ErrorCode.QUOTA_EXCEEDED, sentence);
    }

    /** Rounded up. */
    public long retryAfterSeconds() {
      return retryAfterSeconds;
    }

    /** What the caller is told. */
    public RpcFailure failure() {
      return failure;
    }
  }

  /**
   * @param quota of each caller; empty if there is none
   * @param nanoTime as {@link System#nanoTime}
   */
  public Quotas(Optional<Quota> quota, LongSupplier nanoTime) {
    this.quota = quota;
    this.nanoTime = nanoTime;
  }

  /**
   * Takes requests of a caller's rate, all or none.
   *
   * @return what is left; empty if the caller has no quota
   * @throws Exceeded if it has to wait
   */
  public Optional<Left> take(Principal who, int requests) {
    if (quota.isEmpty() || isFree(who)) {
      return Optional.empty();
    }
    var its = quota.get();
    long now = nanoTime.getAsLong();
    synchronized (callers) {
      var caller = caller(who, now);
      return switch (its.take(caller.used, now, requests)) {
        case Taken.Given(var used, var remaining, var emptyAfter) -> {
          caller.used = used;
          yield Optional.of(new Left(its, remaining, seconds(emptyAfter)));
        }
        case Taken.Refused(var retryAfter) -> throw refused(who, its, requests, retryAfter);
      };
    }
  }

  private static Exceeded refused(Principal who, Quota its, int requests, long retryAfter) {
    if (requests > its.burst()) {
      return new Exceeded(
          seconds(its.burst() * (SECOND / its.perSecond())),
          "%s asks for %d requests at once, and may make %d. Split them."
              .formatted(who, requests, its.burst()));
    }
    return new Exceeded(
        seconds(retryAfter),
        "%s has made as many requests as it may (%d a second, %d at once). Try again after %d s."
            .formatted(who, its.perSecond(), its.burst(), seconds(retryAfter)));
  }

  /**
   * A request begins to be answered; {@link #ends} must follow.
   *
   * @throws Exceeded if too many of the caller are being answered
   */
  public void begins(Principal who) {
    if (quota.isEmpty() || isFree(who)) {
      return;
    }
    int most = quota.get().inFlight();
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      if (caller.inFlight >= most) {
        throw new Exceeded(
            1,
            "%s has %d requests that are being answered, the most it may have. Await an answer first."
                .formatted(who, most));
      }
      caller.inFlight++;
    }
  }

  /** One that has begun is answered. */
  public void ends(Principal who) {
    if (quota.isEmpty() || isFree(who)) {
      return;
    }
    synchronized (callers) {
      var caller = callers.get(who.toString());
      if (caller != null && caller.inFlight > 0) {
        caller.inFlight--;
      }
    }
  }

  /**
   * Keeps room for what a call may begin; {@link #began} must follow.
   *
   * @return false if there is none: perhaps some of what is pending has ended
   */
  public boolean reserve(Principal who, int count) {
    if (quota.isEmpty() || isFree(who)) {
      return true;
    }
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      boolean room = caller.pending.size() + caller.reserved + count <= quota.get().pending();
      caller.reserved += room ? count : 0;
      return room;
    }
  }

  /**
   * A call that had room for {@code reserved} has begun these.
   *
   * @param begun none if it was refused
   */
  public void began(Principal who, int reserved, Collection<? extends Begun> begun) {
    if (quota.isEmpty() || isFree(who)) {
      return;
    }
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      caller.reserved = Math.max(0, caller.reserved - reserved);
      caller.pending.addAll(begun);
    }
  }

  /** Some of what a caller has begun, to find out whether it has ended; others the next time. */
  public List<Begun> oldest(Principal who, int most) {
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      var oldest = caller.pending.stream().limit(most).toList();
      oldest.forEach(caller.pending::remove);
      caller.pending.addAll(oldest);
      return oldest;
    }
  }

  /** These have ended. */
  public void ended(Principal who, Collection<? extends Begun> some) {
    synchronized (callers) {
      caller(who, nanoTime.getAsLong()).pending.removeAll(some);
    }
  }

  /** How many more a caller may begin, as far as it is known what has ended; empty: any number. */
  public OptionalInt pendingLeft(Principal who) {
    if (quota.isEmpty() || isFree(who)) {
      return OptionalInt.empty();
    }
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      return OptionalInt.of(
          Math.max(0, quota.get().pending() - caller.pending.size() - caller.reserved));
    }
  }

  /** What to tell a caller for whose call there is no room. */
  public Exceeded exceededPending(Principal who, int count) {
    synchronized (callers) {
      var caller = caller(who, nanoTime.getAsLong());
      return new Exceeded(
          1,
          "%s has begun %d transactions and schedules that have not ended, and may have %d: there is no room for %d more. Await receipts and outcomes first."
              .formatted(
                  who,
                  caller.pending.size() + caller.reserved,
                  quota.orElseThrow().pending(),
                  count));
    }
  }

  private static boolean isFree(Principal who) {
    return who.kind() == Principal.Kind.UNASKED;
  }

  private Caller caller(Principal who, long now) {
    return callers.computeIfAbsent(who.toString(), name -> new Caller(Quota.nothing(now)));
  }

  private static long seconds(long nanos) {
    return (nanos + SECOND - 1) / SECOND;
  }
}

package dev.sequitur.laboratory.load;

import dev.sequitur.protocol.id.TransactionId;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** What came of what was submitted, by the nodes' word. Confined to one thread. */
public final class Totals {
  private final Set<TransactionId> acceptedBefore;
  private final Consumer<Outcome> each;
  private final Set<TransactionId> accepted = new HashSet<>();
  private Latencies latencies = new Latencies();
  private int confirmed;
  private int reverted;
  private int refused;
  private int confirmedNow;
  private int repeated;
  private Optional<String> firstRefusal = Optional.empty();
  private Optional<String> firstRevert = Optional.empty();
  private Optional<String> lastFailure = Optional.empty();

  /**
   * How one ended.
   *
   * @param node that it was submitted to
   * @param since when it was to be submitted
   * @param seenAt when its receipt was seen; empty if that was there before this start
   */
  public record Outcome(String node, Entrance.Ended ended, long since, OptionalLong seenAt) {}

  public Totals() {
    this(Set.of(), outcome -> {});
  }

  /**
   * @param acceptedBefore by an earlier start: they are counted, but not timed
   * @param each is told of each outcome
   */
  public Totals(Set<TransactionId> acceptedBefore, Consumer<Outcome> each) {
    this.acceptedBefore = acceptedBefore;
    this.each = each;
  }

  /**
   * @return false if it was accepted before
   */
  boolean accept(TransactionId id) {
    return accepted.add(id);
  }

  void refuse(String reason) {
    refused++;
    firstRefusal = firstRefusal.or(() -> Optional.of(reason));
  }

  /** So many are submitted again. */
  void again(int calls, String reason) {
    repeated += calls;
    lastFailure = Optional.of(reason);
  }

  /** One has its receipt. */
  void end(Outcome outcome) {
    var ended = outcome.ended();
    confirmed += ended.success() ? 1 : 0;
    reverted += ended.success() ? 0 : 1;
    if (outcome.seenAt().isPresent()) {
      confirmedNow += ended.success() ? 1 : 0;
      firstRevert = firstRevert.or(ended::failure);
      if (!acceptedBefore.contains(ended.id())) {
        latencies.record(Math.max(0, outcome.seenAt().getAsLong() - outcome.since()));
      }
    }
    each.accept(outcome);
  }

  /** Begins anew, but for what is under way. */
  public void clear() {
    accepted.clear();
    latencies = new Latencies();
    confirmed = 0;
    reverted = 0;
    refused = 0;
    confirmedNow = 0;
    repeated = 0;
    firstRefusal = Optional.empty();
    firstRevert = Optional.empty();
    lastFailure = Optional.empty();
  }

  /** Refused ones included. */
  public int finished() {
    return confirmed + reverted + refused;
  }

  public int confirmed() {
    return confirmed;
  }

  public int reverted() {
    return reverted;
  }

  public int refused() {
    return refused;
  }

  /** Confirmed ones that had no receipt before this start. */
  public int confirmedNow() {
    return confirmedNow;
  }

  /** Calls that were made again, because no answer came or a refusal. */
  public int repeated() {
    return repeated;
  }

  /** What the first refusal said. */
  public Optional<String> firstRefusal() {
    return firstRefusal;
  }

  /** Why the first that this start saw revert did so. */
  public Optional<String> firstRevert() {
    return firstRevert;
  }

  /** What went wrong last, and was tried again. */
  public Optional<String> lastFailure() {
    return lastFailure;
  }

  public Latencies latencies() {
    return latencies;
  }

  public Set<TransactionId> accepted() {
    return Collections.unmodifiableSet(accepted);
  }
}

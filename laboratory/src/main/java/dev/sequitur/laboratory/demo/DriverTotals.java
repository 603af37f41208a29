package dev.sequitur.laboratory.demo;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.protocol.id.TransactionId;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What came of a set of operations by the nodes' word. Confined to one thread. */
final class DriverTotals {
  private final Set<TransactionId> accepted = new HashSet<>();
  private final Latencies latencies = new Latencies();
  private int confirmed;
  private int reverted;
  private int refused;
  private int confirmedNow;
  private Optional<String> firstRefusal = Optional.empty();
  private Optional<String> firstRevert = Optional.empty();
  private Optional<String> lastFailure = Optional.empty();

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

  void revertedFor(String reason) {
    firstRevert = firstRevert.or(() -> Optional.of(reason));
  }

  void fail(String reason) {
    lastFailure = Optional.of(reason);
  }

  /**
   * An intent has its receipt.
   *
   * @param nanos after its submission; empty if an earlier start has submitted it
   */
  void finish(boolean success, OptionalLong nanos) {
    count(success);
    nanos.ifPresent(latencies::record);
    if (success) {
      confirmedNow++;
    }
  }

  /** An intent had its receipt before this start. */
  void finishedBefore(boolean success) {
    count(success);
  }

  private void count(boolean success) {
    if (success) {
      confirmed++;
    } else {
      reverted++;
    }
  }

  /** Refused ones included. */
  int finished() {
    return confirmed + reverted + refused;
  }

  int confirmed() {
    return confirmed;
  }

  int reverted() {
    return reverted;
  }

  int refused() {
    return refused;
  }

  /** Confirmed ones that had no receipt before this start. */
  int confirmedNow() {
    return confirmedNow;
  }

  /** What the first refusal said. */
  Optional<String> firstRefusal() {
    return firstRefusal;
  }

  /** Why the first that this start saw revert did so. */
  Optional<String> firstRevert() {
    return firstRevert;
  }

  /** What went wrong last, and was tried again. */
  Optional<String> lastFailure() {
    return lastFailure;
  }

  Latencies latencies() {
    return latencies;
  }

  Set<TransactionId> accepted() {
    return Collections.unmodifiableSet(accepted);
  }
}

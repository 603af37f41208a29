package dev.sequitur.transport;

import dev.sequitur.protocol.message.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The faults in force, changed while the system runs and shared by the transports of all nodes of a
 * process. They apply in the order in which they were added. Thread-safe; the same seed and the
 * same order of envelopes give the same faults.
 */
public final class FaultRules {
  private static final int MOST_RULES = 100;

  /**
   * A rule in force.
   *
   * @param number by which it is removed, from 1
   * @param applied how many envelopes it has concerned so far
   */
  public record Numbered(int number, FaultRule rule, long applied) {}

  private record Active(int number, FaultRule rule, AtomicLong applied) {}

  private final CopyOnWriteArrayList<Active> rules = new CopyOnWriteArrayList<>();
  private final SplittableRandom random;
  private int lastNumber;

  public FaultRules(long seed) {
    random = new SplittableRandom(seed);
  }

  /**
   * Puts a rule in force.
   *
   * @return the rule's number
   * @throws IllegalStateException if there are 100 rules already
   */
  public synchronized int add(FaultRule rule) {
    if (rules.size() >= MOST_RULES) {
      throw new IllegalStateException(
          "There are " + MOST_RULES + " rules already: remove some before you add more.");
    }
    rules.add(new Active(++lastNumber, rule, new AtomicLong()));
    return lastNumber;
  }

  /**
   * Ends a rule; what it has delayed still arrives.
   *
   * @return false if there is no rule of this number
   */
  public synchronized boolean remove(int number) {
    return rules.removeIf(rule -> rule.number == number);
  }

  /** What was delayed still arrives. */
  public synchronized void clear() {
    rules.clear();
  }

  public List<Numbered> list() {
    return rules.stream()
        .map(active -> new Numbered(active.number, active.rule, active.applied.get()))
        .toList();
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The delay of each copy that is to arrive; empty if the envelope is lost. */
  synchronized List<Duration> arrivals(Envelope envelope) {
    var copies = List.of(Duration.ZERO);
    for (var active : rules) {
      if (active.rule.concerns(envelope)) {
        active.applied.incrementAndGet();
        copies = active.rule.apply(copies, random);
      }
    }
    return copies;
  }

  /** Whether a partition keeps this out of the node where it has arrived. */
  boolean isCutOff(Envelope envelope) {
    return rules.stream()
        .anyMatch(
            active -> active.rule instanceof FaultRule.Partition && active.rule.concerns(envelope));
  }
}

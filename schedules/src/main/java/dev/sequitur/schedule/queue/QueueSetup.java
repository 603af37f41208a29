package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What does not change while a queue lives.
 *
 * @param administrator the node's operator: funds accounts, stops and starts families
 * @param maxAhead how far the wall clock may be ahead of the others and still be followed
 * @param gas that a run uses; what may use less fails, or is not taken in the first place
 * @param shutdownBatch how many a shutdown ends in one block
 * @param historyLimit how many outcomes are kept, in memory and in their store
 * @param throttles operations a second by the operation's name; one that is not named is not
 *     throttled
 * @param opening what the first to schedule something gets in a queue that never had money (ACC-9);
 *     zero: nothing, the administrator funds it
 * @param families those that this queue serves, in the order of {@link FamilyKind}
 */
public record QueueSetup(
    AccountId administrator,
    Duration maxAhead,
    GasUse gas,
    int shutdownBatch,
    int historyLimit,
    Map<String, Long> throttles,
    Amount opening,
    List<Family> families) {
  public QueueSetup {
    throttles = Map.copyOf(throttles);
    families = families.stream().sorted((a, b) -> a.kind().compareTo(b.kind())).toList();
    if (shutdownBatch < 1 || historyLimit < 1) {
      throw new IllegalArgumentException("The queue's limits must be positive.");
    }
  }

  /** With the limits that fit most. */
  public static QueueSetup of(AccountId administrator, Family... families) {
    return new QueueSetup(
        administrator,
        Duration.ofSeconds(10),
        GasUse.DEFAULT,
        200,
        100_000,
        Map.of(),
        Amount.ZERO,
        List.of(families));
  }

  /**
   * @param operations a second by the operation's name, in place of those there are
   */
  public QueueSetup throttledBy(Map<String, Long> operations) {
    return new QueueSetup(
        administrator, maxAhead, gas, shutdownBatch, historyLimit, operations, opening, families);
  }

  /** With so much for the first to schedule something in a new queue. */
  public QueueSetup opening(Amount amount) {
    return new QueueSetup(
        administrator, maxAhead, gas, shutdownBatch, historyLimit, throttles, amount, families);
  }

  /** With these families, and no others. */
  public QueueSetup serving(List<Family> others) {
    return new QueueSetup(
        administrator, maxAhead, gas, shutdownBatch, historyLimit, throttles, opening, others);
  }

  /**
   * @throws IllegalStateException if the queue does not serve it
   */
  public Family family(FamilyKind kind) {
    for (var family : families) {
      if (family.kind() == kind) {
        return family;
      }
    }
    throw new IllegalStateException("This queue does not serve " + kind + ".");
  }

  /** Whether what it pays is part of its hold, and is taken from there (GAS-17). */
  boolean setsAside(Schedule schedule) {
    return family(schedule.family()) instanceof Family.SettingAside family
        && family.setsAside(schedule);
  }

  /** The family of this class; empty if the queue does not serve it. */
  public <F extends Family> Optional<F> family(Class<F> type) {
    return families.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** Why nothing of this family can be asked for here. */
  Optional<Refusal> refuses(FamilyKind kind) {
    return serves(kind)
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Refusal.Code.SERVICE_NOT_ACTIVE, "This queue does not serve " + kind + "."));
  }

  /** Why a queue of several partitions serves none of this family (SCH-28). */
  public Optional<Refusal> refusesPartitioned(FamilyKind kind) {
    return serves(kind) && !(family(kind) instanceof Family.Partitioned)
        ? Optional.of(
            new Refusal(
                Refusal.Code.NOT_ALLOWED,
                "A queue of several partitions serves no "
                    + kind.word()
                    + " schedules: use a queue that has none."))
        : Optional.empty();
  }

  boolean serves(FamilyKind kind) {
    return families.stream().anyMatch(family -> family.kind() == kind);
  }
}

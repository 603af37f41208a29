package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Finds the schedules of a state or a time where the queue has them, without going through the
 * others: in the due order, among what runs, among what leaves. What it finds has all that are
 * meant and perhaps others, ascending by id. It finds nothing where there are too many: then they
 * are not far apart among all.
 *
 * @param now of the queue
 * @param family only of this one
 * @param atMost so many are few
 */
public record Standing(
    QueueSetup setup,
    QueueState state,
    ConsensusTime now,
    Optional<FamilyKind> family,
    int atMost) {
  /** Those that wait for their owner. */
  public Optional<List<ScheduleId>> parked() {
    var first = DueKey.fromParked(ParkedFor.values()[0]);
    return few(families().map(of -> after(of, first).map(Map.Entry::getValue)));
  }

  /** Those between Due and Settled. */
  public Optional<List<ScheduleId>> executing() {
    return few(Stream.of(ofFamily(state.entries().executions().keySet())));
  }

  /** Those that have their outcome and are still there, or have expired. */
  public Optional<List<ScheduleId>> ended() {
    var expired =
        families()
            .filter(Family.Expiring.class::isInstance)
            .map(of -> between(of, Optional.empty(), Optional.of(now.nextNano())));
    return few(Stream.concat(Stream.of(ofFamily(state.entries().removals())), expired));
  }

  /**
   * Those whose present occurrence is due then, be it that it waits or runs.
   *
   * @param since inclusive
   * @param until exclusive
   */
  public Optional<List<ScheduleId>> due(
      Optional<ConsensusTime> since, Optional<ConsensusTime> until) {
    return few(
        Stream.concat(
            families().map(of -> between(of, since, until)),
            Stream.of(ofFamily(state.entries().executions().keySet()))));
  }

  private Stream<ScheduleId> between(
      Family of, Optional<ConsensusTime> since, Optional<ConsensusTime> until) {
    var first = since.map(at -> firstAt(of, at.nanos())).orElse(DueKey.from(0));
    return after(of, first)
        .takeWhile(
            entry ->
                !entry.getKey().isParked()
                    && until.map(end -> of.dueNanos(entry.getKey()) < end.nanos()).orElse(true))
        .map(Map.Entry::getValue);
  }

  private Stream<Map.Entry<DueKey, ScheduleId>> after(Family of, DueKey first) {
    return StreamSupport.stream(state.entries().due().each(of.kind(), first).spliterator(), false);
  }

  private Stream<Family> families() {
    return setup.families().stream().filter(of -> isWanted(of.kind()));
  }

  private Stream<ScheduleId> ofFamily(Collection<ScheduleId> ids) {
    return ids.stream().filter(id -> isWanted(id.family()));
  }

  private boolean isWanted(FamilyKind kind) {
    return family.map(kind::equals).orElse(true);
  }

  /** One place after the other: streams that are joined to one are read whole before the limit. */
  private Optional<List<ScheduleId>> few(Stream<Stream<ScheduleId>> places) {
    var some = new ArrayList<ScheduleId>();
    for (var place : places.toList()) {
      place.limit(atMost + 1L - some.size()).forEach(some::add);
      if (some.size() > atMost) {
        return Optional.empty();
      }
    }
    some.sort(Comparator.naturalOrder());
    return Optional.of(some);
  }

  /** Where the due order of a family comes to a time. */
  static DueKey firstAt(Family family, long nanos) {
    long low = 0;
    long high = DueKey.fromParked(ParkedFor.values()[0]).time();
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (family.dueNanos(DueKey.from(middle)) < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return DueKey.from(low);
  }
}

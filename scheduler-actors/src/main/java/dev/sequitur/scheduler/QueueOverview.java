package dev.sequitur.scheduler;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A queue at a glance.
 *
 * @param clock of what was stored last
 * @param admissions how many schedules were ever taken
 * @param schedules how many wait or run
 * @param executing how many were started and have no outcome yet
 * @param firstDue when the first of what waits is due, or has been since; empty if nothing waits
 *     for a time, or what does so is paused
 * @param partitions of a queue that is spread and was asked as a whole (SCH-28)
 */
public record QueueOverview(
    ConsensusTime clock,
    long admissions,
    int schedules,
    int executing,
    List<FamilyOverview> families,
    Optional<ConsensusTime> firstDue,
    List<PartitionOverview> partitions) {
  public QueueOverview {
    families = List.copyOf(families);
    partitions = List.copyOf(partitions);
  }

  /**
   * Of a whole queue.
   *
   * @param each of its partitions, in order
   */
  public static QueueOverview together(List<QueueOverview> each) {
    var sum = each.stream().reduce(QueueOverview::plus).orElseThrow();
    var rows =
        IntStream.range(0, each.size()).mapToObj(index -> each.get(index).asRow(index)).toList();
    return new QueueOverview(
        sum.clock, sum.admissions, sum.schedules, sum.executing, sum.families, sum.firstDue, rows);
  }

  private PartitionOverview asRow(int index) {
    int waiting = families.stream().mapToInt(FamilyOverview::waiting).sum();
    return new PartitionOverview(index, schedules, executing, waiting, firstDue);
  }

  /** Of two partitions together: the later clock, and of a family the first that is not active. */
  private QueueOverview plus(QueueOverview other) {
    var both = new ArrayList<FamilyOverview>();
    for (int i = 0; i < families.size(); i++) {
      both.add(families.get(i).plus(other.families.get(i)));
    }
    return new QueueOverview(
        clock.isBefore(other.clock) ? other.clock : clock,
        admissions + other.admissions,
        schedules + other.schedules,
        executing + other.executing,
        both,
        Stream.concat(firstDue.stream(), other.firstDue.stream()).min(Comparator.naturalOrder()),
        List.of());
  }

  /** One partition of it: the sums of its families, and how late it is. */
  public record PartitionOverview(
      int index, int schedules, int executing, int waiting, Optional<ConsensusTime> firstDue) {}

  /**
   * One family of it.
   *
   * @param waiting how many stand in its due order and have not expired
   */
  public record FamilyOverview(FamilyKind family, Service service, int waiting) {
    private FamilyOverview plus(FamilyOverview other) {
      return new FamilyOverview(
          family, service == Service.ACTIVE ? other.service : service, waiting + other.waiting);
    }
  }
}

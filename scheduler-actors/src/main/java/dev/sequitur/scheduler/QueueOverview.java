package dev.sequitur.scheduler;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue at a glance.
 *
 * @param clock of what was stored last
 * @param admissions how many schedules were ever taken
 * @param schedules how many wait or run
 * @param executing how many were started and have no outcome yet
 */
public record QueueOverview(
    ConsensusTime clock,
    long admissions,
    int schedules,
    int executing,
    List<FamilyOverview> families) {
  public QueueOverview {
    families = List.copyOf(families);
  }

  /** Of two partitions together: the later clock, and of a family the first that is not active. */
  public QueueOverview plus(QueueOverview other) {
    var both = new ArrayList<FamilyOverview>();
    for (int i = 0; i < families.size(); i++) {
      both.add(families.get(i).plus(other.families.get(i)));
    }
    return new QueueOverview(
        clock.isBefore(other.clock) ? other.clock : clock,
        admissions + other.admissions,
        schedules + other.schedules,
        executing + other.executing,
        both);
  }

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

package dev.sequitur.scheduler;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
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

  /**
   * One family of it.
   *
   * @param waiting how many stand in its due order and have not expired
   */
  public record FamilyOverview(FamilyKind family, Service service, int waiting) {}
}

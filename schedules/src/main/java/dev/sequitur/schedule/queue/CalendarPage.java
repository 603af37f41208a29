package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * What is to run from a time on, as things stand now.
 *
 * @param planned ascending by time
 * @param next from which time on there may be more; empty if there is none before the end
 * @param partial whether some may be missing: what stands before the beginning was too much to look
 *     for all that runs again later, or one time has more than a page takes
 */
public record CalendarPage(List<Planned> planned, Optional<ConsensusTime> next, boolean partial) {
  public CalendarPage {
    planned = List.copyOf(planned);
  }

  /** One time of a schedule. */
  public record Planned(ConsensusTime at, Schedule schedule) {}
}

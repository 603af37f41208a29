package dev.sequitur.scheduler;

import java.util.Optional;

/**
 * Which schedules to list in the order in which they are due. What has ended has no place in it.
 *
 * @param which what the list is of, and how much of it; where it goes on is {@code after}
 * @param after where the page before ended
 */
public record DueQuery(ScheduleQuery which, Optional<DuePlace> after) {}

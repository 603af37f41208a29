package dev.sequitur.schedule.queue;

import java.util.List;

/**
 * What has happened in a queue, in its order: outcomes, and what the queue told beside them. The
 * numbers are those of {@link Outcomes}, of which each has one, without gaps.
 *
 * @param happenings ascending by number
 * @param forgotten whether there were some from the number asked for on that are not known any more
 * @param next what to ask for next: the number after the last
 */
public record Happenings(List<Numbered> happenings, boolean forgotten, long next) {
  public Happenings {
    happenings = List.copyOf(happenings);
  }

  /** One of them. */
  public record Numbered(long number, History.Happened happened) {}
}

package dev.sequitur.schedule.queue;

import java.util.List;

/**
 * A queue's outcomes in the order in which they came about. They are numbered from 0, and a number
 * stays an outcome's own; what lies between has the others ({@link Happenings}): whoever was away
 * goes on from the number where it was.
 *
 * @param outcomes ascending by number
 * @param forgotten whether there were some from the number asked for on that are not known any more
 * @param next what to ask for next: the number after the last that was looked at
 */
public record Outcomes(List<Numbered> outcomes, boolean forgotten, long next) {
  public Outcomes {
    outcomes = List.copyOf(outcomes);
  }

  /** One of them. */
  public record Numbered(long number, History.Recorded recorded) {}
}

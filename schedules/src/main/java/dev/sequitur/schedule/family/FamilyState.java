package dev.sequitur.schedule.family;

import dev.sequitur.schedule.signing.Bodies;

/** What a family must know of the queue beyond its schedules. */
public interface FamilyState {
  /** That of a {@link Family.Archiving}. */
  interface Archiving extends FamilyState {
    /** What is moved to a store outside the queue. */
    Bodies bodies();
  }
}

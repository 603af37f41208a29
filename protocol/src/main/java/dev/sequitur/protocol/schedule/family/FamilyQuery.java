package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;

/**
 * A question to one family, answered where its queue is: a value, so that it may come from another
 * JVM of the node, and a pure function of what the family sees.
 *
 * @param <R> the answer, a value too
 */
public interface FamilyQuery<R> {
  /** Whose it is. */
  FamilyKind family();

  /** At the time of the view. */
  R answer(Family family, QueueView view);
}

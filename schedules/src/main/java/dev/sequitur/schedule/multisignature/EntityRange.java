package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.signing.EntityId;

/**
 * A page of numbers.
 *
 * @param from the lowest
 * @param to the highest; none is in the page if it is lower than {@code from}
 * @param descending whether the page begins with the highest
 * @param limit how many are shown at most, 1 to {@value #MOST}
 */
public record EntityRange(EntityId from, EntityId to, boolean descending, int limit) {
  /** The largest page. */
  public static final int MOST = 100;

  public EntityRange {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("A page has 1 to " + MOST + " rows, not " + limit + ".");
    }
  }

  /** A single number. */
  public static EntityRange of(EntityId id) {
    return new EntityRange(id, id, false, 1);
  }

  boolean isEmpty() {
    return from.compareTo(to) > 0;
  }
}

package dev.sequitur.schedule.family;

import dev.sequitur.schedule.ConsensusTime;

/**
 * How full a family's due order is at a time, as it stands now: others may still come or go.
 *
 * @param from the beginning of the tick, slot or second
 * @param taken how many stand in it; of multi-signature schedules that name no time, how many still
 *     wait by then if nobody signs them
 * @param capacity how many it serves: in its first block, or at all if it takes no more
 * @param price what a place in it costs at least: for a unit of gas, for a time, for an execution,
 *     or for creating and executing
 * @param unreached how many of those that stand in it will expire, as things stand now, since so
 *     many others come before them; 0 where nothing expires so
 * @param full whether it takes no more, whatever is offered; also a time that has passed, is too
 *     near, or lies further ahead than the family takes
 */
public record Forecast(
    ConsensusTime from, int taken, int capacity, long price, int unreached, boolean full) {
  /** Where none expires for want of room. */
  public Forecast(ConsensusTime from, int taken, int capacity, long price, boolean full) {
    this(from, taken, capacity, price, 0, full);
  }
}

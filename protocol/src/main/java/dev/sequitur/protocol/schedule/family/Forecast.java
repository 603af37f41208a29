package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.ConsensusTime;

/**
 * How full a family's due order is at a time, as it stands now: others may still come or go.
 *
 * @param from the beginning of the tick or slot
 * @param taken how many stand in it
 * @param capacity how many it serves: in its first block, or at all if it takes no more
 * @param price what a place in it costs at least, for a unit of gas or for a time; beyond what it
 *     takes there is none
 * @param full whether it takes no more, whatever is offered
 */
public record Forecast(ConsensusTime from, int taken, int capacity, long price, boolean full) {}

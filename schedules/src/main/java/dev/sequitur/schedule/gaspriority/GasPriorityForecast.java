package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.ConsensusTime;

/**
 * What would come of a gas-priority schedule if it were inserted now and nobody else came or went,
 * with a block in every tick.
 *
 * @param runsAt the beginning of the tick in which it runs, or expires
 * @param gasUnitPrice what it pays for a unit of gas; 0 if it expires
 * @param expires whether others keep it waiting for too long
 */
public record GasPriorityForecast(ConsensusTime runsAt, long gasUnitPrice, boolean expires) {}

/**
 * Schedules that run at a time, the highest bidder first (docs/rules/gas-priority.md). Begin with
 * {@link dev.sequitur.protocol.schedule.gaspriority.GasPriority}.
 */
package dev.sequitur.protocol.schedule.gaspriority;

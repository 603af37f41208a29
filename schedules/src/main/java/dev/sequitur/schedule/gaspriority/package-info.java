/**
 * Schedules that run at a time, the highest bidder first (docs/rules/gas-priority.md). Begin with
 * {@link dev.sequitur.schedule.gaspriority.GasPriority}.
 */
package dev.sequitur.schedule.gaspriority;

/**
 * Schedules under load: the rules alone, and whole systems side by side, ours and others. Begin
 * with ScheduleComparison.
 */
package dev.sequitur.benchmarks.schedules;

/**
 * Puts the schedule queues of a node together: {@link
 * dev.sequitur.scheduler.runtime.RunningScheduler}.
 */
package dev.sequitur.scheduler.runtime;

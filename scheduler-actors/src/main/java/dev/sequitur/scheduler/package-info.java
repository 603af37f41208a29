/**
 * The schedule queues of a node. Begin with {@link dev.sequitur.scheduler.SchedulerNode}: what the
 * process around them calls. The actors are in {@code actor}, what is stored in {@code storage},
 * what puts them together in {@code runtime}.
 */
package dev.sequitur.scheduler;

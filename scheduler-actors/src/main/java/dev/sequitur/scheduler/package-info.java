/**
 * The schedule queues of a node. Begin with {@link dev.sequitur.scheduler.SchedulerNode}: what the
 * process around them calls. The actors are in {@code actor}, what is stored in {@code storage},
 * what puts them together in {@code runtime}. Beside them: {@code body} reads and writes Hedera's
 * bytes, {@code multisignature} submits them, {@code provider} serves a plan contract of a chain.
 * The rules are in the module {@code schedules}.
 */
package dev.sequitur.scheduler;

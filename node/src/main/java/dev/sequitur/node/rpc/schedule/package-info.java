/**
 * The methods of the schedules: {@code schedule_…} for what all families share, and those of each
 * family in the terms of its specification. Begin with {@link
 * dev.sequitur.node.rpc.schedule.ScheduleMethods}.
 */
package dev.sequitur.node.rpc.schedule;

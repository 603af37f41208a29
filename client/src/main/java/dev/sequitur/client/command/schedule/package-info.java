/**
 * {@code sequitur schedule …}: the schedules of a running node, for people. Each command is one or
 * two JSON-RPC calls; begin with {@link dev.sequitur.client.command.schedule.ScheduleCommand}.
 */
package dev.sequitur.client.command.schedule;

/**
 * The demonstration of the schedules: one story of each family, told over JSON-RPC on running nodes
 * and checked afterwards. Begin with {@link dev.sequitur.laboratory.demo.schedule.ScheduleDemo}.
 */
package dev.sequitur.laboratory.demo.schedule;

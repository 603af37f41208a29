/**
 * The machine of one schedule queue, the atomic unit of the scheduler: its clock, book, indexes and
 * block step, the same for every family. Everything in its state is durable. Begin with {@link
 * dev.sequitur.schedule.queue.ScheduleQueue}.
 */
package dev.sequitur.schedule.queue;

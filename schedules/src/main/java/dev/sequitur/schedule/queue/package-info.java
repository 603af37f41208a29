/**
 * The machine of one schedule queue, the atomic unit of the scheduler: its clock, book, indexes and
 * block step, the same for every family. Everything in its state is durable. Begin with {@link
 * dev.sequitur.schedule.queue.ScheduleQueue}.
 *
 * <p>A schedule comes in by {@code Commands} and {@code Admitting}, or by an operation of its
 * family's own and {@code Performing}. When it is due, {@code BlockStep} has its family start it,
 * {@code Executing} runs an attempt or hands it over, and {@code Settling} gives it its outcome,
 * which {@link dev.sequitur.schedule.queue.History} keeps until a store has it. What a family has
 * decided is carried out by {@code Acting}. A {@link dev.sequitur.schedule.queue.Trial} is the same
 * way for a command that is only tried: what it would come to, and nothing is kept.
 */
package dev.sequitur.schedule.queue;

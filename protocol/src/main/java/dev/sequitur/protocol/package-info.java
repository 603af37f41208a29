/**
 * The rules of the sequencer and of the schedules, as pure functions over values; and the ports to
 * all that is not a rule. No Akka, no I/O, no clock, no randomness of its own.
 *
 * <p>Of the sequencer read {@code message} for what is said, {@code sender}, {@code coordinator},
 * {@code endorser} and {@code submitter} for who answers what, {@code selection} for who
 * coordinates. Of the schedules, which are half of this module, read {@code schedule.queue} for the
 * engine, {@code schedule.family} for what a family is, the rooms beside it for each, {@code
 * schedule.book} for the money. Read {@code port} for what the rules need from outside.
 *
 * <p>Rules have numbers such as {@code DSP-4}: docs/rules of the repository says what each means.
 */
package dev.sequitur.protocol;

/**
 * How attempts that answer later are carried out: {@link
 * dev.sequitur.protocol.schedule.attempt.Attempts} is the machine between a queue and the
 * sequencer.
 */
package dev.sequitur.protocol.schedule.attempt;

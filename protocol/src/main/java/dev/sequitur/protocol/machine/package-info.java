/**
 * The shape that every machine of the protocol has: {@code decide(state, input, now)} gives a
 * {@link dev.sequitur.protocol.machine.Decision}; {@code evolve(state, event)} repeats its durable
 * part on recovery.
 */
package dev.sequitur.protocol.machine;

/**
 * The rules of the sequencer and of the schedules, as pure functions over values; and the ports to
 * all that is not a rule. No Akka, no I/O, no clock, no randomness of its own.
 *
 * <p>Read {@code message} for what is said, {@code sender}, {@code coordinator}, {@code endorser}
 * and {@code submitter} for who answers what, {@code selection} for who coordinates, {@code port}
 * for what the rules need from outside.
 */
package dev.sequitur.protocol;

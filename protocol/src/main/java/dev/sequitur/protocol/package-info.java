/**
 * The rules of the sequencer, as pure functions over values; and the ports to all that is not a
 * rule. No Akka, no I/O, no clock, no randomness of its own.
 *
 * <p>Read {@code message} for what is said, {@code sender}, {@code coordinator}, {@code endorser}
 * and {@code submitter} for who answers what, {@code selection} for who coordinates, {@code
 * indexing} for how a node learns of blocks, {@code founding} for how a group is made, {@code
 * machine} for the shape that all of these have, and {@code errand} for what they have done by
 * others. Read {@code port} for what the rules need from outside. The rules of the schedules are a
 * module of their own, {@code schedules}.
 *
 * <p>Rules have numbers such as {@code DSP-4}: docs/rules of the repository says what each means.
 */
package dev.sequitur.protocol;

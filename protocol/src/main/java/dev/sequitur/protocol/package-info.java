/**
 * The rules: messages, coordinator selection, state machines, and the ports through which they
 * reach the world. No Akka, no I/O, no clock and no randomness of its own: time and chance come in
 * as values, effects go out as values.
 */
package dev.sequitur.protocol;

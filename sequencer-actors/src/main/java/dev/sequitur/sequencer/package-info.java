/**
 * Thin actors around the sequencer's rules, with domains and transports. An actor turns messages
 * into inputs and effects into Akka calls; it decides nothing.
 */
package dev.sequitur.sequencer;

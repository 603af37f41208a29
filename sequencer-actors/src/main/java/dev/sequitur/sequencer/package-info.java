/**
 * The sequencer of one node: thin actors around the rules of {@code dev.sequitur.protocol}. {@link
 * dev.sequitur.sequencer.SequencerNode} is what the process around it sees, {@code runtime} what
 * makes one; ledgers, transports and stores are given to it as ports.
 */
package dev.sequitur.sequencer;

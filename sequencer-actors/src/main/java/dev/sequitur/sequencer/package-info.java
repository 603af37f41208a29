/**
 * The sequencer of one node: thin actors around the rules of {@code dev.sequitur.protocol}, the
 * domains and the transports. {@link dev.sequitur.sequencer.SequencerNode} is what the process
 * around it sees.
 */
package dev.sequitur.sequencer;

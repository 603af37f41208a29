/**
 * What joins the actors of one node to the ports: {@link
 * dev.sequitur.sequencer.runtime.SequencerStart}, who starts them, what comes in for them, and
 * {@link dev.sequitur.sequencer.runtime.RunningSequencer}, the node as a whole. No actor of the
 * node knows of it.
 */
package dev.sequitur.sequencer.runtime;

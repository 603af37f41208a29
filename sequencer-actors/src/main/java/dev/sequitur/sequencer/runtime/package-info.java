/**
 * What joins the actors of one node to the ports: routing, groups, counters, and {@link
 * dev.sequitur.sequencer.runtime.RunningSequencer}, the node as a whole.
 */
package dev.sequitur.sequencer.runtime;

/**
 * What a node is given ({@link dev.sequitur.sequencer.setup.NodeSetup}) and what is made of that
 * once, for all its actors: groups, counters, the outbox, the names of its keys. Nothing here knows
 * an actor.
 */
package dev.sequitur.sequencer.setup;

/**
 * Thin actors around the rules: they turn messages into inputs, store events, then let messages and
 * effects leave. One entity for each contract and role. {@link
 * dev.sequitur.sequencer.actor.NodeServices} is what all of them share, and how they find each
 * other; {@link dev.sequitur.sequencer.actor.NodeStanding} what they tell the operator.
 */
package dev.sequitur.sequencer.actor;

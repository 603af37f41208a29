/**
 * Thin actors around the rules: they turn messages into inputs, store events, then let messages and
 * effects leave. One entity for each contract and role.
 */
package dev.sequitur.sequencer.actor;

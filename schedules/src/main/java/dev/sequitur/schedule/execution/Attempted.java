package dev.sequitur.schedule.execution;

import dev.sequitur.schedule.ConsensusTime;

/**
 * An attempt of which it is known how it ended.
 *
 * @param at when it started
 * @param reason why it failed, as a sentence without private data; empty if it did not
 */
public record Attempted(ConsensusTime at, String reason) {}

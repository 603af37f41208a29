package dev.sequitur.protocol.schedule.queue;

import java.util.List;

/**
 * What a queue can tell of one schedule.
 *
 * @param sentence why it has not run, or that it has its outcome
 * @param history its outcomes, as far as they are still known, oldest first
 */
public record Explanation(String sentence, List<History.Recorded> history) {}

package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.Optional;

/**
 * What a queue can tell of one schedule.
 *
 * @param sentence why it has not run, or that it has its outcome
 * @param transaction as which the sequencer has its present attempt, if it has
 * @param history its newest outcomes, as far as they are still known, up to {@link
 *     History#MOST_OF_ONE}, oldest first
 */
public record Explanation(
    String sentence, Optional<TransactionId> transaction, List<History.Recorded> history) {}

package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.TransactionId;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Operations to be driven to their receipts.
 *
 * @param label beside the progress bar
 * @param operations by index, from 0 to {@code size}, exclusive
 * @param acceptedBefore by an earlier start: they are waited for, but not timed
 */
record Work(
    String label,
    IntFunction<Operation> operations,
    int size,
    Intents intents,
    Set<TransactionId> acceptedBefore) {}

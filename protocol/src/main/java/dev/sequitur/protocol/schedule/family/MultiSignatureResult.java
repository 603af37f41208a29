package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.signing.Receipt;

/**
 * The answer to an operation of the multi-signature family.
 *
 * @param responseCode the status as a number of the queue's profile
 */
public record MultiSignatureResult(Receipt receipt, int responseCode) implements FamilyResult {}

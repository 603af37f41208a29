package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Bytes;

/**
 * What every submitted transaction has beside its operation.
 *
 * @param validSeconds how long after its valid start it is valid
 * @param maxFee what its payer is ready to pay for it
 * @param hash SHA-384 of the signed transaction
 * @param signatures of the outer transaction, over its body bytes
 */
public record Submission(
    AccountTransactionId id,
    long validSeconds,
    long maxFee,
    String memo,
    Bytes hash,
    VerifiedSignatures signatures) {}

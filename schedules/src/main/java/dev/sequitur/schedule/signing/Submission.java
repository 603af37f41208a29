package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;

/**
 * What every submitted transaction has beside its operation.
 *
 * @param node the node account that its signed body names
 * @param validSeconds how long after its valid start it is valid
 * @param maxFee what its payer is ready to pay for it
 * @param hash SHA-384 of the signed transaction
 * @param content of what it says but for the node account that it names, and of who has signed it:
 *     a client that has lost an answer sends that again, to another front
 * @param signatures of the outer transaction, over its body bytes
 */
@Copyable
public record Submission(
    AccountTransactionId id,
    NodeAccount node,
    long validSeconds,
    long maxFee,
    String memo,
    Bytes hash,
    Hash content,
    VerifiedSignatures signatures)
    implements SubmissionBuilder.With {}

package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;

/**
 * A signature as it comes.
 *
 * @param prefix the first bytes of the public key, as many as tell it apart from others
 */
public record SignaturePair(Bytes prefix, PublicKey.Algorithm algorithm, Bytes signature) {}

package dev.sequitur.protocol.schedule.multisignature;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import org.pcollections.TreePSet;

/**
 * A schedule that has its end, as long as it can be asked for.
 *
 * @param executed with whatever outcome; otherwise it was deleted
 */
public record ClosedSchedule(
    MultiSignatureTerms terms, TreePSet<PublicKey> signers, boolean executed, ConsensusTime at) {}

package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.PublicKey;
import org.pcollections.TreePSet;

/**
 * A schedule that has its end, as long as it can be asked for.
 *
 * @param executed with whatever outcome; otherwise it was deleted
 */
public record ClosedSchedule(
    MultiSignatureTerms terms, TreePSet<PublicKey> signers, boolean executed, ConsensusTime at) {}

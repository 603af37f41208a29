package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.PublicKey;
import java.util.List;
import java.util.Optional;

/**
 * What ScheduleGetInfo answers.
 *
 * @param signers the keys that have provided signatures so far
 * @param approvals who must agree, as long as it can still be signed
 * @param deleted when it was deleted
 * @param executed when its transaction was executed
 */
public record ScheduleInfo(
    MultiSignatureTerms terms,
    List<PublicKey> signers,
    List<Approval> approvals,
    Optional<ConsensusTime> deleted,
    Optional<ConsensusTime> executed) {
  public ScheduleInfo {
    signers = List.copyOf(signers);
    approvals = List.copyOf(approvals);
  }
}

package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.TransactionReceipt;
import java.util.List;

/**
 * The answer to an operation of the multi-signature family.
 *
 * @param responseCode the status as a number of the queue's profile
 */
public record MultiSignatureResult(TransactionReceipt receipt, int responseCode)
    implements FamilyResult {
  @Override
  public List<ScheduleId> schedules() {
    return receipt.schedule().map(EntityId::schedule).stream().toList();
  }

  /**
   * @throws IllegalStateException if the profile has no such status
   */
  static MultiSignatureResult of(TransactionReceipt receipt, Profile profile) {
    var status = receipt.status();
    int number =
        status
            .number(profile)
            .orElseThrow(() -> new IllegalStateException(status + " in " + profile));
    return new MultiSignatureResult(receipt, number);
  }
}

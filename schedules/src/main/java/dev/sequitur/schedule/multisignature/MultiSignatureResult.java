package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.TransactionReceipt;

/**
 * The answer to an operation of the multi-signature family.
 *
 * @param responseCode the status as a number of the queue's profile
 */
public record MultiSignatureResult(TransactionReceipt receipt, int responseCode)
    implements FamilyResult {
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

package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.Identity;
import java.util.List;

/**
 * One line of an attestation plan: which parties are asked to endorse, and how many must.
 *
 * @param threshold between 1 and the number of parties
 */
public record AttestationRequest(String name, List<Identity> parties, int threshold) {
  public AttestationRequest {
    parties = List.copyOf(parties);
    if (threshold < 1 || threshold > parties.size()) {
      throw new IllegalArgumentException(
          "Of " + parties.size() + " parties " + threshold + " cannot be asked to endorse.");
    }
  }
}

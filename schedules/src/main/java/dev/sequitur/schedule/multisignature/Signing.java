package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the signatures of one operation come to.
 *
 * @param given how many were appended or tried, which is what is paid for
 * @param added keys that had not signed before
 * @param ready whether all required keys have signed now
 */
record Signing(int given, Set<PublicKey> added, boolean ready) {
  /**
   * In {@code mvp} all or nothing: a signature that is wrong, over something else, or of a key that
   * need not sign makes the whole operation fail. In {@code current} those of the outer transaction
   * count as far as they are needed (MSIG-2, MSIG-7).
   *
   * @param before who has signed so far
   * @return empty if the operation must fail
   */
  static Optional<Signing> of(
      Profile profile, RequiredKeys required, Set<PublicKey> before, Collected collected) {
    var relevant = required.publicKeys();
    Set<PublicKey> added = new HashSet<>();
    for (var check : collected.signatures.checks()) {
      var counting = new HashSet<>(check.verified());
      counting.retainAll(relevant);
      if (profile == Profile.MVP && (counting.isEmpty() || !collected.coverBody())) {
        return Optional.empty();
      }
      added.addAll(counting);
    }
    added.removeAll(before);
    Set<PublicKey> all = new HashSet<>(before);
    all.addAll(added);
    return Optional.of(
        new Signing(collected.signatures.checks().size(), added, required.areSatisfiedBy(all)));
  }

  /**
   * The signatures that count in a profile.
   *
   * @param body SHA-256 of the body in question
   */
  record Collected(VerifiedSignatures signatures, Hash body) {
    static Collected of(Profile profile, Submission by, VerifiedSignatures sigMap, Hash body) {
      return new Collected(profile == Profile.MVP ? sigMap : by.signatures(), body);
    }

    boolean coverBody() {
      return signatures.over().equals(body);
    }
  }
}

package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;

/**
 * What the assemblies of one transaction have met with so far.
 *
 * @param refusals by endorsers
 * @param refuser whoever refused the newest; the next one is shown to them before anybody else
 * @param conflicts with others in flight, since it was last without one
 */
public record Setbacks(int refusals, Optional<Identity> refuser, int conflicts) {
  static final Setbacks NONE = new Setbacks(0, Optional.empty(), 0);

  Setbacks refusedBy(Identity party) {
    return new Setbacks(refusals + 1, Optional.of(party), conflicts);
  }

  Setbacks conflicted() {
    return new Setbacks(refusals, refuser, conflicts + 1);
  }

  Setbacks withoutConflicts() {
    return conflicts == 0 ? this : new Setbacks(refusals, refuser, 0);
  }
}

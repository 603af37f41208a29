package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;

/**
 * How often the assemblies of one transaction were refused, and by whom.
 *
 * @param last whoever refused the newest; the next one is shown to them before anybody else
 */
public record Refusals(int count, Optional<Identity> last) {
  static final Refusals NONE = new Refusals(0, Optional.empty());

  Refusals by(Identity party) {
    return new Refusals(count + 1, Optional.of(party));
  }
}

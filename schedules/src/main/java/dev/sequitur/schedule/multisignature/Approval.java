package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;

/**
 * One that must agree before a schedule runs, by its present key.
 *
 * @param account whose key it is; empty of an identity's, and of an account that is to be made
 * @param identity whose key it is
 * @param given whether enough of the key have signed
 */
public record Approval(
    Optional<EntityId> account, Optional<Identity> identity, AccountKey key, boolean given) {}

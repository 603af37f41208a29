package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;

/**
 * A privacy group whose contract stands on the base ledger.
 *
 * @param domain the name of the {@link dev.sequitur.protocol.port.Domain}
 * @param configuration the domain's own, as it stands on the base ledger
 */
public record PrivacyGroup(
    GroupId id,
    ContractAddress contract,
    String domain,
    String name,
    Committee committee,
    Bytes configuration) {}

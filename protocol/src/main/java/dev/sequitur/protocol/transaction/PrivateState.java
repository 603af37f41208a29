package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import java.util.List;

/**
 * A private state with its content.
 *
 * @param schema the domain's name for this kind of state
 * @param lookup what the domain finds it by within the schema: an owner, a key
 * @param data the domain's encoding, private
 * @param distribution the only parties that may ever hold it (DST-2)
 */
public record PrivateState(
    StateId id,
    ContractAddress contract,
    String schema,
    String lookup,
    Bytes data,
    List<Identity> distribution) {
  public PrivateState {
    distribution = List.copyOf(distribution);
  }
}

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
 * @param distribution the only parties that may ever hold it (DST-2), members of its group: at most
 *     {@link #MOST_PARTIES}
 */
public record PrivateState(
    StateId id,
    ContractAddress contract,
    String schema,
    String lookup,
    Bytes data,
    List<Identity> distribution) {
  /** More than any group has members, and few enough that no message fills a node by it. */
  public static final int MOST_PARTIES = 10_000;

  /**
   * @throws IllegalArgumentException if more parties may hold it than {@link #MOST_PARTIES}
   */
  public PrivateState {
    if (distribution.size() > MOST_PARTIES) {
      throw new IllegalArgumentException(
          "At most "
              + MOST_PARTIES
              + " parties may hold a state, and not "
              + distribution.size()
              + ".");
    }
    distribution = List.copyOf(distribution);
  }
}

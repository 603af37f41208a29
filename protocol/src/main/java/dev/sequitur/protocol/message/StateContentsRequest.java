package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import java.util.List;

/**
 * A state store asks another for the contents of states that the ledger shows and that nobody has
 * given it (DST-6). Who is asked gives only what the asker is on the list of (DST-2).
 *
 * @param states at most {@link #MOST}
 */
public record StateContentsRequest(
    RequestId requestId, ContractAddress contract, List<StateId> states)
    implements Message.ForStateStore {
  /** States that are asked for at once. */
  public static final int MOST = 1_000;

  public StateContentsRequest {
    if (states.size() > MOST) {
      throw new IllegalArgumentException(
          "At most " + MOST + " states are asked for at once, and not " + states.size() + ".");
    }
    states = List.copyOf(states);
  }
}

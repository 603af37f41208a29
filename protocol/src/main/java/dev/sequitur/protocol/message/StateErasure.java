package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import java.util.List;

/**
 * A state store asks another to erase the contents of states, as a caller of its node has had it do
 * (ROM-7). Sent until it is answered.
 *
 * @param states at most {@link #MOST}
 */
public record StateErasure(RequestId erasureId, ContractAddress contract, List<StateId> states)
    implements Message.ForStateStore {
  /** States that are erased together. */
  public static final int MOST = 1_000;

  public StateErasure {
    if (states.size() > MOST) {
      throw new IllegalArgumentException(
          "At most " + MOST + " states are erased together, and not " + states.size() + ".");
    }
    states = List.copyOf(states);
  }

  /**
   * Ends it.
   *
   * @param erased whether the contents are gone from where this node keeps them; else it does not
   *     do so at that member's request
   */
  public record StateErasureAnswer(RequestId erasureId, ContractAddress contract, boolean erased)
      implements Message.ForStateStore {}
}

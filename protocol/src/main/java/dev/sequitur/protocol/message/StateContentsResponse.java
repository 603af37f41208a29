package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;

/**
 * What of a {@link StateContentsRequest} the node that was asked holds and may give; perhaps
 * nothing.
 *
 * @param more it holds more of what was asked than one message may carry
 */
public record StateContentsResponse(
    RequestId requestId, ContractAddress contract, List<PrivateState> states, boolean more)
    implements Message.ForStateStore {
  /**
   * @throws IllegalArgumentException if it gives more than can be asked for
   */
  public StateContentsResponse {
    if (states.size() > StateContentsRequest.MOST) {
      throw new IllegalArgumentException(
          "At most "
              + StateContentsRequest.MOST
              + " states are given at once, and not "
              + states.size()
              + ".");
    }
    states = List.copyOf(states);
  }
}

package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorState.Purpose;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.trie.HashTrie;
import org.pcollections.PMap;

/**
 * Requests and notifications that are not answered yet.
 *
 * @param purposes what each open exchange is about
 * @param next numbers requests within this incarnation
 */
public record OpenRequests(
    Exchanges<RequestId> exchanges, PMap<RequestId, Purpose> purposes, long next) {
  static final OpenRequests NONE = new OpenRequests(Exchanges.none(), HashTrie.empty(), 0);

  OpenRequests with(Exchanges<RequestId> newExchanges, PMap<RequestId, Purpose> newPurposes) {
    return new OpenRequests(newExchanges, newPurposes, next);
  }

  OpenRequests withNext(long newNext) {
    return new OpenRequests(exchanges, purposes, newNext);
  }
}

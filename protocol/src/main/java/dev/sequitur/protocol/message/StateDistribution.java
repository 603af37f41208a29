package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;

/**
 * Private states for those on their distribution list; stored on both sides before it is
 * acknowledged (DST-1). Carries the states of many transactions: each item is one of the
 * specification's distributions of data.
 */
public record StateDistribution(
    RequestId distributionId, ContractAddress contract, List<Item> items)
    implements Message.ForStateStore {
  public StateDistribution {
    items = List.copyOf(items);
  }

  /** A state and the transaction that makes it. */
  public record Item(TransactionId producedBy, PrivateState state) {}

  @Override
  public List<TransactionId> transactions() {
    return items.stream().map(Item::producedBy).distinct().toList();
  }
}

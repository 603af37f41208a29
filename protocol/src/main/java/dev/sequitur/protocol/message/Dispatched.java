package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * Tells a sender that a submitter holds its transactions: those of one sender whose dispatch the
 * submitter has stored in one go, each with the delegation that it was dispatched under. Carries
 * many of the specification's message of this name. Fire and forget (DSP-7).
 */
public record Dispatched(ContractAddress contract, List<Item> items, NodeName submitter)
    implements Message.ForSender {
  public Dispatched {
    items = List.copyOf(items);
  }

  /** A transaction that the submitter holds. */
  public record Item(TransactionId transaction, DelegationId delegationId) {}

  @Override
  public List<TransactionId> transactions() {
    return items.stream().map(Item::transaction).toList();
  }
}

package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import java.util.List;

/**
 * The coordinator asks a sender's leave to dispatch all that became ready together (DSP-3): each
 * item is one of the specification's requests.
 */
public record RequestDispatchConfirmation(
    RequestId requestId, ContractAddress contract, NodeName coordinator, List<Item> items)
    implements Message.ForSender {
  public RequestDispatchConfirmation {
    items = List.copyOf(items);
  }

  /**
   * One transaction.
   *
   * @param assemblyHash see {@link
   *     dev.sequitur.protocol.transaction.PostAssembly#confirmationHash(TransactionId,
   *     DelegationId)}
   */
  public record Item(TransactionId transaction, DelegationId delegationId, Hash assemblyHash) {}

  @Override
  public List<TransactionId> transactions() {
    return items.stream().map(Item::transaction).toList();
  }

  /** The same, but that nothing is asked about {@code transaction}. */
  public RequestDispatchConfirmation without(TransactionId transaction) {
    return new RequestDispatchConfirmation(
        requestId,
        contract,
        coordinator,
        items.stream().filter(item -> !item.transaction().equals(transaction)).toList());
  }
}

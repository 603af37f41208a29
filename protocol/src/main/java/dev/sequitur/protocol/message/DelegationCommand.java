package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.List;

/**
 * A sender asks a coordinator to coordinate its transactions of one contract (DLG-4, DLG-5).
 *
 * @param blockHeight the height upon which the delegation was calculated: of crossing commands the
 *     higher one wins, then the later one
 * @param passedOver better members that the sender has found unable to act: that they live is no
 *     ground to reject this command (AVL-7)
 * @param left what was prepared for their callers of these, by whomever: only its states are to be
 *     locked (EXT-3); empty if all are to be coordinated
 * @param refused those that endorsers have refused at coordinators before (EDR-5)
 */
public record DelegationCommand(
    DelegationId delegationId,
    NodeName delegateNode,
    ContractAddress contract,
    List<PrivateTransaction> privateTransactions,
    BlockHeight blockHeight,
    List<NodeName> passedOver,
    List<Left> left,
    List<Refusals> refused)
    implements Message.ForCoordinator {
  public DelegationCommand {
    privateTransactions = List.copyOf(privateTransactions);
    passedOver = List.copyOf(passedOver);
    left = List.copyOf(left);
    refused = List.copyOf(refused);
  }

  /**
   * Prepared, and its caller's to submit.
   *
   * @param since how long it has been
   */
  public record Left(PreparedTransaction prepared, Duration since) {}

  /** To coordinate them. */
  public DelegationCommand(
      DelegationId delegationId,
      NodeName delegateNode,
      ContractAddress contract,
      List<PrivateTransaction> privateTransactions,
      BlockHeight blockHeight,
      List<NodeName> passedOver) {
    this(
        delegationId,
        delegateNode,
        contract,
        privateTransactions,
        blockHeight,
        passedOver,
        List.of(),
        List.of());
  }

  /** To the best member that the sender knows. */
  public DelegationCommand(
      DelegationId delegationId,
      NodeName delegateNode,
      ContractAddress contract,
      List<PrivateTransaction> privateTransactions,
      BlockHeight blockHeight) {
    this(delegationId, delegateNode, contract, privateTransactions, blockHeight, List.of());
  }

  @Override
  public List<TransactionId> transactions() {
    return privateTransactions.stream().map(PrivateTransaction::id).toList();
  }
}

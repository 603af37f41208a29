package dev.sequitur.protocol.message;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.util.List;

/**
 * The coordinator asks one party to endorse an attestation batch: each item is one of the
 * specification's endorsement requests. Coordinator, height and delegation are what EDR-3 adds.
 *
 * @param items in the order of their dispatch
 * @param passedOver better members that senders have found unable to act, and so delegated to this
 *     coordinator (AVL-7)
 */
public record EndorsementRequest(
    AttestationRequest attestationRequest,
    RequestId idempotencyKey,
    ContractAddress contract,
    Identity party,
    List<Item> items,
    NodeName coordinator,
    BlockHeight blockHeight,
    List<NodeName> passedOver)
    implements Message.ForEndorser {
  public EndorsementRequest {
    items = List.copyOf(items);
    passedOver = List.copyOf(passedOver);
  }

  /** Of the best member that anybody knows. */
  public EndorsementRequest(
      AttestationRequest attestationRequest,
      RequestId idempotencyKey,
      ContractAddress contract,
      Identity party,
      List<Item> items,
      NodeName coordinator,
      BlockHeight blockHeight) {
    this(
        attestationRequest,
        idempotencyKey,
        contract,
        party,
        items,
        coordinator,
        blockHeight,
        List.of());
  }

  /**
   * One assembled transaction.
   *
   * @param transaction the intent being endorsed
   * @param transactionSpecification the domain's encoding of what the assembly claims
   * @param verifiers whose signatures {@code proof} holds
   * @param proof the sender's
   */
  public record Item(
      PrivateTransaction transaction,
      Bytes transactionSpecification,
      List<Member> verifiers,
      Proof proof,
      List<PrivateState> inputStates,
      List<PrivateState> readStates,
      List<PrivateState> outputStates,
      List<PrivateState> infoStates,
      DelegationId delegationId) {

    /** Of the intent as this party was told it: that of another sender's fits no signature. */
    public Hash transition() {
      return transition(transaction.key());
    }

    /**
     * @param intent its transaction's key, which costs a hash
     */
    public Hash transition(IntentKey intent) {
      return Attestation.transition(intent, ids(inputStates), ids(readStates), ids(outputStates));
    }

    private static List<StateId> ids(List<PrivateState> states) {
      return states.stream().map(PrivateState::id).toList();
    }
  }

  @Override
  public List<TransactionId> transactions() {
    return items.stream().map(item -> item.transaction().id()).toList();
  }

  /** The same, under another key. */
  public EndorsementRequest again(RequestId key, BlockHeight height, List<NodeName> nowPassedOver) {
    return new EndorsementRequest(
        attestationRequest, key, contract, party, items, coordinator, height, nowPassedOver);
  }
}

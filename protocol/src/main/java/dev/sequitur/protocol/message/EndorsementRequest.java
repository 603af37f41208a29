package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;

/**
 * The coordinator asks one party to endorse an assembled transaction; coordinator, height and
 * delegation are what EDR-3 adds.
 *
 * @param transaction the intent being endorsed
 * @param transactionSpecification the domain's encoding of what the assembly claims
 * @param verifiers whose signatures {@code signatures} are
 */
public record EndorsementRequest(
    AttestationRequest attestationRequest,
    RequestId idempotencyKey,
    TransactionId transactionId,
    ContractAddress contract,
    Identity party,
    PrivateTransaction transaction,
    Bytes transactionSpecification,
    List<Member> verifiers,
    List<Signature> signatures,
    List<PrivateState> inputStates,
    List<PrivateState> readStates,
    List<PrivateState> outputStates,
    List<PrivateState> infoStates,
    NodeName coordinator,
    BlockHeight blockHeight,
    DelegationId delegationId)
    implements Message.ForEndorser {
  @Override
  public List<TransactionId> transactions() {
    return List.of(transactionId);
  }
}

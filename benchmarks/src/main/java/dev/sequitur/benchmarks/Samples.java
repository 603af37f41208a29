package dev.sequitur.benchmarks;

import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/** Values of the shape and size that a token payment has; nothing in them is valid. */
final class Samples {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "a1".repeat(20));
  private static final String COIN =
      "{\"amount\":\"1\",\"intent\":\"0x%1$s\",\"owner\":\"member1@node1\",\"salt\":\"0x%1$s\"}"
          .formatted("b2".repeat(32));

  private static final List<Identity> MEMBERS =
      IntStream.rangeClosed(1, 4)
          .mapToObj(number -> Identity.parse("member%d@node%d".formatted(number, number)))
          .toList();

  private final SplittableRandom random = new SplittableRandom(7);

  IntentKey intent() {
    var id = transaction();
    return new IntentKey(id, SenderCommitment.of(CONTRACT, id, owner(), IntentSalt.random()));
  }

  TransactionId transaction() {
    return new TransactionId(new UUID(random.nextLong(), random.nextLong()));
  }

  PrivateState coin() {
    var id = new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    return new PrivateState(
        new StateId(id), CONTRACT, "coin", "member1@node1", Bytes.utf8(COIN), MEMBERS);
  }

  /** Spends {@code input} and makes one coin. */
  PostAssembly assembly(PrivateState input) {
    return new PostAssembly(
        List.of(input),
        List.of(),
        List.of(coin()),
        List.of(),
        Bytes.utf8("{\"function\":\"transfer\"}"),
        List.of(plan()),
        new Proof(MerklePath.ALONE, List.of(signature())));
  }

  EndorsementRequest endorsementRequest() {
    var id = transaction();
    var owner = owner();
    var transaction =
        new PrivateTransaction(
            id,
            CONTRACT,
            "token",
            "transfer",
            owner,
            Bytes.utf8("{\"to\":\"member2@node2\",\"amount\":\"1\"}"),
            SubmitMode.AUTO,
            List.of(),
            IntentSalt.random());
    var assembly = assembly(coin());
    return new EndorsementRequest(
        plan(),
        new RequestId("node1-1-1"),
        CONTRACT,
        owner,
        List.of(
            new EndorsementRequest.Item(
                transaction,
                assembly.specification(),
                List.of(new Member(owner, verifier())),
                assembly.proof(),
                assembly.inputs(),
                assembly.reads(),
                assembly.outputs(),
                assembly.info(),
                new DelegationId(owner.node(), 1, 1))),
        owner.node(),
        new BlockHeight(100));
  }

  private static Identity owner() {
    return MEMBERS.get(0);
  }

  private static AttestationRequest plan() {
    return new AttestationRequest("endorsement", MEMBERS, 4);
  }

  private static Signature signature() {
    return new Signature(owner(), verifier(), Bytes.of(new byte[65]));
  }

  private static Verifier verifier() {
    return new Verifier(Bytes.of(new byte[33]));
  }
}

package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the proof that a transaction is endorsed stands in JSON: written by {@code
 * ptx_getEndorsementProof}, read from a file by whoever checks it.
 */
public final class EndorsementProofs {
  private static final int MOST_STATES = 4_096;
  private static final int MOST_MEMBERS = 1_024;
  private static final int MOST_SIBLINGS = 64;

  private static final ObjectShape<Member> MEMBER =
      ObjectShape.<Member>named("Member")
          .with("identity", Formats.IDENTITY, Member::identity)
          .with("verifier", Formats.VERIFIER, Member::verifier);

  /** Who must have signed, as a group and a proof tell it. */
  static final ObjectShape<EndorsementPolicy> POLICY =
      ObjectShape.<EndorsementPolicy>named("EndorsementPolicy")
          .with("chainId", Shape.NUMBER, EndorsementPolicy::chainId, "of the base ledger")
          .with("contractAddress", Formats.ADDRESS, EndorsementPolicy::contract)
          .with("committee", MEMBER.list(), policy -> policy.quorum().committee().members())
          .with(
              "threshold",
              Shape.NUMBER,
              policy -> policy.quorum().threshold(),
              "how many of them must sign");

  /**
   * A proof as a node gives it.
   *
   * @param place empty if it is not on the base ledger yet
   */
  record Shown(String domain, EndorsementProof proof, Optional<OnLedger> place) {
    private PreparedTransaction prepared() {
      return proof.prepared();
    }
  }

  /**
   * A proof as a file tells it.
   *
   * @param root which signatures do not cover: it has to follow from the proof
   */
  public record Told(EndorsementProof proof, Hash root) {
    /** A sentence, if who had to sign is not what somebody who is trusted says of the group. */
    public Optional<String> otherPolicy(EndorsementPolicy trusted) {
      return proof.policy().equals(trusted)
          ? Optional.empty()
          : Optional.of(
              "The file tells another chain, other members or another threshold than the group.");
    }

    /** A sentence, if nobody has signed the root that is told: it misleads who compares roots. */
    public Optional<String> otherRoot() {
      var follows = EndorsementProofs.root(proof.prepared());
      return root.equals(follows)
          ? Optional.empty()
          : Optional.of(
              "The file tells the root %s, and the transaction and its path have %s."
                  .formatted(root, follows));
    }
  }

  static final ObjectShape<Shown> SHAPE =
      ObjectShape.<Shown>named("EndorsementProof")
          .with("id", Formats.TRANSACTION_ID, shown -> shown.prepared().transaction())
          .with("domain", Formats.TEXT, Shown::domain, "no signature covers it")
          .with("endorsementPolicy", POLICY, shown -> shown.proof().policy())
          .with("transaction", TransactionShapes.LEDGER_TRANSACTION, Shown::prepared)
          .with(
              "root",
              Formats.HASH,
              shown -> root(shown.prepared()),
              "of the tree that was signed: follows from the transaction and its path")
          .with(
              "public",
              TransactionShapes.PLACE.orNull(),
              Shown::place,
              "where it was fulfilled; null if it is not yet; no signature covers it");

  private EndorsementProofs() {}

  /** The root of the tree that its endorsers have signed. */
  public static Hash root(PreparedTransaction prepared) {
    var transition =
        Attestation.transition(
            prepared.intent(), prepared.inputs(), prepared.reads(), prepared.outputs());
    return prepared.proof().path().root(transition);
  }

  private static final Format<Identity> IDENTITY =
      Format.of("an identity, name@node", "alice@node1", Identity::parse);
  private static final Format<StateId> STATE = Formats.HASH.as(StateId::new, StateId::value);

  private static final Field<Identity> MEMBER_IDENTITY = Field.of("identity", IDENTITY, "");
  private static final Field<Verifier> MEMBER_VERIFIER = Field.of("verifier", Formats.VERIFIER, "");
  private static final Field<Long> CHAIN = Field.of("chainId", Formats.NUMBER, "");
  private static final Field<ContractAddress> CONTRACT =
      Field.of("contractAddress", Formats.ADDRESS, "");
  private static final Field<List<Sent>> COMMITTEE =
      Field.of(
          "committee",
          ObjectFormat.of("MemberRequest", MEMBER_IDENTITY, MEMBER_VERIFIER).list(MOST_MEMBERS),
          "");
  private static final Field<Integer> THRESHOLD = Field.of("threshold", Formats.COUNT, "");
  private static final Field<Sent> POLICY_FIELD =
      Field.of(
          "endorsementPolicy",
          ObjectFormat.of("EndorsementPolicyRequest", CHAIN, CONTRACT, COMMITTEE, THRESHOLD),
          "");

  private static final Field<Integer> INDEX = Field.of("index", Formats.COUNT, "");
  private static final Field<Integer> SIZE = Field.of("size", Formats.COUNT, "");
  private static final Field<List<Hash>> SIBLINGS =
      Field.of("siblings", Formats.HASH.list(MOST_SIBLINGS), "");
  private static final Field<Sent> PATH =
      Field.of("path", ObjectFormat.of("MerklePathRequest", INDEX, SIZE, SIBLINGS), "");
  private static final Field<Identity> PARTY = Field.of("party", IDENTITY, "");
  private static final Field<Bytes> SIGNATURE = Field.of("signature", Formats.HEX, "");
  private static final Field<List<Sent>> ENDORSEMENTS =
      Field.of(
          "endorsements",
          ObjectFormat.of("EndorsementRequest", PARTY, MEMBER_VERIFIER, SIGNATURE)
              .list(MOST_MEMBERS),
          "");
  private static final Field<Hash> COMMITMENT = Field.of("commitment", Formats.HASH, "");
  private static final Field<List<StateId>> INPUTS =
      Field.of("inputs", STATE.list(MOST_STATES), "");
  private static final Field<List<StateId>> READS = Field.of("reads", STATE.list(MOST_STATES), "");
  private static final Field<List<StateId>> OUTPUTS =
      Field.of("outputs", STATE.list(MOST_STATES), "");
  private static final Field<Sent> TRANSACTION =
      Field.of(
          "transaction",
          ObjectFormat.of(
              "PreparedLedgerTransactionRequest",
              COMMITMENT,
              INPUTS,
              READS,
              OUTPUTS,
              PATH,
              ENDORSEMENTS),
          "");
  private static final Field<TransactionId> ID = Field.of("id", Formats.TRANSACTION_ID, "");

  private static final Field<Hash> ROOT = Field.of("root", Formats.HASH, "");

  private static final ObjectFormat PROOF =
      ObjectFormat.of("EndorsementProofRequest", ID, POLICY_FIELD, TRANSACTION, ROOT).open();
  private static final ObjectFormat GROUP = ObjectFormat.of("GroupOfProof", POLICY_FIELD).open();

  /**
   * Reads what {@code ptx_getEndorsementProof} answered.
   *
   * @param name of where it stands, for refusals
   * @throws RpcFailure if it is no such thing
   */
  public static Told read(String name, JsonNode json) {
    var sent = PROOF.read(name, json);
    var policy = policy(sent.get(POLICY_FIELD));
    var prepared = prepared(sent.get(ID), policy.contract(), sent.get(TRANSACTION));
    return new Told(new EndorsementProof(policy, prepared), sent.get(ROOT));
  }

  /**
   * Reads who must sign for a group from what {@code pgroup_getGroupById} answered.
   *
   * @throws RpcFailure if it is no such thing
   */
  public static EndorsementPolicy readGroup(String name, JsonNode json) {
    return policy(GROUP.read(name, json).get(POLICY_FIELD));
  }

  private static EndorsementPolicy policy(Sent sent) {
    return made(
        sent,
        () ->
            new EndorsementPolicy(
                sent.get(CHAIN),
                sent.get(CONTRACT),
                new Quorum(
                    new Committee(
                        sent.get(COMMITTEE).stream()
                            .map(
                                member ->
                                    new Member(
                                        member.get(MEMBER_IDENTITY), member.get(MEMBER_VERIFIER)))
                            .toList()),
                    sent.get(THRESHOLD))));
  }

  private static PreparedTransaction prepared(
      TransactionId id, ContractAddress contract, Sent sent) {
    return new PreparedTransaction(
        new IntentKey(id, new SenderCommitment(sent.get(COMMITMENT))),
        contract,
        sent.get(INPUTS),
        sent.get(READS),
        sent.get(OUTPUTS),
        new Proof(
            path(sent.get(PATH)),
            sent.get(ENDORSEMENTS).stream()
                .map(
                    each ->
                        new Signature(
                            each.get(PARTY), each.get(MEMBER_VERIFIER), each.get(SIGNATURE)))
                .toList()));
  }

  private static MerklePath path(Sent sent) {
    return made(sent, () -> new MerklePath(sent.get(INDEX), sent.get(SIZE), sent.get(SIBLINGS)));
  }

  private static <T> T made(Sent sent, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw sent.wrong(" cannot be used. " + e.getMessage());
    }
  }
}

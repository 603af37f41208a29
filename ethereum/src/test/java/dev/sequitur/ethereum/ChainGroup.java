package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.GroupContract.Outcome;
import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A group whose contract is on a chain, with the keys of all its members. */
final class ChainGroup {
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final int WORD = 32;

  private final DevChain chain;
  private final Keys keys;
  private final List<Member> members;
  private final ContractAddress contract;

  /** A transition as it is in a batch. */
  record Transition(
      IntentKey intent, List<StateId> inputs, List<StateId> reads, List<StateId> outputs) {
    Hash digest() {
      return Attestation.transition(intent, inputs, reads, outputs);
    }
  }

  private ChainGroup(DevChain chain, Keys keys, List<Member> members, ContractAddress contract) {
    this.chain = chain;
    this.keys = keys;
    this.members = members;
    this.contract = contract;
  }

  /** The factory of a new implementation. */
  static String factory(DevChain chain) {
    var implementation = chain.deploy(Artifact.PRIVACY_GROUP.creation());
    return chain.deploy(joined(Artifact.PRIVACY_GROUP_FACTORY.creation(), address(implementation)));
  }

  /** Has a factory make a group of so many members. */
  static ChainGroup create(
      DevChain chain, String factory, Keys keys, int members, int threshold, Hash genesis) {
    var committee = committee(keys, members);
    var receipt = chain.send(chain.account(0), factory, createCall(genesis, threshold, committee));
    var group = receipt.at("/logs/0/topics/1").textValue();
    var contract = new ContractAddress("0x" + group.substring(group.length() - 40));
    return new ChainGroup(chain, keys, committee, contract);
  }

  /** In the order of the contract. */
  static List<Member> committee(Keys keys, int members) {
    var committee = new ArrayList<Member>();
    for (int number = 0; number < members; number++) {
      var name = "member" + number;
      committee.add(new Member(Identity.parse(name + "@node"), keys.verifier(name)));
    }
    committee.sort(Comparator.comparing(member -> SIGNATURES.address(member.verifier()).value()));
    return committee;
  }

  static Bytes createCall(Hash genesis, int threshold, List<Member> committee) {
    return createCall(genesis, threshold, threshold, committee);
  }

  static Bytes createCall(
      Hash genesis, int threshold, int changeThreshold, List<Member> committee) {
    return GroupContract.create(
        genesis,
        threshold,
        changeThreshold,
        committee.stream().map(member -> SIGNATURES.address(member.verifier())).toList());
  }

  ContractAddress contract() {
    return contract;
  }

  List<Member> members() {
    return members;
  }

  /** Signed by the root of all of them together, by the first members. */
  List<PreparedTransaction> endorsed(List<Transition> batch, int signers) {
    return endorsed(batch, signers, Purpose.ENDORSEMENT, DevChain.CHAIN, contract);
  }

  List<PreparedTransaction> endorsed(
      List<Transition> batch,
      int signers,
      Purpose purpose,
      long chainId,
      ContractAddress signedFor) {
    var tree = MerkleTree.of(batch.stream().map(Transition::digest).toList());
    var digest = new Attestation(purpose, chainId, signedFor).digest(tree);
    var signatures =
        members.subList(0, signers).stream().map(member -> sign(member, digest)).toList();
    var prepared = new ArrayList<PreparedTransaction>();
    for (int index = 0; index < batch.size(); index++) {
      prepared.add(prepared(batch.get(index), tree, index, signatures));
    }
    return prepared;
  }

  private PreparedTransaction prepared(
      Transition one, MerkleTree tree, int index, List<Signature> signatures) {
    return new PreparedTransaction(
        one.intent(),
        contract,
        one.inputs(),
        one.reads(),
        one.outputs(),
        new Proof(tree.path(index), signatures));
  }

  Signature sign(Member member, Hash digest) {
    return new Signature(
        member.identity(), member.verifier(), keys.sign(member.identity().name(), digest));
  }

  /** The place of a signature's member in the committee. */
  int place(Signature signature) {
    return members.indexOf(new Member(signature.party(), signature.verifier()));
  }

  Bytes fulfillCall(List<PreparedTransaction> transitions) {
    return GroupContract.fulfill(FulfillCall.groups(transitions, this::place));
  }

  /**
   * @param gas that it may use
   */
  JsonNode send(List<PreparedTransaction> transitions, long gas) {
    return chain.send(chain.account(1), contract.value(), fulfillCall(transitions), gas);
  }

  JsonNode send(List<PreparedTransaction> transitions) {
    return chain.send(chain.account(1), contract.value(), fulfillCall(transitions));
  }

  /** What became of each. */
  List<Outcome> fulfill(List<PreparedTransaction> transitions) {
    return outcomes(send(transitions));
  }

  static List<Outcome> outcomes(JsonNode receipt) {
    if (!receipt.get("status").textValue().equals("0x1")) {
      throw new IllegalStateException("The call failed: " + receipt);
    }
    return GroupContract.outcomes(Bytes.hex(receipt.at("/logs/0/data").textValue()));
  }

  /** A contract that calls the group with what it was called with. */
  String forwarder() {
    var address = "0x00000000000000000000000000000000000f0f0f";
    var digits = contract.value().substring(2);
    var callGroup = "366000600037" + "600060003660006000" + "73" + digits + "5af1";
    var passOnFailure = "3d600060003e" + "15603157" + "00" + "5b3d6000fd";
    chain.call("anvil_setCode", address, "0x" + callGroup + passOnFailure);
    return address;
  }

  boolean isUnspent(StateId state) {
    var call =
        joined(GroupContract.selector("isUnspent(bytes32)"), Bytes.of(state.value().toByteArray()));
    return chain.view(contract.value(), call).toByteArray()[WORD - 1] == 1;
  }

  boolean isFulfilled(IntentKey intent) {
    var id = intent.transaction().value();
    var call =
        joined(
            GroupContract.selector("isFulfilled(bytes16,bytes32)"),
            Bytes.of(
                ByteBuffer.allocate(WORD)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array()),
            Bytes.of(intent.commitment().value().toByteArray()));
    return chain.view(contract.value(), call).toByteArray()[WORD - 1] == 1;
  }

  static Bytes address(String address) {
    byte[] bytes = Bytes.hex(address).toByteArray();
    return Bytes.of(ByteBuffer.allocate(WORD).put(WORD - bytes.length, bytes).array());
  }

  static Bytes joined(Bytes... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part.toByteArray());
    }
    return Bytes.of(all.toByteArray());
  }
}

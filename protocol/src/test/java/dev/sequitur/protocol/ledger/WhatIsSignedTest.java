package dev.sequitur.protocol.ledger;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is signed covers each of its parts: nobody can change one and keep the signature. */
class WhatIsSignedTest {
  private static final IntentKey INTENT = Contract.transaction(A, 1).key();
  private static final StateId ONE = Contract.state("one", A).id();
  private static final StateId OTHER = Contract.state("other", A).id();
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));
  private static final ContractAddress ANOTHER = new ContractAddress("0x" + "cd".repeat(20));

  @Test
  void anEndorsementCoversChainContractIntentAndStatesEachInItsPlace() {
    var none = List.<StateId>of();
    var digests =
        List.of(
            prepared(ADDRESS, INTENT, none, none, none).endorsed(1),
            prepared(ADDRESS, INTENT, none, none, none).endorsed(2),
            digest(ANOTHER, INTENT, none, none, none),
            digest(ADDRESS, Contract.transaction(A, 2).key(), none, none, none),
            digest(ADDRESS, Contract.transaction(B, 1).key(), none, none, none),
            digest(ADDRESS, INTENT, List.of(ONE), none, none),
            digest(ADDRESS, INTENT, none, List.of(ONE), none),
            digest(ADDRESS, INTENT, none, none, List.of(ONE)),
            digest(ADDRESS, INTENT, List.of(OTHER), none, none),
            digest(ADDRESS, INTENT, List.of(ONE, OTHER), none, none),
            digest(ADDRESS, INTENT, List.of(ONE), List.of(OTHER), none));

    assertThat(digests).doesNotHaveDuplicates();
  }

  private static Hash digest(
      ContractAddress contract,
      IntentKey intent,
      List<StateId> inputs,
      List<StateId> reads,
      List<StateId> outputs) {
    return prepared(contract, intent, inputs, reads, outputs).endorsed(1);
  }

  private static PreparedTransaction prepared(
      ContractAddress contract,
      IntentKey intent,
      List<StateId> inputs,
      List<StateId> reads,
      List<StateId> outputs) {
    return new PreparedTransaction(intent, contract, inputs, reads, outputs, Proof.NONE);
  }

  @Test
  void theLedgerChecksWhatTheGroupsMembersSign() {
    var assembly = assembly("in", "read", "out");
    var prepared = prepared(ADDRESS, INTENT, ids("in"), ids("read"), ids("out"));
    var group = Contract.GROUP;

    assertThat(prepared.endorsed(group.chainId()))
        .isEqualTo(
            group
                .attestation(Purpose.ENDORSEMENT)
                .digest(MerkleTree.of(List.of(assembly.transition(INTENT)))));
  }

  @Test
  void whatTheSenderSignsIsNoEndorsement() {
    var tree = MerkleTree.of(List.of(assembly("in", "read", "out").transition(INTENT)));

    assertThat(Contract.GROUP.attestation(Purpose.ASSEMBLY).digest(tree))
        .isNotEqualTo(Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(tree));
  }

  @Test
  void leaveToDispatchIsForOneAssemblyOfOneTransactionUnderOneDelegation() {
    var id = INTENT.transaction();
    var delegation = new DelegationId(A, 1, 1);
    var assembly = assembly("in", "read", "out");
    var signed =
        new PostAssembly(
            assembly.inputs(),
            assembly.reads(),
            assembly.outputs(),
            List.of(),
            Bytes.EMPTY,
            List.of(),
            new Proof(MerklePath.ALONE, List.of(signature(1))));
    var hashes =
        List.of(
            assembly.confirmationHash(id, delegation),
            assembly.confirmationHash(Contract.transaction(A, 2).id(), delegation),
            assembly.confirmationHash(id, new DelegationId(A, 1, 2)),
            assembly("other", "read", "out").confirmationHash(id, delegation),
            assembly("in", "other", "out").confirmationHash(id, delegation),
            assembly("in", "read", "other").confirmationHash(id, delegation),
            signed.confirmationHash(id, delegation));

    assertThat(hashes).doesNotHaveDuplicates();
  }

  private static PostAssembly assembly(String input, String read, String output) {
    return new PostAssembly(
        List.of(Contract.state(input, A)),
        List.of(Contract.state(read, A)),
        List.of(Contract.state(output, A)),
        List.of(),
        Bytes.EMPTY,
        List.of(),
        Proof.NONE);
  }

  private static List<StateId> ids(String name) {
    return List.of(Contract.state(name, A).id());
  }

  @Test
  void aLedgerTransactionCoversSignerNonceFeesGasLimitPathAndEndorsements() {
    var call = new LedgerTransaction.UseNonce();
    var hashes =
        List.of(
            digest(SIGNER, 1, new Fees(2, 1), 1, call),
            digest(new LedgerAddress("0x" + "02".repeat(20)), 1, new Fees(2, 1), 1, call),
            digest(SIGNER, 2, new Fees(2, 1), 1, call),
            digest(SIGNER, 1, new Fees(3, 1), 1, call),
            digest(SIGNER, 1, new Fees(2, 2), 1, call),
            digest(SIGNER, 1, new Fees(2, 1), 2, call),
            invoke(INTENT, List.of()),
            invoke(Contract.transaction(B, 1).key(), List.of()),
            invoke(INTENT, List.of(signature(1))),
            invoke(INTENT, List.of(signature(2))),
            invoke(INTENT, List.of(signature(1), signature(2))),
            invoke(List.of(), List.of(), List.of()),
            invoke(List.of(ONE), List.of(), List.of()),
            invoke(List.of(), List.of(ONE), List.of()),
            invoke(List.of(), List.of(), List.of(ONE)),
            invoke(INTENT, new MerklePath(0, 2, List.of(Contract.hash("one"))), List.of()),
            invoke(INTENT, new MerklePath(1, 2, List.of(Contract.hash("one"))), List.of()),
            invoke(INTENT, new MerklePath(2, 3, List.of(Contract.hash("one"))), List.of()),
            invoke(INTENT, new MerklePath(0, 2, List.of(Contract.hash("other"))), List.of()));

    assertThat(hashes).doesNotHaveDuplicates();
  }

  private static Hash digest(
      LedgerAddress signer, long nonce, Fees fees, long gasLimit, LedgerTransaction.Call call) {
    return CanonicalSigning.digest(new LedgerTransaction(signer, nonce, fees, gasLimit, call));
  }

  private static Hash invoke(IntentKey intent, List<Signature> endorsements) {
    return invoke(intent, MerklePath.ALONE, endorsements);
  }

  private static Hash invoke(IntentKey intent, MerklePath path, List<Signature> endorsements) {
    var prepared =
        new PreparedTransaction(
            intent,
            ADDRESS,
            List.of(ONE),
            List.of(),
            List.of(OTHER),
            new Proof(path, endorsements));
    return digest(SIGNER, 1, new Fees(2, 1), 1, LedgerTransaction.Invoke.of(prepared));
  }

  private static Hash invoke(List<StateId> inputs, List<StateId> reads, List<StateId> outputs) {
    var prepared = prepared(ADDRESS, INTENT, inputs, reads, outputs);
    return digest(SIGNER, 1, new Fees(2, 1), 1, LedgerTransaction.Invoke.of(prepared));
  }

  private static Signature signature(int value) {
    return new Signature(
        Contract.party(A),
        new Verifier(Bytes.of(new byte[33])),
        Bytes.of(new byte[] {(byte) value}));
  }

  @Test
  void aGroupsGenesisCoversAllOfIt() {
    var two = Contract.GROUP.committee();
    var otherKey =
        new Committee(
            two.members().stream()
                .map(member -> new Member(member.identity(), new Verifier(key(9))))
                .toList());
    var genesis =
        List.of(
            genesis("group", "name", two, 1, Bytes.EMPTY),
            genesis("other", "name", two, 1, Bytes.EMPTY),
            genesis("group", "other", two, 1, Bytes.EMPTY),
            genesis("group", "name", otherKey, 1, Bytes.EMPTY),
            genesis("group", "name", two, 2, Bytes.EMPTY),
            genesis("group", "name", two, 1, Bytes.utf8("configured")));

    assertThat(genesis).extracting(ContractGenesis::canonical).doesNotHaveDuplicates();
  }

  private static Bytes key(int last) {
    var bytes = new byte[33];
    bytes[32] = (byte) last;
    return Bytes.of(bytes);
  }

  private static ContractGenesis genesis(
      String group, String name, Committee committee, int threshold, Bytes configuration) {
    return new ContractGenesis(
        new GroupId(Contract.hash(group)), name, committee, threshold, configuration);
  }

  @Test
  void atLeastOneAndAtMostAllMembersMustEndorse() {
    var committee = Contract.GROUP.committee();
    int all = committee.members().size();

    assertThat(genesis("group", "name", committee, all, Bytes.EMPTY)).isNotNull();
    for (int wrong : List.of(0, all + 1)) {
      assertThatThrownBy(() -> genesis("group", "name", committee, wrong, Bytes.EMPTY))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** As its caller's receipt tells it. */
  @Test
  void aReceiptSaysWhereAnIntentWasFulfilledAndWhatItSpentReadAndMade() {
    var hash = new TransactionHash(Contract.hash("transaction"));
    var fulfilled =
        new LedgerReceipt.Fulfilled(ADDRESS, INTENT, List.of(ONE), List.of(OTHER), List.of());

    assertThat(
            new LedgerReceipt(hash, SIGNER, 3, new BlockHeight(7), 2, List.of(fulfilled))
                .onLedger(fulfilled))
        .isEqualTo(
            new Receipt.OnLedger(
                hash, new BlockHeight(7), 2, List.of(ONE), List.of(OTHER), List.of()));
    assertThat(fulfilled.transaction()).isEqualTo(INTENT.transaction());
  }

  @Test
  void anotherAssemblyMayFareBetterOnlyIfTheStatesWereInTheWayOrTheGas() {
    assertThat(LedgerReceipt.RevertReason.values())
        .filteredOn(LedgerReceipt.RevertReason::retryable)
        .containsExactly(
            LedgerReceipt.RevertReason.STATE_SPENT,
            LedgerReceipt.RevertReason.STATE_UNKNOWN,
            LedgerReceipt.RevertReason.STATE_EXISTS,
            LedgerReceipt.RevertReason.COMMITTEE_CHANGED,
            LedgerReceipt.RevertReason.INJECTED,
            LedgerReceipt.RevertReason.STATE_UNAVAILABLE,
            LedgerReceipt.RevertReason.OUT_OF_GAS);
  }

  @Test
  void aLedgerAddressIsFortyDigits() {
    assertThat(new LedgerAddress("0x" + "AB".repeat(20))).hasToString("0x" + "ab".repeat(20));
    assertThatThrownBy(() -> new LedgerAddress("0x" + "ab".repeat(19)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.MALLORY;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.SIMON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContractRulesTest extends OnOneContract {
  @Test
  void aDeploymentMakesAContractAtAnAddressThatFollowsFromSignerAndNonce() {
    var first = SALLY.signed(0, TestNetwork.deployment());
    var second = SALLY.signed(1, TestNetwork.deployment());
    network.submit(first);
    network.submit(second);
    network.cut();

    assertThat(network.result(first))
        .isEqualTo(
            new Deployed(
                ContractRules.contractAddress(SALLY.address(), 0),
                "token",
                TestNetwork.deployment().genesis()));
    assertThat(((Deployed) network.result(second)).contract())
        .isNotEqualTo(((Deployed) network.result(first)).contract())
        .isNotEqualTo(ContractRules.contractAddress(SIMON.address(), 1));
  }

  @Test
  void anEndorsedIntentIsFulfilledAndItsReceiptNamesItsStates() {
    run(mint("a").makes("coin", "rate"));

    var intent = Intent.on(contract, "pay").spends("coin").reads("rate").makes("change");

    assertThat(run(intent))
        .isEqualTo(
            new Fulfilled(
                contract, intent.key(), intent.inputs(), intent.reads(), intent.outputs()));
  }

  @Test
  void anUnknownContractReverts() {
    var elsewhere = ContractRules.contractAddress(MALLORY.address(), 9);

    assertThat(reason(Intent.on(elsewhere, "a").makes("coin")))
        .isEqualTo(RevertReason.CONTRACT_UNKNOWN);
  }

  @Test
  void theSameIntentIsFulfilledOnceOnly() {
    run(mint("a").makes("coin"));

    assertThat(reason(mint("a").makes("another"))).isEqualTo(RevertReason.INTENT_FULFILLED);
  }

  @Test
  void theSameIdFromAnotherSenderIsAnotherIntent() {
    run(mint("a").from("mallory@node3").makes("coin"));

    assertThat(run(mint("a").from("bob@node2").makes("another"))).isInstanceOf(Fulfilled.class);
  }

  @Test
  void anEndorsementForOneSenderIsNoneForAnother() {
    var endorsed = mint("a").from("bob@node2").makes("coin");
    var stolen = endorsed.from("mallory@node3");

    var invoke =
        with(
            stolen,
            ALICE.sign(endorsed.digest()),
            BOB.sign(endorsed.digest()),
            CAROL.sign(endorsed.digest()));

    assertThat(reason(invoke)).isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void theSameIntentOnAnotherContractIsAnotherIntent() {
    run(mint("a").makes("coin"));
    var other = network.deployed();

    assertThat(run(Intent.on(other, "a").makes("coin"))).isInstanceOf(Fulfilled.class);
  }

  @Test
  void anInputThatIsSpentReverts() {
    run(mint("a").makes("coin"));
    run(Intent.on(contract, "b").spends("coin"));

    assertThat(reason(Intent.on(contract, "c").spends("coin"))).isEqualTo(RevertReason.STATE_SPENT);
  }

  @Test
  void aReadThatIsSpentReverts() {
    run(mint("a").makes("coin"));
    run(Intent.on(contract, "b").spends("coin"));

    assertThat(reason(Intent.on(contract, "c").reads("coin"))).isEqualTo(RevertReason.STATE_SPENT);
  }

  @Test
  void aReadLeavesItsStateUnspent() {
    run(mint("a").makes("coin"));
    run(Intent.on(contract, "b").reads("coin"));

    assertThat(run(Intent.on(contract, "c").spends("coin"))).isInstanceOf(Fulfilled.class);
  }

  @Test
  void anInputOrReadThatWasNeverMadeReverts() {
    assertThat(reason(Intent.on(contract, "a").spends("dream")))
        .isEqualTo(RevertReason.STATE_UNKNOWN);
    assertThat(reason(Intent.on(contract, "b").reads("dream")))
        .isEqualTo(RevertReason.STATE_UNKNOWN);
  }

  @Test
  void aStateOfAnotherContractIsUnknownHere() {
    run(mint("a").makes("coin"));
    var other = network.deployed();

    assertThat(reason(Intent.on(other, "b").spends("coin"))).isEqualTo(RevertReason.STATE_UNKNOWN);
  }

  @Test
  void anOutputThatExistsRevertsEvenIfItIsSpent() {
    run(mint("a").makes("coin"));
    assertThat(reason(mint("b").makes("coin"))).isEqualTo(RevertReason.STATE_EXISTS);

    run(Intent.on(contract, "c").spends("coin"));
    assertThat(reason(mint("d").makes("coin"))).isEqualTo(RevertReason.STATE_EXISTS);
  }

  @Test
  void aStateThatStandsTwiceInOneTransactionReverts() {
    run(mint("a").makes("coin"));

    assertThat(reason(Intent.on(contract, "b").spends("coin", "coin")))
        .isEqualTo(RevertReason.STATE_SPENT);
    assertThat(reason(mint("c").makes("twin", "twin"))).isEqualTo(RevertReason.STATE_EXISTS);
    assertThat(reason(Intent.on(contract, "d").spends("coin").makes("coin")))
        .isEqualTo(RevertReason.STATE_EXISTS);
  }

  @Test
  void tooFewEndorsersRevert() {
    assertThat(reason(mint("a").makes("coin").endorsedBy(ALICE, BOB)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void oneMemberCountsOnceHoweverOftenItSigned() {
    assertThat(reason(mint("a").makes("coin").endorsedBy(ALICE, BOB, BOB)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void whoIsNoMemberCountsForNothing() {
    assertThat(reason(mint("a").makes("coin").endorsedBy(ALICE, BOB, MALLORY)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aMemberWithAnotherKeyCountsForNothing() {
    var intent = mint("a").makes("coin");
    var forged =
        new Signature(CAROL.identity(), MALLORY.verifier(), MALLORY.sign(intent.digest()).value());

    assertThat(reason(with(intent, ALICE.sign(intent.digest()), BOB.sign(intent.digest()), forged)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void anEndorsementOfOtherStatesCountsForNothing() {
    var intent = mint("a").makes("coin");
    var other = mint("a").makes("more");

    assertThat(
            reason(
                with(
                    intent,
                    ALICE.sign(intent.digest()),
                    BOB.sign(intent.digest()),
                    CAROL.sign(other.digest()))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aWrongSignatureBesideEnoughGoodOnesDoesNoHarm() {
    contract = network.deployed(new Deploy("token", TestNetwork.genesis(2, ALICE, BOB, CAROL)));
    var intent = mint("a").makes("coin");

    assertThat(
            run(
                with(
                    intent,
                    CAROL.sign(mint("b").digest()),
                    ALICE.sign(intent.digest()),
                    BOB.sign(intent.digest()))))
        .isInstanceOf(Fulfilled.class);
  }

  @Test
  void everyTransitionOfABatchIsFulfilledByItsOwnPathAndTheRootsSignatures() {
    for (int size = 1; size <= 5; size++) {
      var batch = batch("of " + size, size);
      for (int i = 0; i < size; i++) {
        assertThat(run(ofBatch(batch, i))).isInstanceOf(Fulfilled.class);
      }
    }
  }

  @Test
  void aPathToAnotherPlaceOfTheBatchRevertsItsTransition() {
    var batch = batch("a", 4);

    assertThat(reason(inBatch(batch.get(0), tree(batch).path(1), rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aTransitionThatIsNotInTheBatchReverts() {
    var batch = batch("a", 2);
    var stranger = mint("stranger").makes("gold");

    assertThat(reason(inBatch(stranger, tree(batch).path(0), rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    assertThat(reason(inBatch(stranger, MerklePath.ALONE, rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aForgedSiblingReverts() {
    var batch = batch("a", 2);
    var forged = new MerklePath(0, 2, List.of(Intent.state("forged").value()));

    assertThat(reason(inBatch(batch.get(0), forged, rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aBatchInAnotherOrderThanSignedReverts() {
    var batch = batch("a", 2);
    var turned = List.of(batch.get(1), batch.get(0));

    assertThat(reason(inBatch(batch.get(0), tree(turned).path(1), rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  /** The shorter path leads to the same root, but of a tree of another size. */
  @Test
  void anInnerNodeIsNoLeafAndTheNumberOfLeavesIsSigned() {
    var batch = batch("a", 3);
    var last = tree(batch).path(2);
    assertThat(last.siblings()).hasSize(1);
    var claimed = new MerklePath(1, 2, last.siblings());
    assertThat(claimed.root(batch.get(2).transition())).isEqualTo(tree(batch).root());

    assertThat(reason(inBatch(batch.get(2), claimed, rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aRootThatWasSignedForAnotherContractChainOrPurposeCountsForNothing() {
    var intent = mint("a").makes("coin");
    var tree = tree(List.of(intent));
    var elsewhere = network.deployed();
    for (var other :
        List.of(
            new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN, elsewhere),
            new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN + 1, contract),
            new Attestation(Purpose.ASSEMBLY, BaseLedger.LOCAL_CHAIN, contract))) {
      assertThat(reason(inBatch(intent, MerklePath.ALONE, signed(other.digest(tree)))))
          .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    }
    assertThat(run(inBatch(intent, MerklePath.ALONE, rootSigned(List.of(intent)))))
        .isInstanceOf(Fulfilled.class);
  }

  @Test
  void anEndorsementWithoutItsRootsSignaturesReverts() {
    var batch = batch("a", 2);
    var two = rootSigned(batch).subList(0, 2);

    assertThat(reason(inBatch(batch.get(0), tree(batch).path(0), two)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void theSignaturesOfARootAreVerifiedOnceForAllOfItsTransitions() {
    var batch = batch("a", 5);
    long before = network.signatures.verified();

    for (int i = 0; i < batch.size(); i++) {
      assertThat(run(ofBatch(batch, i))).isInstanceOf(Fulfilled.class);
    }

    int submitters = batch.size();
    assertThat(network.signatures.verified() - before).isEqualTo(submitters + 3);
  }

  @Test
  void whatWasVerifiedForOneRootCountsForNoOther() {
    var batch = batch("a", 2);
    run(ofBatch(batch, 0));

    assertThat(reason(inBatch(mint("b").makes("gold"), tree(batch).path(1), rootSigned(batch))))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void aLedgerVerifiesWhatWasSignedForItsOwnChain() {
    try (var other =
        new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT.withChainId(5))) {
      var group = other.deployed();
      var intent = Intent.on(group, "a").makes("coin");
      var here =
          signed(new Attestation(Purpose.ENDORSEMENT, 5, group).digest(tree(List.of(intent))));

      assertThat(
              ((Reverted) other.mined(SALLY.signed(0, intent.endorsedBy(ALICE, BOB, CAROL))))
                  .reason())
          .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
      assertThat(other.mined(SALLY.signed(1, inBatch(intent, MerklePath.ALONE, here))))
          .isInstanceOf(Fulfilled.class);
    }
  }

  private List<Intent> batch(String name, int size) {
    return IntStream.range(0, size)
        .mapToObj(i -> mint(name + " " + i).makes("coin " + name + " " + i))
        .toList();
  }

  private Invoke ofBatch(List<Intent> batch, int index) {
    return inBatch(batch.get(index), tree(batch).path(index), rootSigned(batch));
  }

  private static MerkleTree tree(List<Intent> batch) {
    return MerkleTree.of(batch.stream().map(Intent::transition).toList());
  }

  private List<Signature> rootSigned(List<Intent> batch) {
    return signed(
        new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN, contract).digest(tree(batch)));
  }

  private static List<Signature> signed(Hash digest) {
    return Stream.of(ALICE, BOB, CAROL).map(party -> party.sign(digest)).toList();
  }

  @Test
  void aDoomedTransactionRevertsAsInjected() {
    var transaction = SALLY.signed(0, mint("a").makes("coin").endorsedBy(ALICE, BOB, CAROL));
    network.ledger.submit(List.of(transaction), Map.of(transaction.hash(), Set.of(0)));
    network.cut();

    assertThat(((Reverted) network.result(transaction)).reason()).isEqualTo(RevertReason.INJECTED);
  }

  @Test
  void aRevertSpendsTheNonceAndNothingElse() {
    run(mint("a").makes("coin"));
    long before = nonce;

    assertThat(reason(Intent.on(contract, "b").spends("coin").makes("coin")))
        .isEqualTo(RevertReason.STATE_EXISTS);

    assertThat(TestNetwork.now(network.ledger.nonce(SALLY.address()))).isEqualTo(before + 1);
    assertThat(run(Intent.on(contract, "b").spends("coin").makes("gold")))
        .isInstanceOf(Fulfilled.class);
  }

  @Test
  void withinOneBlockWhatOneTransactionMakesTheNextMaySpend() {
    var transactions =
        Stream.of(
                mint("a").makes("coin"),
                Intent.on(contract, "b").spends("coin").makes("gold"),
                Intent.on(contract, "c").spends("gold").makes("ring"))
            .map(intent -> SALLY.signed(nonce++, intent.endorsedBy(ALICE, BOB, CAROL)))
            .toList();
    TestNetwork.now(network.ledger.submit(transactions));

    var block = network.cut();

    assertThat(block.receipts())
        .hasSize(3)
        .allSatisfy(receipt -> assertThat(receipt.results().get(0)).isInstanceOf(Fulfilled.class));
  }

  @Test
  void withinOneBlockTheSecondSpenderOfAStateReverts() {
    run(mint("a").makes("coin"));
    var first = SALLY.signed(nonce, spend("b"));
    var second = SIMON.signed(0, spend("c"));
    network.submit(first);
    network.submit(second);
    network.cut();

    assertThat(network.result(first)).isInstanceOf(Fulfilled.class);
    assertThat(((Reverted) network.result(second)).reason()).isEqualTo(RevertReason.STATE_SPENT);
  }

  private Invoke spend(String name) {
    return Intent.on(contract, name).spends("coin").endorsedBy(ALICE, BOB, CAROL);
  }

  private Intent mint(String name) {
    return Intent.on(contract, name);
  }

  private static Invoke with(Intent intent, Signature... endorsements) {
    return inBatch(intent, MerklePath.ALONE, List.of(endorsements));
  }

  private static Invoke inBatch(Intent intent, MerklePath path, List<Signature> endorsements) {
    return Invoke.of(
        new PreparedTransaction(
            intent.key(),
            intent.contract(),
            intent.inputs(),
            intent.reads(),
            intent.outputs(),
            new Proof(path, endorsements)));
  }

  private Result run(Intent intent) {
    return run(intent, ALICE, BOB, CAROL);
  }

  private RevertReason reason(Intent intent) {
    return reason(run(intent));
  }

  private RevertReason reason(Invoke invoke) {
    return reason(run(invoke));
  }
}

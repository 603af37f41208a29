package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.MALLORY;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.SIMON;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome.Invalid;
import dev.sequitur.protocol.ledger.SubmitOutcome.NonceTooLow;
import dev.sequitur.protocol.ledger.SubmitOutcome.PoolFull;
import dev.sequitur.protocol.ledger.SubmitOutcome.Pooled;
import dev.sequitur.protocol.ledger.SubmitOutcome.Underpriced;
import dev.sequitur.protocol.port.Signatures;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolTest {
  private TestNetwork network = new TestNetwork();

  @AfterEach
  void close() {
    network.close();
  }

  @Test
  void aTransactionIsPooledAndThenInABlock() {
    var transaction = deploy(SALLY, 0, 100);

    assertThat(network.submit(transaction)).isEqualTo(new Pooled(transaction.hash()));
    assertThat(now(network.ledger.receipt(transaction.hash()))).isEmpty();
    var block = network.cut();

    assertThat(block.receipts())
        .extracting(LedgerReceipt::hash)
        .containsExactly(transaction.hash());
    assertThat(now(network.ledger.receipt(transaction.hash()))).contains(block.receipts().get(0));
    assertThat(network.ledger.poolSize()).isZero();
  }

  @Test
  void theSameTransactionAgainIsPooledWhetherItWaitsOrIsInABlockAndItsSignaturesAreCheckedOnce() {
    var transaction = deploy(SALLY, 0, 100);

    network.submit(transaction);
    long checks = network.signatures.verified();
    assertThat(network.submit(transaction)).isEqualTo(new Pooled(transaction.hash()));
    network.cut();
    assertThat(network.submit(transaction)).isEqualTo(new Pooled(transaction.hash()));

    assertThat(network.signatures.verified()).isEqualTo(checks);
    assertThat(network.cut().receipts()).isEmpty();
  }

  @Test
  void aNonceThatIsUsedByAnotherIsTooLow() {
    network.mined(deploy(SALLY, 0, 100));
    var late = deploy(SALLY, 0, 200);

    assertThat(network.submit(late)).isEqualTo(new NonceTooLow(late.hash(), 1));
  }

  @Test
  void transactionsAfterAGapWaitUntilItIsFilled() {
    network.submit(deploy(SALLY, 1, 100));
    network.submit(deploy(SALLY, 2, 100));
    assertThat(network.cut().receipts()).isEmpty();

    network.submit(deploy(SALLY, 0, 100));

    assertThat(nonces(network.cut())).containsExactly(0L, 1L, 2L);
    assertThat(now(network.ledger.nonce(SALLY.address()))).isEqualTo(3);
  }

  @Test
  void aReplacementNeedsATenthMore() {
    var first = deploy(SALLY, 0, 101);
    network.submit(first);

    var same = deploy(SALLY, 0, 101, "other");
    var little = deploy(SALLY, 0, 111);
    assertThat(network.submit(same)).isEqualTo(new Underpriced(same.hash(), Fees.flat(112)));
    assertThat(network.submit(little)).isEqualTo(new Underpriced(little.hash(), Fees.flat(112)));

    var enough = deploy(SALLY, 0, 112);
    assertThat(network.submit(enough)).isEqualTo(new Pooled(enough.hash()));
    assertThat(network.cut().receipts())
        .extracting(LedgerReceipt::hash)
        .containsExactly(enough.hash());
  }

  @Test
  void thePriceOfAReplacementNeverOverflows() {
    assertThat(Fees.flat(0).toReplace()).isEqualTo(Fees.flat(1));
    assertThat(Fees.flat(1).toReplace()).isEqualTo(Fees.flat(2));
    assertThat(Fees.flat(100).toReplace()).isEqualTo(Fees.flat(110));
    assertThat(Fees.flat(Long.MAX_VALUE - 1).toReplace()).isEqualTo(Fees.flat(Long.MAX_VALUE));
    assertThat(Fees.flat(Long.MAX_VALUE).toReplace()).isEqualTo(Fees.flat(Long.MAX_VALUE));
  }

  @Test
  void theBestPriceComesFirstAndEqualPricesInOrderOfArrivalButNoncesStayInOrder() {
    network.submit(deploy(SALLY, 0, 100));
    network.submit(deploy(SIMON, 0, 100));
    network.submit(deploy(SALLY, 1, 500));
    network.submit(deploy(MALLORY, 0, 300));

    var block = network.cut();

    assertThat(block.receipts())
        .extracting(LedgerReceipt::signer)
        .containsExactly(MALLORY.address(), SALLY.address(), SALLY.address(), SIMON.address());
  }

  @Test
  void aBlockHoldsNoMoreThanItsLimit() {
    network = with(LedgerSettings.DEFAULT.withBlockLimit(2));
    for (long nonce = 0; nonce < 3; nonce++) {
      network.submit(deploy(SALLY, nonce, 100));
    }

    assertThat(nonces(network.cut())).containsExactly(0L, 1L);
    assertThat(nonces(network.cut())).containsExactly(2L);
  }

  @Test
  void aFullPoolSaysSoAndTakesAgainAfterABlock() {
    network = with(LedgerSettings.DEFAULT.withPoolCapacity(2));
    network.submit(deploy(SALLY, 0, 100));
    network.submit(deploy(SALLY, 1, 100));
    var third = deploy(SALLY, 2, 100);

    assertThat(network.submit(third)).isEqualTo(new PoolFull(third.hash()));
    network.cut();
    assertThat(network.submit(third)).isEqualTo(new Pooled(third.hash()));
  }

  @Test
  void aFullPoolMakesRoomForWhatFillsAGap() {
    network = with(LedgerSettings.DEFAULT.withPoolCapacity(2));
    network.submit(deploy(SALLY, 1, 100));
    network.submit(deploy(SALLY, 2, 100));
    var first = deploy(SALLY, 0, 100);

    assertThat(network.submit(first)).isEqualTo(new Pooled(first.hash()));
    assertThat(nonces(network.cut())).containsExactly(0L, 1L);
    assertThat(network.ledger.poolSize()).isZero();
  }

  @Test
  void aFullPoolOfGapsDoesNotKeepAnotherSignerOut() {
    network = with(LedgerSettings.DEFAULT.withPoolCapacity(2));
    network.submit(deploy(MALLORY, 7, 100));
    network.submit(deploy(MALLORY, 9, 100));
    var ready = deploy(SALLY, 0, 100);
    var gap = deploy(SALLY, 2, 100);

    assertThat(network.submit(gap)).isEqualTo(new PoolFull(gap.hash()));
    assertThat(network.submit(ready)).isEqualTo(new Pooled(ready.hash()));
    assertThat(network.cut().receipts()).hasSize(1);
    assertThat(network.ledger.poolSize()).isEqualTo(1);
  }

  @Test
  void aBatchLargerThanThePoolIsAnsweredWithPoolFull() {
    network = with(LedgerSettings.DEFAULT.withPoolCapacity(2));
    var batch = LongStream.range(0, 3).mapToObj(nonce -> deploy(SALLY, nonce, 100)).toList();

    assertThat(now(network.ledger.submit(batch))).hasOnlyElementsOfType(PoolFull.class);
    assertThat(network.submit(batch.get(0))).isInstanceOf(Pooled.class);
  }

  @Test
  void aSignatureThatIsNotTheSignersIsInvalid() {
    var good = deploy(SALLY, 0, 100);
    var unsigned =
        new SignedLedgerTransaction(
            good.transaction(), good.hash(), good.verifier(), Bytes.of(new byte[Signatures.BYTES]));
    var byAnother =
        new SignedLedgerTransaction(
            good.transaction(),
            good.hash(),
            MALLORY.verifier(),
            StubSignatures.sign(MALLORY.verifier(), good.hash().value()));
    var tooShort =
        new SignedLedgerTransaction(
            good.transaction(), good.hash(), good.verifier(), Bytes.of(new byte[63]));

    assertThat(network.submit(unsigned)).isInstanceOf(Invalid.class);
    assertThat(network.submit(byAnother)).isInstanceOf(Invalid.class);
    assertThat(network.submit(tooShort)).isInstanceOf(Invalid.class);
    assertThat(network.submit(good)).isInstanceOf(Pooled.class);
  }

  @Test
  void aHashThatIsNotTheTransactionsIsInvalidEvenIfAnotherOfThatHashIsPooled() {
    var pooled = deploy(SALLY, 0, 100);
    network.submit(pooled);
    var liar =
        new SignedLedgerTransaction(
            deploy(SALLY, 5, 100).transaction(),
            pooled.hash(),
            pooled.verifier(),
            pooled.signature());
    var nonsense =
        new SignedLedgerTransaction(
            pooled.transaction(),
            new TransactionHash(new Hash(1, 2, 3, 4)),
            pooled.verifier(),
            pooled.signature());

    assertThat(network.submit(liar)).isInstanceOf(Invalid.class);
    assertThat(network.submit(nonsense)).isInstanceOf(Invalid.class);
  }

  @Test
  void negativeNumbersAndOversizedCallsAreInvalid() {
    assertThat(network.submit(deploy(SALLY, -1, 100))).isInstanceOf(Invalid.class);
    assertThat(network.submit(deploy(SALLY, 0, -1))).isInstanceOf(Invalid.class);
    assertThat(network.submit(deploy(SALLY, 0, 100, "x".repeat(1_000))))
        .isInstanceOf(Invalid.class);
    var contract = ContractRules.contractAddress(SALLY.address(), 0);
    var names = LongStream.rangeClosed(0, TransactionCheck.MAX_STATES).mapToObj(Long::toString);
    var intent = Intent.on(contract, "big").makes(names.toArray(String[]::new));
    assertThat(network.submit(SALLY.signed(0, intent.endorsedBy()))).isInstanceOf(Invalid.class);
    assertThat(network.ledger.poolSize()).isZero();
  }

  /** One signature under two names would be endorsements of both. */
  @Test
  void aCommitteeInWhichTwoHaveOneKeyIsInvalid() {
    var twin = new Party(Identity.parse("twin@node-twin"), ALICE.verifier());
    var deploy = new Deploy("token", TestNetwork.genesis(2, ALICE, twin, SIMON));

    assertThat(network.submit(SALLY.signed(0, deploy)))
        .isInstanceOfSatisfying(
            Invalid.class, outcome -> assertThat(outcome.reason()).contains("key of its own"));
  }

  @Test
  void outcomesStandInTheOrderOfTheTransactions() {
    var batch =
        List.of(deploy(SALLY, 0, 100), deploy(SALLY, -1, 100), deploy(SALLY, 0, 105, "other"));

    assertThat(now(network.ledger.submit(batch)))
        .extracting(outcome -> (Object) outcome.getClass())
        .containsExactly(Pooled.class, Invalid.class, Underpriced.class);
  }

  @Test
  void aReplacedTransactionThatWasToRevertStillDoes() {
    var contract = network.deployed();
    var invoke =
        Intent.on(contract, "a")
            .makes("coin")
            .endorsedBy(ALICE, TestNetwork.BOB, TestNetwork.CAROL);
    var doomed = SALLY.signed(0, 100, invoke);
    network.ledger.submit(List.of(doomed), Map.of(doomed.hash(), Set.of(0)));
    var replacement = SALLY.signed(0, 200, invoke);

    assertThat(network.mined(replacement)).isInstanceOf(LedgerReceipt.Reverted.class);
  }

  private static List<Long> nonces(Block block) {
    return block.receipts().stream().map(LedgerReceipt::nonce).toList();
  }

  private TestNetwork with(LedgerSettings settings) {
    network.close();
    return new TestNetwork(LedgerStorage.inMemory(), settings);
  }

  private static SignedLedgerTransaction deploy(Party signer, long nonce, long price) {
    return deploy(signer, nonce, price, "token");
  }

  private static SignedLedgerTransaction deploy(
      Party signer, long nonce, long price, String domain) {
    return signer.signed(nonce, price, new Deploy(domain, TestNetwork.genesis(1, ALICE)));
  }
}

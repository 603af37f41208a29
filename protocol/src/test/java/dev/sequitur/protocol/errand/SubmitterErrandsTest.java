package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Transaction;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a submitter has done by others; it signs with the key called "payer". */
class SubmitterErrandsTest {
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final IntentKey FIRST = Contract.transaction(A, 1).key();
  private static final IntentKey SECOND = Contract.transaction(A, 2).key();
  private static final String PAYER = "payer";
  private static final Identity PARTY = Contract.party(A);
  private static final Bytes ABI = Bytes.utf8("[\"errors\"]");

  private final NodeOfA node = new NodeOfA();
  private final LedgerOfBlocks ledger = new LedgerOfBlocks();
  private final List<SubmitterInput> answers = new ArrayList<>();
  private final List<Object> told = new ArrayList<>();
  private final SubmitterErrands errands;

  SubmitterErrandsTest() {
    node.ledger = ledger;
    errands = new SubmitterErrands(node, PAYER, edge());
  }

  private SubmitterErrands.Edge edge() {
    return new SubmitterErrands.Edge() {
      @Override
      public void answer(SubmitterInput input) {
        answers.add(input);
      }

      @Override
      public void tellCoordinator(ContractAddress contract, CoordinatorInput.Local what) {
        told.add(Map.entry(contract, what));
      }

      @Override
      public Identity sender() {
        return PARTY;
      }

      @Override
      public void distribute(List<Dispatch> dispatches) {
        told.add(dispatches);
      }
    };
  }

  @Test
  void theNodeHearsHowLongADispatchTookToThePool() {
    var time = Duration.ofMillis(5);
    errands.run(new SubmitterEffect.Took(FIRST.transaction(), time));

    assertThat(node.counted)
        .containsExactly(List.of(FIRST.transaction(), TransactionStep.SUBMITTED, time));
  }

  @Test
  void whatIsSubmittedIsSignedInItsOrderByTheKeyOfTheSubmitter() {
    ledger.outcomes.add(pooled(5));
    ledger.outcomes.add(pooled(6));

    errands.run(new SubmitterEffect.Submit(List.of(item(5), item(6))));

    var signer = node.keys().signer(PAYER);
    assertThat(ledger.submitted)
        .containsExactly(
            CanonicalSigning.sign(transaction(5), signer),
            CanonicalSigning.sign(transaction(6), signer));
    assertThat(errands.address()).isEqualTo(node.signatures().address(signer.verifier()));
  }

  @Test
  void whatThePoolSaysIsToldByNonce() {
    ledger.outcomes.add(pooled(5));
    ledger.outcomes.add(new SubmitOutcome.PoolFull(new TransactionHash(Contract.hash("6"))));

    errands.run(new SubmitterEffect.Submit(List.of(item(5), item(6))));

    assertThat(answers)
        .containsExactly(
            new SubmitterInput.SubmitAnswered(
                Map.of(5L, ledger.outcomes.get(0), 6L, ledger.outcomes.get(1))));
  }

  @Test
  void ofACallThatFailsAllNoncesAreTold() {
    errands.run(new SubmitterEffect.Submit(List.of(item(5), item(6))));

    assertThat(answers).containsExactly(new SubmitterInput.SubmitFailed(List.of(5L, 6L)));
  }

  @Test
  void theNextNonceIsThatOfItsOwnAddress() {
    errands.run(new SubmitterEffect.QueryNonce());

    assertThat(answers)
        .as("what is packed with the nonce follows what the ledger charges (SUB-9)")
        .containsExactly(
            new SubmitterInput.BaseFeeKnown(LedgerOfBlocks.BASE_FEE),
            new SubmitterInput.NonceKnown(
                ledger.nonce(errands.address()).toCompletableFuture().join()));
    assertThat(answers)
        .doesNotContain(
            new SubmitterInput.NonceKnown(
                ledger.nonce(NodeOfA.ADDRESS).toCompletableFuture().join()));
  }

  /** PUB-3: the receipts of the key up to that block were told, and durable, before. */
  @Test
  void whatIsUsedIsAskedAtTheBlockThatWasAcknowledged() {
    node.height = new BlockHeight(12);
    node.acknowledged = Optional.of(new BlockHeight(9));
    ledger.contracts = true;

    errands.run(new SubmitterEffect.QueryUsed(5));

    assertThat(answers)
        .containsExactly(
            new SubmitterInput.UsedKnown(errands.address().value().charAt(3) * 1_000L + 9));
  }

  /** A ledger without contracts of all kinds tells who has used a nonce, and where. */
  @Test
  void whereNothingRunsContractsTheReceiptOfTheNonceTellsWhetherItIsUsed() {
    node.acknowledged = Optional.of(new BlockHeight(9));
    ledger.used.put(new Receipt.Nonce(errands.address(), 5), new BlockHeight(9));
    ledger.used.put(new Receipt.Nonce(errands.address(), 6), new BlockHeight(10));

    errands.run(new SubmitterEffect.QueryUsed(6));
    errands.run(new SubmitterEffect.QueryUsed(7));
    assertThat(answers).as("in a block that was not told yet, and in none").isEmpty();

    errands.run(new SubmitterEffect.QueryUsed(5));
    assertThat(answers).containsExactly(new SubmitterInput.UsedKnown(6));
  }

  @Test
  void nobodyIsAskedWhatIsUsedBeforeABlockWasAcknowledged() {
    ledger.used.put(new Receipt.Nonce(errands.address(), 5), new BlockHeight(9));
    errands.run(new SubmitterEffect.QueryUsed(5));
    ledger.contracts = true;
    errands.run(new SubmitterEffect.QueryUsed(5));

    assertThat(answers).isEmpty();
  }

  @Test
  void eachCoordinatorIsToldOfItsOwnTransactions() {
    var byContract = Map.of(ADDRESS, List.of(FIRST), OTHER, List.of(SECOND));
    var height = new BlockHeight(3);

    errands.run(new SubmitterEffect.TellCommitted(byContract));
    assertThat(told)
        .containsExactlyInAnyOrder(
            Map.entry(ADDRESS, new CoordinatorInput.DispatchesCommitted(List.of(FIRST))),
            Map.entry(OTHER, new CoordinatorInput.DispatchesCommitted(List.of(SECOND))));

    told.clear();
    errands.run(new SubmitterEffect.TellSettled(height, byContract));
    errands.run(new SubmitterEffect.TellReverted(OTHER, FIRST));
    assertThat(told)
        .containsExactlyInAnyOrder(
            Map.entry(ADDRESS, new CoordinatorInput.DispatchesSettled(List.of(FIRST), height)),
            Map.entry(OTHER, new CoordinatorInput.DispatchesSettled(List.of(SECOND), height)),
            Map.entry(OTHER, new CoordinatorInput.DispatchReverted(FIRST)));
  }

  @Test
  void outputsGoToTheStateStoreAndCountsToTheNode() {
    var dispatches = List.<Dispatch>of();
    errands.run(new SubmitterEffect.Distribute(dispatches));
    errands.run(new SubmitterEffect.Count(SubmitterEffect.Counted.RESUBMITTED));

    assertThat(told).containsExactly(dispatches);
    assertThat(node.counted).containsExactly(SubmitterEffect.Counted.RESUBMITTED);
  }

  @Test
  void aReceiptThatIsStoredAgainIsCountedOnceAndToldEachTime() {
    var reverted = Receipt.reverted(FIRST.transaction(), ADDRESS, "test", "No money.", NodeOfA.NOW);

    errands.run(new SubmitterEffect.StoreReceipts(List.of(reverted)));
    errands.run(new SubmitterEffect.StoreReceipts(List.of(reverted)));

    assertThat(node.reverted).isEqualTo(1);
    assertThat(answers)
        .containsExactly(
            new SubmitterInput.ReceiptsStored(List.of(FIRST.transaction())),
            new SubmitterInput.ReceiptsStored(List.of(FIRST.transaction())));
  }

  @Test
  void aSubmitterReadsThoseOfItsOwnKeyThatComeAfterAndNoMoreThanItAsksFor() {
    var other = Contract.party(B);
    stored(call(1, PARTY), call(2, other), Contract.transaction(A, 3), call(4, PARTY));
    stored(call(5, PARTY), call(6, PARTY));

    errands.run(new SubmitterEffect.ReadPublics(1, 2));

    assertThat(answers)
        .containsExactly(
            new SubmitterInput.PublicsRead(
                List.of(
                    new Accepted(4, call(4, PARTY).bare()),
                    new Accepted(5, call(5, PARTY).bare()))));
  }

  @Test
  void thatTheyCouldNotBeReadIsTold() {
    node.readsFail = true;

    errands.run(new SubmitterEffect.ReadPublics(0, 2));

    assertThat(answers).containsExactly(new SubmitterInput.PublicsNotRead());
  }

  @Test
  void receiptsAreCountedAndToldWhenTheyAreStored() {
    node.holdsWrites = true;
    var receipts =
        List.of(
            confirmed(call(1, PARTY)), reverted(call(2, PARTY), ""), reverted(call(3, PARTY), ""));
    errands.run(new SubmitterEffect.StoreReceipts(receipts));
    assertThat(answers).isEmpty();
    assertThat(node.confirmed + node.reverted).isZero();

    node.release();

    assertThat(node.receipts.values()).containsExactlyInAnyOrderElementsOf(receipts);
    assertThat(node.confirmed).isEqualTo(1);
    assertThat(node.reverted).isEqualTo(2);
    assertThat(answers)
        .containsExactly(
            new SubmitterInput.ReceiptsStored(
                receipts.stream().map(Receipt::transaction).toList()));
  }

  @Test
  void receiptsThatCouldNotBeStoredAreNeitherCountedNorTold() {
    node.writesFail = true;

    errands.run(new SubmitterEffect.StoreReceipts(List.of(confirmed(call(1, PARTY)))));

    assertThat(answers).isEmpty();
    assertThat(node.confirmed).isZero();
  }

  @Test
  void whatAContractSaidIsToldInTheWordsOfTheAbiThatWasSent() {
    ledger.contracts = true;
    stored(call(1, PARTY));

    errands.run(new SubmitterEffect.StoreReceipts(List.of(reverted(call(1, PARTY), "0x01"))));

    assertThat(node.receipts.get(call(1, PARTY).id()).failureMessage())
        .contains("reason of 0x01 by [\"errors\"]");
  }

  @Test
  void whereAContractSaidNothingOrTheLedgerRunsNoneTheReasonStaysAsItIs() {
    stored(call(1, PARTY), call(2, PARTY));
    errands.run(new SubmitterEffect.StoreReceipts(List.of(reverted(call(1, PARTY), "0x01"))));
    ledger.contracts = true;
    errands.run(new SubmitterEffect.StoreReceipts(List.of(reverted(call(2, PARTY), ""))));

    assertThat(node.receipts.values())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.failureMessage()).contains("It reverted."));
  }

  @Test
  void whichOfItsNoncesAreUsedAndWhichAreLostIsAskedForItsOwnAddress() {
    var pooled = new TreeMap<Long, List<TransactionHash>>();
    long next = ledger.nonce(errands.address()).toCompletableFuture().join();
    var mined = new TransactionHash(Contract.hash("mined"));
    var lost = new TransactionHash(Contract.hash("lost"));
    pooled.put(next - 1, List.of(mined));
    pooled.put(next + 3, List.of(lost));
    ledger.known.add(mined);
    ledger.pending = Map.of(errands.address(), next + 3);
    var asked = Instant.EPOCH;

    errands.run(new SubmitterEffect.QueryPool(asked, pooled));

    assertThat(answers)
        .as("a price that has risen since keeps blocks from taking what is pooled (SUB-9)")
        .containsExactly(
            new SubmitterInput.BaseFeeKnown(LedgerOfBlocks.BASE_FEE),
            new SubmitterInput.PoolKnown(next, OptionalLong.of(next + 3), asked));
  }

  /** The nonce tells what of the money is spent already. */
  @Test
  void whatTheKeyHasIsAskedForWithItsNonce() {
    errands.run(new SubmitterEffect.QueryBalance());
    assertThat(answers)
        .as("where nothing tells, the pool decides")
        .containsExactly(new SubmitterInput.BalanceKnown(BigInteger.TWO.pow(300), 0));
    answers.clear();

    ledger.contracts = true;
    errands.run(new SubmitterEffect.QueryBalance());

    assertThat(answers)
        .containsExactly(
            new SubmitterInput.BalanceKnown(
                BigInteger.TWO.pow(70),
                ledger.nonce(errands.address()).toCompletableFuture().join()));
  }

  @Test
  void whatWasPaidIsCountedAndWhoSeesToTheMoneyIsToldOfTheKey() {
    errands.run(new SubmitterEffect.CountPaid(new GasPaid(BigInteger.TEN, BigInteger.TWO)));
    errands.run(
        new SubmitterEffect.UseGas(
            BigInteger.valueOf(500), BigInteger.valueOf(20), true, false, AboveCeiling.NOTHING));

    assertThat(node.counted)
        .containsExactly(
            new GasPaid(BigInteger.TEN, BigInteger.TWO),
            new KeyUse(
                errands.address(),
                BigInteger.valueOf(500),
                BigInteger.valueOf(20),
                true,
                false,
                AboveCeiling.NOTHING,
                false));
  }

  private static PublicTransaction call(long number, Identity from) {
    return new PublicTransaction(
        new TransactionId(new UUID(7, number)),
        from,
        Optional.of(ADDRESS),
        Bytes.utf8("call " + number),
        BigInteger.ONE,
        77_000,
        new PublicTransaction.Source(Optional.empty(), Optional.empty(), Optional.of(ABI)));
  }

  private static Receipt reverted(PublicTransaction call, String revertData) {
    var like = Receipt.reverted(call.id(), ADDRESS, "", "It reverted.", NodeOfA.NOW);
    return new Receipt(
        like.transaction(),
        like.contract(),
        like.domain(),
        like.success(),
        like.onLedger(),
        like.failureMessage(),
        like.indexed(),
        like.course(),
        Optional.of(
            new Receipt.Called(Optional.empty(), Bytes.utf8(revertData), Optional.empty())));
  }

  private static Receipt confirmed(PublicTransaction call) {
    var onLedger =
        new Receipt.OnLedger(
            new TransactionHash(Contract.hash("h")),
            BlockHeight.ZERO,
            0,
            List.of(),
            List.of(),
            List.of());
    return new Receipt(
        call.id(), ADDRESS, "", true, Optional.of(onLedger), Optional.empty(), NodeOfA.NOW);
  }

  private void stored(Transaction... transactions) {
    for (var each : transactions) {
      node.intents.add(
          new Intent(
              node.intents.size() + 1L,
              NodeOfA.NOW,
              Optional.empty(),
              Contract.hash("body"),
              each));
    }
  }

  private static SubmitOutcome pooled(long nonce) {
    return new SubmitOutcome.Pooled(new TransactionHash(Contract.hash("hash " + nonce)));
  }

  private static SubmitterEffect.Item item(long nonce) {
    return new SubmitterEffect.Item(
        nonce, Fees.flat(nonce + 1), 100 + nonce, new LedgerTransaction.UseNonce());
  }

  private LedgerTransaction transaction(long nonce) {
    return new LedgerTransaction(
        errands.address(),
        nonce,
        Fees.flat(nonce + 1),
        100 + nonce,
        new LedgerTransaction.UseNonce());
  }

  /** An ABI may be of any length, and what a submitter holds is bounded. */
  @Test
  void ofAPublicTransactionASubmitterHoldsNothingThatItsCallerWrote() {
    var abi = Optional.of(Bytes.utf8("[]"));
    var sent =
        new PublicTransaction(
            new TransactionId(new UUID(0, 1)),
            Contract.party(Contract.A),
            Optional.of(ADDRESS),
            Bytes.utf8("call"),
            BigInteger.ONE,
            77_000,
            new PublicTransaction.Source(Optional.of("add"), abi, abi));
    node.accepted(sent);

    errands.run(new SubmitterEffect.ReadPublics(0, 5));

    assertThat(answers)
        .containsExactly(
            new SubmitterInput.PublicsRead(
                List.of(
                    new SubmitterEvent.Accepted(
                        1,
                        new PublicTransaction(
                            sent.id(),
                            sent.from(),
                            sent.to(),
                            sent.data(),
                            sent.value(),
                            sent.gas(),
                            PublicTransaction.Source.NONE)))));
  }
}

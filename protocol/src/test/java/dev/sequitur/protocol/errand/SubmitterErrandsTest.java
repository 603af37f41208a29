package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a submitter has done by others; it signs with the key called "payer". */
class SubmitterErrandsTest {
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final IntentKey FIRST = Contract.transaction(A, 1).key();
  private static final IntentKey SECOND = Contract.transaction(A, 2).key();
  private static final String PAYER = "payer";

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
        return Contract.party(Contract.A);
      }

      @Override
      public void distribute(List<Dispatch> dispatches) {
        told.add(dispatches);
      }
    };
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
        .containsExactly(
            new SubmitterInput.NonceKnown(
                ledger.nonce(errands.address()).toCompletableFuture().join()));
    assertThat(answers)
        .doesNotContain(
            new SubmitterInput.NonceKnown(
                ledger.nonce(NodeOfA.ADDRESS).toCompletableFuture().join()));
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

package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerViewTest {
  private final TestNetwork network = new TestNetwork();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final LedgerView view = view(1);
  private final LedgerView other = view(2);

  @AfterEach
  void close() {
    network.close();
    scheduler.shutdownNow();
  }

  @Test
  void withoutFaultsAViewShowsWhatTheLedgerHas() {
    var deploy = ALICE.signed(0, TestNetwork.deployment());
    assertThat(now(view.submit(List.of(deploy))))
        .containsExactly(new SubmitOutcome.Pooled(deploy.hash()));
    network.cut();

    assertThat(head(view)).isEqualTo(1);
    assertThat(TestNetwork.blocks(view)).isEqualTo(network.blocks());
    assertThat(now(view.nonce(ALICE.address()))).isEqualTo(1);
    assertThat(now(view.receipt(deploy.hash()))).isPresent();
  }

  @Test
  void aLagInBlocksHidesTheNewestOnesFromThisViewOnly() {
    view.set(LedgerFaults.NONE.withLagBlocks(2));
    network.cut();
    var deploy = ALICE.signed(0, TestNetwork.deployment());
    network.mined(deploy);

    assertThat(head(view)).isZero();
    assertThat(TestNetwork.blocks(view)).isEmpty();
    assertThat(now(view.receipt(deploy.hash()))).isEmpty();
    assertThat(now(view.transaction(deploy.hash()))).isEmpty();
    assertThat(now(view.nonce(ALICE.address()))).isZero();
    assertThat(head(other)).isEqualTo(2);
    assertThat(now(other.nonce(ALICE.address()))).isEqualTo(1);

    network.cut();
    network.cut();
    assertThat(TestNetwork.blocks(view)).hasSize(2);
    assertThat(now(view.receipt(deploy.hash()))).isPresent();
    assertThat(now(view.transaction(deploy.hash()))).contains(deploy.transaction());
    assertThat(now(view.nonce(ALICE.address()))).isEqualTo(1);
  }

  @Test
  void aViewNeverTakesBackAHeightThatItHasShown() {
    cut(10);
    assertThat(head(view)).isEqualTo(10);

    view.set(LedgerFaults.NONE.withLagBlocks(5));
    assertThat(head(view)).isEqualTo(10);
    cut(4);
    assertThat(head(view)).isEqualTo(10);
    cut(2);
    assertThat(head(view)).isEqualTo(11);
  }

  @Test
  void aLagInTimeHidesWhatIsTooYoung() {
    view.set(LedgerFaults.NONE.withLagTime(Duration.ofSeconds(3)));
    cut(10);

    assertThat(head(view)).isEqualTo(7);
    network.time.advance(Duration.ofSeconds(2));
    assertThat(head(view)).isEqualTo(9);
    assertThat(now(view.blocks(new BlockHeight(9), 10))).hasSize(1);
    view.set(LedgerFaults.NONE);
    assertThat(head(view)).isEqualTo(10);
  }

  @Test
  void aLagInTimeOverManyBlocksIsCaughtUpWith() {
    view.set(LedgerFaults.NONE.withLagTime(Duration.ofSeconds(5)));
    assertThat(head(view)).isZero();
    cut(500);

    assertThat(head(view)).isEqualTo(495);
  }

  @Test
  void anUnreachableLedgerFailsEveryCallOfThisViewUntilItIsBack() {
    view.set(LedgerFaults.NONE.withUnreachable(true));
    var deploy = ALICE.signed(0, TestNetwork.deployment());

    assertUnreachable(() -> now(view.head()));
    assertUnreachable(() -> now(view.blocks(BlockHeight.ZERO, 1)));
    assertUnreachable(() -> now(view.nonce(ALICE.address())));
    assertUnreachable(() -> now(view.receipt(deploy.hash())));
    assertUnreachable(() -> now(view.transaction(deploy.hash())));
    assertUnreachable(() -> now(view.submit(List.of(deploy))));
    assertThat(network.ledger.poolSize()).isZero();
    assertThat(head(other)).isZero();

    view.set(LedgerFaults.NONE);
    assertThat(head(view)).isZero();
  }

  @Test
  void aClosedViewLeavesTheLedgerOpen() {
    view.close();

    assertUnreachable(() -> now(view.head()));
    assertThat(head(other)).isZero();
  }

  @Test
  void theNextTransactionsOfAContractRevertAsOrdered() {
    var contract = network.deployed();
    var untouched = network.deployed();
    view.revertNext(contract, 2);
    var a = make(contract, 0, "a");
    var b = make(untouched, 1, "b");
    var c = make(contract, 2, "c");
    var d = make(contract, 3, "d");

    view.submit(List.of(a, b));
    view.submit(List.of(a, b));
    assertThat(view.revertsLeft(contract)).isEqualTo(1);
    view.submit(List.of(c, d));
    network.cut();

    assertThat(view.revertsLeft(contract)).isZero();
    assertThat(reverted(a, b, c, d)).containsExactly(a, c);
    assertThat(((Reverted) network.result(a)).reason()).isEqualTo(RevertReason.INJECTED);
  }

  @Test
  void revertsOfOneViewDoNotTouchWhatAnotherSubmits() {
    var contract = network.deployed();
    view.revertNext(contract, 1);
    var others = make(contract, 0, "a");
    other.submit(List.of(others));
    network.cut();

    assertThat(reverted(others)).isEmpty();
  }

  @Test
  void aRevertThatWasCalledOffDoesNotCome() {
    var contract = network.deployed();
    view.revertNext(contract, 1);
    view.revertNext(contract, 0);
    var transaction = make(contract, 0, "a");
    view.submit(List.of(transaction));
    network.cut();

    assertThat(reverted(transaction)).isEmpty();
  }

  /** Otherwise a ledger that takes no reverts would refuse it for ever, and all that follow. */
  @Test
  void whatWasToRevertIsSubmittedLikeAnyOtherOnceThatIsCalledOff() {
    var contract = network.deployed();
    var reverts = new InjectedReverts();
    var transaction = make(contract, 0, "a");
    reverts.next(contract, 1);
    assertThat(reverts.among(List.of(transaction)))
        .containsOnly(Map.entry(transaction.hash(), Set.of(0)));

    reverts.next(contract, 0);

    assertThat(reverts.among(List.of(transaction))).isEmpty();
  }

  @Test
  void failingSubmissionsFailAndHalfOfThemArriveAllTheSame() {
    view.set(LedgerFaults.NONE.withSubmitFailureRate(1));
    for (int nonce = 0; nonce < 100; nonce++) {
      var deploy = ALICE.signed(nonce, TestNetwork.deployment());
      assertUnreachable(() -> now(view.submit(List.of(deploy))));
    }

    assertThat(network.ledger.poolSize()).isBetween(30, 70);
  }

  @Test
  void theSameSeedFailsTheSameSubmissions() {
    var first = failures(view(5));
    var second = failures(view(5));

    assertThat(first).isEqualTo(second).contains(true).contains(false);
    assertThat(failures(view(6))).isNotEqualTo(first);
  }

  @Test
  void aDelayedSubmissionArrivesLater() throws Exception {
    view.set(LedgerFaults.NONE.withSubmitDelay(Duration.ofMillis(20)));
    var deploy = ALICE.signed(0, TestNetwork.deployment());

    var submitted = view.submit(List.of(deploy)).toCompletableFuture();

    assertThat(submitted.get(60, TimeUnit.SECONDS))
        .containsExactly(new SubmitOutcome.Pooled(deploy.hash()));
  }

  @Test
  void allViewsSeeAReorganisation() {
    cut(3);
    assertThat(TestNetwork.blocks(view)).isEqualTo(TestNetwork.blocks(other));
    var before = TestNetwork.blocks(view);

    network.ledger.reorganise(1);

    assertThat(TestNetwork.blocks(view)).isNotEqualTo(before).isEqualTo(network.blocks());
    assertThat(TestNetwork.blocks(other)).isEqualTo(network.blocks());
  }

  private void cut(int blocks) {
    for (int i = 0; i < blocks; i++) {
      network.time.advance(Duration.ofSeconds(1));
      network.cut();
    }
  }

  private List<Boolean> failures(LedgerView view) {
    view.set(LedgerFaults.NONE.withSubmitFailureRate(0.5));
    var failures = new ArrayList<Boolean>();
    for (int i = 0; i < 50; i++) {
      failures.add(view.submit(List.of()).toCompletableFuture().isCompletedExceptionally());
    }
    return failures;
  }

  private List<SignedLedgerTransaction> reverted(SignedLedgerTransaction... transactions) {
    return List.of(transactions).stream()
        .filter(transaction -> network.result(transaction) instanceof Reverted)
        .toList();
  }

  private static SignedLedgerTransaction make(ContractAddress contract, long nonce, String name) {
    return SALLY.signed(nonce, Intent.on(contract, name).makes(name).endorsedBy(ALICE, BOB, CAROL));
  }

  private static long head(LedgerView view) {
    return now(view.head()).value();
  }

  private static void assertUnreachable(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LedgerUnreachableException.class);
  }

  private LedgerView view(long seed) {
    return new LedgerView(network.ledger, network.time, scheduler, seed);
  }
}

package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** External submit mode: what is endorsed goes to its sender, for its caller (EXT-1). */
class PreparedForCallerTest {
  private static final PrivateTransaction EXTERNAL = AssemblingTest.external(1);
  private static final PrivateTransaction BEFORE = Contract.transaction(B, 2);
  private static final PrivateState COIN = Contract.state("coin", A, B, C);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final PostAssembly SPENDS_COIN = CoordinatorOfA.assembly(List.of(COIN), MADE);
  private static final PrivateState MADE_OF_IT = Contract.state("made of it", A, B, C);
  private static final PostAssembly SPENDS_MADE =
      CoordinatorOfA.assembly(List.of(MADE), MADE_OF_IT);
  private static final Duration LOCK = CoordinatorOfA.SETTINGS.limits().externalLock();

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void itsSenderGetsItPreparedAndIsNotAskedForLeave() {
    var prepared = prepared();

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();
    assertThat(coordinator.sentTo(PreparedTransactionDistribution.class)).containsExactly(B);
    assertThat(prepared)
        .isEqualTo(
            new PreparedTransactionDistribution(
                prepared.distributionId(),
                ADDRESS,
                coordinator.transaction(EXTERNAL).delegation(),
                new PreparedTransaction(
                    EXTERNAL.key(),
                    ADDRESS,
                    List.of(COIN.id()),
                    List.of(),
                    List.of(MADE.id()),
                    new Proof(
                        MerklePath.ALONE,
                        coordinator
                            .transaction(EXTERNAL)
                            .progress()
                            .proof()
                            .orElseThrow()
                            .signatures())),
                List.of(MADE)));
    assertThat(coordinator.handed()).isEmpty();
  }

  /** Each caller submits alone what was endorsed together (EXT-1, ATT-2). */
  @Test
  void ofABatchEachIsGivenWithItsOwnPathToTheRootThatAllHaveSigned() {
    var another = AssemblingTest.external(3);
    coordinator.delegate(EXTERNAL, another);
    coordinator.load();
    var request = coordinator.requestThatIsOut();
    coordinator.tell(
        B,
        List.of(
            new AssembleResponse(EXTERNAL.id(), request, ADDRESS, SPENDS_COIN),
            new AssembleResponse(
                another.id(), request, ADDRESS, CoordinatorOfA.assembly(List.of(), MADE_OF_IT))));
    coordinator.endorse();

    var prepared =
        coordinator.sent(PreparedTransactionDistribution.class).stream()
            .map(PreparedTransactionDistribution::prepared)
            .toList();
    assertThat(prepared)
        .extracting(PreparedTransaction::intent)
        .containsExactly(EXTERNAL.key(), another.key());
    assertThat(prepared)
        .allSatisfy(
            each -> {
              var digest = each.endorsed(Contract.GROUP.chainId());
              assertThat(each.proof().path()).isNotEqualTo(MerklePath.ALONE);
              assertThat(each.proof().signatures())
                  .hasSize(2)
                  .extracting(Signature::value)
                  .containsOnly(CoordinatorOfA.signed(digest));
            });
  }

  @Test
  void itIsSentUntilItsSenderHasAcknowledgedIt() {
    var prepared = prepared();
    var acknowledgement =
        new PreparedTransactionAcknowledgement(prepared.distributionId(), ADDRESS);

    coordinator.tell(C, acknowledgement);
    assertThat(coordinator.tickFor(Duration.ofSeconds(2))).contains(prepared);
    coordinator.tell(B, acknowledgement);
    assertThat(coordinator.tickFor(Duration.ofSeconds(30))).doesNotContain(prepared);
  }

  /** It may have restarted, and believes only its active delegation. */
  @Test
  void aSenderThatDelegatesItAgainGetsItUnderItsNewDelegation() {
    var earlier = prepared();

    var newest = coordinator.delegate(EXTERNAL);

    assertThat(coordinator.sent(PreparedTransactionDistribution.class))
        .singleElement()
        .satisfies(again -> assertThat(again.delegationId()).isEqualTo(newest));
    assertThat(coordinator.state().exchanges().get(earlier.distributionId())).isEmpty();
  }

  /** Its sender could end the distribution with it, and nobody would send it again. */
  @Test
  void leaveForADistributionIsNone() {
    coordinator.delegate(EXTERNAL);
    coordinator.load();
    coordinator.assembled(EXTERNAL, SPENDS_COIN);
    coordinator.endorse();
    var given = coordinator.sent(PreparedTransactionDistribution.class).get(0);
    var item =
        new RequestDispatchConfirmation.Item(
            EXTERNAL.id(), given.delegationId(), Contract.hash("any"));

    coordinator.tell(B, CoordinatorOfA.leave(given.distributionId(), List.of(item)));

    assertThat(coordinator.transaction(EXTERNAL).granted()).isFalse();
    assertThat(coordinator.state().exchanges().get(given.distributionId())).isPresent();
  }

  @Test
  void itIsNotGivenAwayBeforeAllThatItNeedsIsConfirmed() {
    coordinator.delegate(BEFORE, EXTERNAL);
    coordinator.load();
    coordinator.assembled(BEFORE, SPENDS_COIN);
    coordinator.endorse();
    var leave = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.assembled(EXTERNAL, SPENDS_MADE);
    coordinator.endorse();
    coordinator.grant(B, leave);
    assertThat(coordinator.allSent)
        .extracting(sent -> (Object) sent.message())
        .doesNotHaveAnyElementsOfTypes(PreparedTransactionDistribution.class);

    coordinator.confirm(BEFORE);

    assertThat(coordinator.sent(PreparedTransactionDistribution.class)).hasSize(1);
  }

  /** Nobody knows when a caller submits. */
  @Test
  void whatComesAfterItAsksForNoLeaveUntilItIsConfirmed() {
    var reads =
        new PostAssembly(
            List.of(),
            List.of(COIN),
            List.of(MADE_OF_IT),
            List.of(),
            SPENDS_COIN.specification(),
            SPENDS_COIN.attestationPlan(),
            Proof.NONE);
    coordinator.delegate(EXTERNAL, BEFORE);
    coordinator.load();
    coordinator.assembled(EXTERNAL, reads);
    coordinator.endorse();
    assertThat(coordinator.sent(PreparedTransactionDistribution.class)).hasSize(1);
    coordinator.assembled(BEFORE, SPENDS_COIN);
    coordinator.endorse();
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();

    coordinator.confirm(EXTERNAL);

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void heartbeatsDoNotNameIt() {
    prepared();

    assertThat(coordinator.tickFor(Duration.ofSeconds(2)))
        .doesNotHaveAnyElementsOfTypes(CoordinatorHeartbeatNotification.class);
  }

  @Test
  void itKeepsItsLocksForABoundedTime() {
    prepared();
    coordinator.tickFor(LOCK.minusMillis(100));
    assertThat(coordinator.state().graph().locks().spent()).containsExactly(COIN.id());

    coordinator.tickFor(Duration.ofMillis(100));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().transactions()).isEmpty();
  }

  @Test
  void whatIsFulfilledLeavesAndStaysLockedForSomeBlocks() {
    prepared();

    coordinator.confirm(EXTERNAL);

    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().graph().locks().spent()).containsExactly(COIN.id());
  }

  /** Its sender's command may be older than the block; no submitter ever had it. */
  @Test
  void nobodyIsToldThatItWasDispatchedWhenItIsDelegatedAfterItsConfirmation() {
    prepared();
    coordinator.confirm(EXTERNAL);

    coordinator.delegate(EXTERNAL);

    assertThat(coordinator.sent(Dispatched.class)).isEmpty();
    assertThat(coordinator.sent(DelegationAccepted.class)).hasSize(1);
    assertThat(coordinator.state().transactions()).isEmpty();
  }

  @Test
  void whatTheLedgerRefusesLeavesAtOnce() {
    prepared();

    coordinator.tell(new CoordinatorInput.DispatchReverted(EXTERNAL.key()));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().transactions()).isEmpty();
  }

  private PreparedTransactionDistribution prepared() {
    coordinator.delegate(EXTERNAL);
    coordinator.load();
    coordinator.assembled(EXTERNAL, SPENDS_COIN);
    coordinator.endorse();
    return coordinator.sent(PreparedTransactionDistribution.class).get(0);
  }
}

package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatedTransaction.Setbacks;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Endorsements are gathered as the attestation plan says, and what is refused is made anew. */
class EndorsingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final Identity OF_A = Contract.party(A);
  private static final Identity OF_B = Contract.party(B);
  private static final Identity OF_C = Contract.party(C);

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void allPartiesAreAskedAtOnceAndAreShownTheWholeAssembly() {
    var assembly =
        new PostAssembly(
            List.of(Contract.state("spent", A, B)),
            List.of(Contract.state("read", A, B)),
            List.of(MADE),
            List.of(Contract.state("told", A, B)),
            Bytes.utf8("what is claimed"),
            List.of(all(OF_B, OF_C)),
            Proof.NONE);
    var delegation = coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, assembly);

    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(B, C);
    var item =
        new EndorsementRequest.Item(
            FIRST,
            assembly.specification(),
            List.of(Contract.GROUP.committee().member(OF_B).orElseThrow()),
            assembly.proof(),
            assembly.inputs(),
            assembly.reads(),
            assembly.outputs(),
            assembly.info(),
            delegation);
    assertThat(coordinator.sent(EndorsementRequest.class))
        .allSatisfy(
            request ->
                assertThat(request)
                    .isEqualTo(
                        new EndorsementRequest(
                            all(OF_B, OF_C),
                            request.idempotencyKey(),
                            ADDRESS,
                            request.party(),
                            List.of(item),
                            A,
                            coordinator.height)))
        .extracting(EndorsementRequest::idempotencyKey)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatIsAssembledInOneGoIsAskedAboutInOneRequest() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    var request = coordinator.requestThatIsOut();
    coordinator.tell(
        B,
        Stream.of(FIRST, SECOND)
            .map(
                transaction ->
                    new AssembleResponse(
                        transaction.id(),
                        request,
                        ADDRESS,
                        CoordinatorOfA.assembly(
                            List.of(), Contract.state("of " + transaction.id(), A, B, C))))
            .toList());

    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(B, C);
    assertThat(coordinator.sent(EndorsementRequest.class))
        .allSatisfy(
            asked ->
                assertThat(asked.items())
                    .extracting(EndorsementRequest.Item::transaction)
                    .containsExactly(FIRST, SECOND));
  }

  @Test
  void onceEnoughHaveEndorsedNobodyElseIsWaitedFor() {
    var assembly = planned(new AttestationRequest("any", List.of(OF_B, OF_C), 1));
    assemble(assembly);
    var requests = coordinator.sent(EndorsementRequest.class);

    coordinator.endorse(requests.get(1));

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
    assertThat(coordinator.tickFor(Duration.ofSeconds(9)))
        .doesNotHaveAnyElementsOfTypes(EndorsementRequest.class);
    coordinator.refuse(requests.get(0));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
  }

  @Test
  void eachLineOfThePlanHasToBeFulfilled() {
    var assembly =
        planned(
            new AttestationRequest("one", List.of(OF_A, OF_B), 1),
            new AttestationRequest("other", List.of(OF_C), 1));
    assemble(assembly);
    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(A, B, C);
    var requests = coordinator.sent(EndorsementRequest.class);

    coordinator.endorse(requests.get(0));
    coordinator.endorse(requests.get(1));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();

    coordinator.endorse(requests.get(2));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void whatNeedsNoEndorsementGoesOnAtOnce() {
    assemble(planned());

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void aWrongEndorsementIsCounted() {
    var assembly = planned(all(OF_B));
    assemble(assembly);
    var request = coordinator.sent(EndorsementRequest.class).get(0);
    var signed = CoordinatorOfA.signature(OF_B, CoordinatorOfA.endorsed(assembly, SECOND));
    var wrong = answer(request, List.of(FIRST.key()), Optional.of(signed), List.of());

    coordinator.tell(B, wrong);

    assertThat(counted(CoordinatorEffect.Counted.INVALID_ENDORSEMENT)).isTrue();
    assertThat(coordinator.state().exchanges().get(request.idempotencyKey())).isPresent();
  }

  @Test
  void whatIsRefusedIsAssembledAnewAfterABackOff() {
    assemble(planned(all(OF_B, OF_C)));
    var requests = coordinator.sent(EndorsementRequest.class);
    var backoff = CoordinatorOfA.SETTINGS.retries().refusal();

    coordinator.refuse(requests.get(1));

    assertThat(counted(CoordinatorEffect.Counted.REFUSAL)).isTrue();
    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
    assertThat(coordinator.transaction(FIRST).notBefore())
        .isEqualTo(coordinator.now().plus(backoff.wait(1, FIRST.key().hashCode())));
    for (var request : requests) {
      assertThat(coordinator.state().exchanges().get(request.idempotencyKey())).isEmpty();
    }
    assertThat(coordinator.tickFor(Duration.ofMillis(300)))
        .doesNotHaveAnyElementsOfTypes(AssembleRequest.class, EndorsementRequest.class);
    assertThat(coordinator.tickFor(Duration.ofMillis(300)))
        .hasAtLeastOneElementOfType(AssembleRequest.class);
  }

  @Test
  void whileOneIsRefusedTheNextIsAssembled() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, planned(all(OF_B)));
    var request = coordinator.sent(EndorsementRequest.class).get(0);
    coordinator.refuse(request);
    coordinator.delegate(SECOND);

    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.transactions()).containsExactly(SECOND.id()));
  }

  @Test
  void whoHasRefusedIsShownTheNextAssemblyAloneAndTheOthersOnceItHasEndorsed() {
    var assembly = planned(all(OF_B, OF_C));
    refusedByC(assembly);
    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(C);

    coordinator.endorse(coordinator.sent(EndorsementRequest.class).get(0));
    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(B);

    coordinator.endorse(coordinator.sent(EndorsementRequest.class).get(0));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void ifItsEndorsementIsNotNeededAllAreAskedAtOnceAgain() {
    refusedByC(planned(new AttestationRequest("most", List.of(OF_A, OF_B, OF_C), 2)));

    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(A, B, C);
  }

  @Test
  void ifItIsNoPartyAnyMoreAllAreAskedAtOnce() {
    assemble(planned(all(OF_B, OF_C)));
    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(1));
    coordinator.tickFor(Duration.ofSeconds(1));
    coordinator.assembled(FIRST, planned(all(OF_A, OF_B)));

    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(A, B);
  }

  @Test
  void whatIsRefusedTooOftenIsItsSendersToDecideWhichIsToldUntilItKnows() {
    var assembly = planned(all(OF_C));
    assemble(assembly);
    int most = CoordinatorOfA.SETTINGS.retries().maxRefusals();
    for (int refusals = 1; refusals < most; refusals++) {
      coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));
      assertThat(coordinator.sent(TransactionReverted.class)).isEmpty();
      coordinator.tickFor(Duration.ofSeconds(4));
      coordinator.assembled(FIRST, assembly);
    }

    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));

    assertThat(coordinator.sentTo(TransactionReverted.class)).containsExactly(B);
    var told = coordinator.sent(TransactionReverted.class).get(0);
    assertThat(told.transaction()).isEqualTo(FIRST.id());
    assertThat(told.contract()).isEqualTo(ADDRESS);
    assertThat(told.retryable()).isTrue();
    assertThat(told.transactionHash()).isEmpty();
    assertThat(told.reason()).isEqualTo("Endorsement refused by " + OF_C + ": no");
    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().graph().nodes()).isEmpty();

    assertThat(coordinator.tickFor(Duration.ofSeconds(2))).contains(told);
    coordinator.tell(B, new TransactionRevertedAcknowledgement(told.notificationId(), ADDRESS));
    assertThat(coordinator.tickFor(Duration.ofSeconds(20))).doesNotContain(told);
  }

  /** Ranges may be so short that none of their coordinators is refused often enough. */
  @Test
  void whatCoordinatorsBeforeWereRefusedCountsAsWell() {
    var assembly = planned(all(OF_C));
    int most = CoordinatorOfA.SETTINGS.retries().maxRefusals();
    coordinator.tell(B, refusedBefore(most - 1));
    coordinator.load();
    coordinator.assembled(FIRST, assembly);

    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));

    assertThat(coordinator.sentTo(TransactionReverted.class)).containsExactly(B);
  }

  @Test
  void nothingIsGivenUpThatNobodyHasRefusedHere() {
    coordinator.tell(B, refusedBefore(1_000));
    coordinator.load();

    coordinator.assembled(FIRST, planned(all(OF_C)));
    assertThat(coordinator.sentTo(EndorsementRequest.class)).containsExactly(C);
    coordinator.endorse(coordinator.sent(EndorsementRequest.class).get(0));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void heartbeatsTellASenderHowOftenItsTransactionsWereRefused() {
    assemble(planned(all(OF_C)));
    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));

    var beats =
        coordinator.tickFor(CoordinatorOfA.SETTINGS.heartbeats().coordinatorInterval()).stream()
            .filter(CoordinatorHeartbeatNotification.class::isInstance)
            .map(CoordinatorHeartbeatNotification.class::cast)
            .toList();

    assertThat(beats)
        .flatExtracting(CoordinatorHeartbeatNotification::refused)
        .as("of those that go to all members its own alone")
        .containsExactly(new Refusals(FIRST.id(), 1));
  }

  private DelegationCommand refusedBefore(int times) {
    return new DelegationCommand(
        new DelegationId(B, 1, 1),
        A,
        ADDRESS,
        List.of(FIRST),
        coordinator.height,
        List.of(),
        List.of(),
        List.of(new Refusals(FIRST.id(), times)));
  }

  @Test
  void onceItIsItsSendersToDecideNobodyIsAskedAboutItAnyMore() {
    var assembly = planned(new AttestationRequest("most", List.of(OF_A, OF_B, OF_C), 2));
    assemble(assembly);
    for (int i = 1; i < CoordinatorOfA.SETTINGS.retries().maxRefusals(); i++) {
      coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(2));
      coordinator.tickFor(Duration.ofSeconds(4));
      coordinator.assembled(FIRST, assembly);
    }
    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(2));
    assertThat(coordinator.sent(TransactionReverted.class)).hasSize(1);

    assertThat(coordinator.state().purposes().values())
        .extracting(CoordinatorState.Purpose::subject)
        .doesNotContain(CoordinatorState.Subject.ENDORSEMENT);
  }

  /** Who is silent has refused nothing (EDR-8). */
  @Test
  void whoIsSilentIsAskedOnForAsLongAsItTakesAndThatIsNoRefusal() {
    assemble(planned(all(OF_B, OF_C)));
    var silent = coordinator.sent(EndorsementRequest.class).get(1);
    coordinator.endorse(coordinator.sent(EndorsementRequest.class).get(0));
    var timeout = CoordinatorOfA.SETTINGS.delivery().endorsementTimeout();

    assertThat(coordinator.tickFor(timeout.minusMillis(100))).contains(silent);
    assertThat(coordinator.tickFor(timeout)).as("the same, under the same key").contains(silent);
    assertThat(coordinator.tickFor(timeout.multipliedBy(40))).contains(silent);
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.transaction(FIRST).setbacks())
        .isEqualTo(new Setbacks(0, Optional.empty(), 0));

    coordinator.endorse(silent);

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
  }

  @Test
  void itsHeartbeatsTellWhomATransactionWaitsForSinceWhenAndWhatThatOneLastSaid() {
    assemble(planned(all(OF_B, OF_C)));
    var ofB = coordinator.sent(EndorsementRequest.class).get(0);
    coordinator.refuse(ofB, new EndorsementError.MismatchedBlockHeight(new BlockHeight(95)));

    var sent = coordinator.tickFor(Duration.ofSeconds(6));

    assertThat(sent)
        .filteredOn(CoordinatorHeartbeatNotification.class::isInstance)
        .map(CoordinatorHeartbeatNotification.class::cast)
        .as("not before an answer may have come")
        .first()
        .satisfies(first -> assertThat(first.waiting()).isEmpty());
    var asked =
        sent.stream()
            .filter(CoordinatorHeartbeatNotification.class::isInstance)
            .map(CoordinatorHeartbeatNotification.class::cast)
            .filter(heartbeat -> !heartbeat.waiting().isEmpty())
            .reduce((earlier, later) -> later)
            .orElseThrow()
            .waiting()
            .get(0);
    assertThat(asked.transactions()).containsExactly(FIRST.id());
    assertThat(asked.asked())
        .extracting(CoordinatorHeartbeatNotification.Asked::endorser)
        .containsExactlyInAnyOrder(OF_B, OF_C);
    assertThat(asked.asked())
        .allSatisfy(
            each -> {
              assertThat(each.since()).isEqualTo(Instant.EPOCH);
              assertThat(each.times()).isGreaterThan(1);
              assertThat(each.said().isPresent()).isEqualTo(each.endorser().equals(OF_B));
            });
  }

  @Test
  void whatDependsOnWhatIsRefusedIsAssembledAnewTooAndAtOnce() {
    assemble(planned(all(OF_C)));
    var request = coordinator.sent(EndorsementRequest.class).get(0);
    coordinator.delegate(SECOND);
    coordinator.assembled(
        SECOND, CoordinatorOfA.assembly(List.of(MADE), Contract.state("of it", A, B, C)));
    var ofSecond = coordinator.sent(EndorsementRequest.class);

    coordinator.refuse(request);

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.transactions()).containsExactly(SECOND.id()));
    assertThat(ofSecond)
        .isNotEmpty()
        .allSatisfy(
            over ->
                assertThat(coordinator.state().exchanges().get(over.idempotencyKey())).isEmpty());
  }

  @Test
  void anEndorserThatIsBehindIsAskedAgainUnderAnotherIdLessAndLessOften() {
    var assembly = planned(all(OF_B));
    assemble(assembly);
    var waits = new ArrayList<Long>();
    var request = coordinator.sent(EndorsementRequest.class).get(0);
    for (int again = 0; again < 4; again++) {
      coordinator.refuse(request, new EndorsementError.MismatchedBlockHeight(coordinator.height));
      assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
      assertThat(coordinator.state().exchanges().get(request.idempotencyKey())).isEmpty();
      var answered = coordinator.now();
      EndorsementRequest next = null;
      while (next == null) {
        var sent = only(EndorsementRequest.class, coordinator.tickFor(Duration.ofMillis(100)));
        next = sent.isEmpty() ? null : sent.get(0);
      }
      assertThat(next.idempotencyKey()).isNotEqualTo(request.idempotencyKey());
      assertThat(next.party()).isEqualTo(OF_B);
      waits.add(Duration.between(answered, coordinator.now()).toMillis());
      request = next;
    }

    assertThat(waits).isSorted();
    assertThat(waits.get(3)).isGreaterThan(2 * waits.get(0));
    coordinator.endorse(request);
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  /** Its store is not what the ledger shows (DST-10), and it says so for days. */
  @Test
  void whoCannotEndorseNowIsAskedOnUntilItsStoreIsMendedAndThatIsNoRefusal() {
    assemble(planned(all(OF_B, OF_C)));
    var requests = coordinator.sent(EndorsementRequest.class);
    coordinator.endorse(requests.get(0));
    var request = requests.get(1);
    for (int times = 0; times < 2 * CoordinatorOfA.SETTINGS.retries().maxRefusals(); times++) {
      coordinator.refuse(request, new EndorsementError.CannotEndorseNow());
      assertThat(coordinator.sent(EndorsementRequest.class)).as("after a back-off").isEmpty();
      request = again(request);
    }

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.transaction(FIRST).setbacks())
        .isEqualTo(new Setbacks(0, Optional.empty(), 0));
    assertThat(coordinator.state().attestations().together())
        .as("batches that hold up others")
        .isZero();
    var heartbeats =
        only(CoordinatorHeartbeatNotification.class, coordinator.tickFor(Duration.ofSeconds(6)));
    assertThat(heartbeats.stream().flatMap(heartbeat -> heartbeat.waiting().stream()))
        .isNotEmpty()
        .allSatisfy(
            waiting ->
                assertThat(waiting.asked().get(0).said().orElseThrow())
                    .contains("differs from the ledger")
                    .doesNotContain("sequitur"));

    coordinator.endorse(request);

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
  }

  /** The next request to the party. */
  private EndorsementRequest again(EndorsementRequest before) {
    for (int tenths = 0; tenths < 1_000; tenths++) {
      var sent = only(EndorsementRequest.class, coordinator.tickFor(Duration.ofMillis(100)));
      if (!sent.isEmpty()) {
        assertThat(sent.get(0).idempotencyKey()).isNotEqualTo(before.idempotencyKey());
        return sent.get(0);
      }
    }
    throw new AssertionError("nobody is asked again");
  }

  @Test
  void anEndorserThatNamesABetterMemberIsAskedAgainLater() {
    assemble(planned(all(OF_C)));
    var request = coordinator.sent(EndorsementRequest.class).get(0);

    coordinator.refuse(request, new EndorsementError.NotPreferredCoordinator(B));

    assertThat(only(EndorsementRequest.class, coordinator.tickFor(Duration.ofSeconds(1))))
        .singleElement()
        .satisfies(
            again -> assertThat(again.idempotencyKey()).isNotEqualTo(request.idempotencyKey()));
  }

  @Test
  void aBetterMemberOutsideTheCommitteeIsNotAskedWhetherItLives() {
    assemble(planned(all(OF_C)));

    coordinator.refuse(
        coordinator.sent(EndorsementRequest.class).get(0),
        new EndorsementError.NotPreferredCoordinator(new NodeName("stranger")));

    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();
    assertThat(askedAbout(FIRST)).containsExactly(OF_C);
  }

  @Test
  void anErrorIsBelievedOfTheEndorserThatWasAskedAndAboutTheRequestThatIsOutOnly() {
    assemble(planned(all(OF_B, OF_C)));
    var ofC = coordinator.sent(EndorsementRequest.class).get(1);
    var no = new EndorsementError.Refused("no");

    coordinator.tell(B, error(ofC, ofC.idempotencyKey(), no));
    coordinator.tell(C, error(ofC, new RequestId("another"), no));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(askedAbout(FIRST)).containsExactlyInAnyOrder(OF_B, OF_C);
  }

  @Test
  void afterTheEndOfItsRangeAnErrorOfAnEndorserBringsNothingBack() {
    var last = CoordinatorOfA.inItsLastBlock();
    last.delegate(FIRST);
    last.load();
    last.assembled(FIRST, planned(all(OF_B)));
    var request = last.sent(EndorsementRequest.class).get(0);
    last.index(1);

    last.refuse(request);
    last.refuse(request, new EndorsementError.MismatchedBlockHeight(last.height));

    assertThat(last.state().transactions()).isEmpty();
    assertThat(last.tickFor(Duration.ofSeconds(2)))
        .doesNotHaveAnyElementsOfTypes(AssembleRequest.class, EndorsementRequest.class);
  }

  /** SEL-10: B's party has another key from the range after on. */
  @Test
  void anAnswerIsJudgedByTheCommitteeOfTheRange() {
    var last = CoordinatorOfA.inTheLastBlockBeforeAnotherOfItsRanges().height;
    var changed = Contract.withOtherKeyOf(B, last);
    var before = new CoordinatorOfA(changed, last, 1);
    var request = askedOfB(before);
    assertThat(request.items().getFirst().verifiers())
        .containsExactly(Contract.GROUP.committee().member(OF_B).orElseThrow());

    before.endorse(request);

    assertThat(before.sent(RequestDispatchConfirmation.class)).hasSize(1);

    var after = new CoordinatorOfA(changed, new BlockHeight(last.value() + 1), 1);
    var again = askedOfB(after);
    assertThat(again.items().getFirst().verifiers())
        .containsExactly(changed.committee().member(OF_B).orElseThrow());

    after.endorse(again);

    var invalid = new CoordinatorEffect.Count(CoordinatorEffect.Counted.INVALID_ENDORSEMENT);
    assertThat(after.has(invalid)).as("signed with the key of before").isTrue();
    assertThat(after.sent(RequestDispatchConfirmation.class)).isEmpty();
  }

  private static EndorsementRequest askedOfB(CoordinatorOfA coordinator) {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, planned(all(OF_B)));
    return coordinator.sent(EndorsementRequest.class).getFirst();
  }

  @Test
  void heartbeatsGoToTheNodesOfTheCommitteeOfTheRange() {
    var first = CoordinatorOfA.inItsFirstBlock().height;

    assertThat(heartbeats(Contract.without(C, first), first)).contains(B, C);
    assertThat(heartbeats(Contract.without(C, new BlockHeight(first.value() - 1)), first))
        .contains(B)
        .doesNotContain(C);
  }

  private static List<NodeName> heartbeats(PrivacyGroup group, BlockHeight height) {
    var beating = new CoordinatorOfA(group, height, 1);
    beating.delegate(FIRST);
    beating.load();
    beating.tickFor(CoordinatorOfA.SETTINGS.heartbeats().coordinatorInterval());
    return beating.allSent.stream()
        .filter(sent -> sent.message() instanceof CoordinatorHeartbeatNotification)
        .map(Outgoing::to)
        .toList();
  }

  private static EndorsementError error(
      EndorsementRequest asked, RequestId key, EndorsementError.Reason reason) {
    return new EndorsementError(key, ADDRESS, reason, asked.party(), "endorse");
  }

  private static EndorsementResponse answer(
      EndorsementRequest asked,
      List<IntentKey> endorsed,
      Optional<Signature> endorsement,
      List<EndorsementResponse.Refused> refused) {
    return new EndorsementResponse(
        asked.idempotencyKey(), ADDRESS, asked.party(), "endorse", endorsed, endorsement, refused);
  }

  private Set<Identity> askedAbout(PrivateTransaction transaction) {
    return coordinator.state().attestations().askedAbout(coordinator.transaction(transaction));
  }

  /** Its next assembly is made. */
  private void refusedByC(PostAssembly assembly) {
    assemble(assembly);
    coordinator.refuse(
        coordinator.sent(EndorsementRequest.class).stream()
            .filter(request -> request.party().equals(OF_C))
            .findFirst()
            .orElseThrow());
    coordinator.tickFor(Duration.ofSeconds(1));
    coordinator.assembled(FIRST, assembly);
  }

  private void assemble(PostAssembly assembly) {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, assembly);
  }

  private boolean counted(CoordinatorEffect.Counted what) {
    return coordinator.has(new CoordinatorEffect.Count(what));
  }

  private static <M> List<M> only(Class<M> kind, List<Message> sent) {
    return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static AttestationRequest all(Identity... parties) {
    return new AttestationRequest("endorse", List.of(parties), parties.length);
  }

  private static PostAssembly planned(AttestationRequest... plan) {
    return new PostAssembly(
        List.of(),
        List.of(),
        List.of(MADE),
        List.of(),
        Bytes.EMPTY,
        Stream.of(plan).toList(),
        Proof.NONE);
  }
}

package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is dispatched that is not endorsed and granted, and what is, is dispatched. */
class DispatchingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsLastBlock();

  /** What C answers instead of its endorsement. */
  record Wrong(String what, UnaryOperator<EndorsementResponse> change) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Wrong> wrongEndorsements() {
    var other = CoordinatorOfA.assembly(List.of(), Contract.state("other", A, B));
    var digest = CoordinatorOfA.endorsed(ASSEMBLY, FIRST);
    var c = Contract.GROUP.committee().member(Contract.party(C)).orElseThrow().verifier();
    return Stream.of(
        new Wrong(
            "over another assembly",
            right -> signedOver(right, CoordinatorOfA.endorsed(other, FIRST), c)),
        new Wrong(
            "over another intent",
            right -> signedOver(right, CoordinatorOfA.endorsed(ASSEMBLY, SECOND), c)),
        new Wrong(
            "with another key",
            right -> signedOver(right, digest, new Verifier(Bytes.of(anotherKey())))),
        new Wrong(
            "in the name of another",
            right ->
                changed(
                    right,
                    right.idempotencyKey(),
                    new Signature(Contract.party(A), c, CoordinatorOfA.signed(digest)))),
        new Wrong(
            "to another request",
            right -> changed(right, new RequestId("another"), right.endorsement().orElseThrow())));
  }

  private static byte[] anotherKey() {
    var key = new byte[33];
    key[32] = 1;
    return key;
  }

  private static EndorsementResponse signedOver(
      EndorsementResponse like, Hash digest, Verifier verifier) {
    return changed(
        like,
        like.idempotencyKey(),
        new Signature(like.party(), verifier, CoordinatorOfA.signed(digest)));
  }

  private static EndorsementResponse changed(
      EndorsementResponse like, RequestId key, Signature endorsement) {
    return new EndorsementResponse(
        key,
        like.contract(),
        like.party(),
        like.attestationRequestName(),
        List.of(FIRST.key()),
        Optional.of(endorsement),
        List.of());
  }

  @ParameterizedTest
  @MethodSource("wrongEndorsements")
  void aWrongEndorsementIsNotCountedAndTheRightOneStillIs(Wrong wrong) {
    var right = endorsedByAllBut(C);

    coordinator.tell(C, wrong.change().apply(right));
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();
    assertThat(coordinator.transaction(FIRST).endorsed()).isFalse();

    coordinator.tell(C, right);
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void anEndorsementIsBelievedOfTheEndorsersNodeOnly() {
    var right = endorsedByAllBut(C);

    coordinator.tell(B, right);

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();
  }

  /** The assembly that it was for has left the graph. */
  @Test
  void anEndorsementOfAnEarlierAssemblyCountsForNoLaterOne() {
    var right = endorsedByAllBut(C);
    coordinator.tell(
        C,
        new EndorsementError(
            right.idempotencyKey(),
            ADDRESS,
            new EndorsementError.Refused("no"),
            right.party(),
            "endorse"));
    coordinator.tickFor(Duration.ofSeconds(3));
    var other = CoordinatorOfA.assembly(List.of(), Contract.state("other", A, B));
    coordinator.assembled(FIRST, other);

    coordinator.tell(C, right);

    assertThat(coordinator.transaction(FIRST).progress().proof()).isEmpty();
  }

  private EndorsementResponse endorsedByAllBut(NodeName last) {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    EndorsementResponse withheld = null;
    for (var request : coordinator.sent(EndorsementRequest.class)) {
      var answer = CoordinatorOfA.endorsement(request);
      if (request.party().node().equals(last)) {
        withheld = answer;
      } else {
        coordinator.tell(request.party().node(), answer);
      }
    }
    return withheld;
  }

  /** It would never be answered then, nor time out: the contract would stand still. */
  @Test
  void noAcknowledgementEndsARequest() {
    coordinator.delegate(FIRST);
    coordinator.load();
    var asked = coordinator.state().assembling().orElseThrow().request();

    for (var from : List.of(B, C)) {
      coordinator.tell(from, new TransactionRevertedAcknowledgement(asked, ADDRESS));
      coordinator.tell(from, new PreparedTransactionAcknowledgement(asked, ADDRESS));
      coordinator.tell(from, new StartupNotificationAcknowledgement(asked, ADDRESS));
    }

    assertThat(coordinator.state().exchanges().get(asked)).isPresent();
  }

  @Test
  void aNotificationIsEndedByNobodyElseThanWhoWasSentIt() {
    coordinator.delegate(FIRST);
    var toC =
        coordinator.allSent.stream()
            .filter(sent -> sent.to().equals(C))
            .map(sent -> ((StartupNotification) sent.message()).startupId())
            .findFirst()
            .orElseThrow();

    coordinator.tell(B, new TransactionRevertedAcknowledgement(toC, ADDRESS));
    coordinator.tell(B, new PreparedTransactionAcknowledgement(toC, ADDRESS));
    coordinator.tell(B, new StartupNotificationAcknowledgement(toC, ADDRESS));
    assertThat(coordinator.state().exchanges().get(toC)).isPresent();

    coordinator.tell(C, new StartupNotificationAcknowledgement(toC, ADDRESS));
    assertThat(coordinator.state().exchanges().get(toC)).isEmpty();
  }

  @Test
  void leaveIsBelievedOfTheSenderOnly() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.grant(C, asked);
    assertThat(coordinator.handed()).isEmpty();
    coordinator.grant(A, asked);
    assertThat(coordinator.handed()).isEmpty();

    coordinator.grant(B, asked);
    assertThat(coordinator.handed()).hasSize(1);
  }

  @Test
  void leaveThatAnswersNoRequestThatIsOutIsNone() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.tell(B, CoordinatorOfA.leave(new RequestId("another"), asked.items()));
    assertThat(coordinator.handed()).isEmpty();
    coordinator.tell(
        B,
        new DispatchConfirmationResponse(
            asked.requestId(),
            ADDRESS,
            List.of(
                new DispatchConfirmationResponse.Granted(
                    SECOND.id(), asked.items().get(0).delegationId())),
            List.of()));

    assertThat(coordinator.handed()).isEmpty();
  }

  @Test
  void leaveForAnEarlierDelegationIsNone() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);
    var newest = coordinator.delegate(FIRST);
    var askedAgain = coordinator.sent(RequestDispatchConfirmation.class);
    assertThat(askedAgain)
        .singleElement()
        .satisfies(again -> assertThat(again.items().get(0).delegationId()).isEqualTo(newest));

    coordinator.grant(B, asked);
    assertThat(coordinator.handed()).isEmpty();

    coordinator.grant(B, askedAgain.get(0));
    assertThat(coordinator.handed()).extracting(Dispatch::delegationId).containsExactly(newest);
  }

  @Test
  void whatDependsOnAnotherIsDispatchedAfterItHoweverTheirSendersAnswer() {
    var made = Contract.state("made", A, B);
    var of = CoordinatorOfA.assembly(List.of(made), Contract.state("made of it", A, B));
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    coordinator.endorse();
    var first = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.assembled(SECOND, of);
    coordinator.endorse();
    var second = coordinator.sent(RequestDispatchConfirmation.class).get(0);

    coordinator.grant(B, second);
    assertThat(coordinator.handed()).isEmpty();

    coordinator.grant(B, first);
    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(FIRST.key(), SECOND.key());
  }

  @Test
  void noneIsDispatchedForTheLeaveOfAnother() {
    var made = Contract.state("made", A, B);
    var of = CoordinatorOfA.assembly(List.of(made), Contract.state("made of it", A, B));
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    coordinator.endorse();
    var first = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.assembled(SECOND, of);
    coordinator.endorse();
    var second = coordinator.sent(RequestDispatchConfirmation.class).get(0);

    coordinator.grant(B, first);
    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(FIRST.key());

    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));
    coordinator.grant(B, second);
    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(SECOND.key());
  }

  /** What was handed over may have been lost: what comes after it must not be taken before it. */
  @Test
  void whatTheSubmitterMayNotHaveIsHandedOverAgainBeforeWhatComesAfterIt() {
    var made = Contract.state("made", A, B);
    var of = CoordinatorOfA.assembly(List.of(made), Contract.state("made of it", A, B));
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    coordinator.endorse();
    var first = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.assembled(SECOND, of);
    coordinator.endorse();
    var second = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.grant(B, first);
    var lost = coordinator.handed();

    coordinator.grant(B, second);

    assertThat(coordinator.handed()).hasSize(2).startsWith(lost.get(0));
    assertThat(coordinator.handed().get(1).prepared().intent()).isEqualTo(SECOND.key());
    var both = coordinator.handed();
    coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().resend().cap());
    assertThat(coordinator.handed()).as("and again, in this order").isEqualTo(both);
  }

  @Test
  void whatItDoesNotComeAfterIsNotHandedOverWithIt() {
    coordinator.grant(B, coordinator.leaveIsAskedFor(FIRST, making("first")));

    coordinator.grant(B, coordinator.leaveIsAskedFor(SECOND, making("second")));

    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(SECOND.key());
  }

  @Test
  void whatComesAfterADispatchOfBeforeTheStartIsHandedOverAlone() {
    var before = CoordinatorOfA.inItsLastBlock();
    before.grant(B, before.leaveIsAskedFor(FIRST, ASSEMBLY));
    coordinator.delegate(SECOND);
    coordinator.load(before.handed().get(0));
    coordinator.assembled(
        SECOND,
        CoordinatorOfA.assembly(
            List.of(Contract.state("made", A, B)), Contract.state("made of it", A, B)));
    coordinator.endorse();

    coordinator.grant(B, coordinator.sent(RequestDispatchConfirmation.class).get(0));

    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(SECOND.key());
  }

  @Test
  void aDenialIsBelievedOfTheSenderOnlyAndOnlyOfTheRequestThatIsOut() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.tell(C, denial(asked.requestId()));
    coordinator.tell(B, denial(new RequestId("another")));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);

    coordinator.tell(B, denial(asked.requestId()));
    assertThat(coordinator.transaction(FIRST)).isNull();
  }

  private static DispatchConfirmationResponse denial(RequestId request) {
    var denied =
        new RequestDispatchConfirmation.Item(
            FIRST.id(), new DelegationId(B, 1, 1), Contract.hash("any"));
    return CoordinatorOfA.denial(request, List.of(denied));
  }

  /** It would time out, and take the transaction with it. */
  @Test
  void aRequestForLeaveUnderAnEarlierDelegationIsOpenNoMore() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.delegate(FIRST);

    assertThat(coordinator.state().exchanges().get(asked.requestId())).isEmpty();
    assertThat(coordinator.state().purposes()).doesNotContainKey(asked.requestId());
  }

  /** Its caller submits it by no nonce of this node's (EXT-4). */
  @Test
  void whatACallerSubmitsIsGivenAwayWhenAllThatItBuildsUponIsConfirmedAndNotBefore() {
    var external = SECOND.withSubmitMode(SubmitMode.EXTERNAL);
    var made = Contract.state("made", A, B);
    var of = CoordinatorOfA.assembly(List.of(made), Contract.state("made of it", A, B));
    coordinator.delegate(FIRST, external);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    coordinator.endorse();
    var first = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.assembled(external, of);
    coordinator.endorse();
    coordinator.grant(B, first);
    assertThat(coordinator.handed()).hasSize(1);
    assertThat(coordinator.allSent)
        .noneMatch(sent -> sent.message() instanceof PreparedTransactionDistribution);

    coordinator.tell(
        new CoordinatorInput.DispatchesSettled(List.of(FIRST.key()), coordinator.height));

    assertThat(coordinator.sent(PreparedTransactionDistribution.class)).hasSize(1);
  }

  @Test
  void aDispatchIsHandedOverAgainUntilItIsTaken() {
    var dispatch = handed();
    var wait = CoordinatorOfA.SETTINGS.delivery().resend().cap();
    for (int lost = 0; lost < 10; lost++) {
      coordinator.tickFor(wait.minusMillis(100));
      assertThat(coordinator.handed()).as("too early").isEmpty();
      coordinator.tickFor(Duration.ofMillis(100));
      assertThat(coordinator.handed()).containsExactly(dispatch);
    }

    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(SECOND.key())));
    coordinator.tickFor(wait);
    assertThat(coordinator.handed()).as("another one was taken").containsExactly(dispatch);

    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));
    for (int i = 0; i < 3; i++) {
      coordinator.tickFor(wait);
      assertThat(coordinator.handed()).isEmpty();
    }
    assertThat(coordinator.state().handed()).isEmpty();
  }

  @Test
  void itsSenderIsToldThatItIsDispatchedOnceTheSubmitterHasItAndNotBefore() {
    handed();
    assertThat(coordinator.sent(Dispatched.class)).isEmpty();

    coordinator.delegate(FIRST);
    assertThat(coordinator.sent(Dispatched.class)).as("delegated again meanwhile").isEmpty();

    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));
    assertThat(coordinator.sent(Dispatched.class))
        .singleElement()
        .satisfies(told -> assertThat(told.transactions()).containsExactly(FIRST.id()));

    coordinator.delegate(FIRST);
    assertThat(coordinator.sent(Dispatched.class)).as("and to a sender that asks").hasSize(1);
  }

  /** One message for each sender, and none that names what another one sent (DSP-7). */
  @Test
  void eachSenderIsToldAtOnceOfAllOfItsOwnThatTheSubmitterHasStored() {
    var ofC = Contract.transaction(C, 1);
    coordinator.grant(B, coordinator.leaveIsAskedFor(FIRST, making("first")));
    coordinator.grant(B, coordinator.leaveIsAskedFor(SECOND, making("second")));
    coordinator.delegateFrom(C, ofC);
    coordinator.assembled(ofC, making("third"));
    coordinator.endorse();
    coordinator.grant(C, coordinator.sent(RequestDispatchConfirmation.class).get(0));

    coordinator.tell(
        new CoordinatorInput.DispatchesCommitted(List.of(ofC.key(), FIRST.key(), SECOND.key())));

    assertThat(coordinator.sent(Dispatched.class))
        .containsExactly(
            new Dispatched(
                ADDRESS,
                List.of(
                    new Dispatched.Item(FIRST.id(), new DelegationId(B, 1, 1)),
                    new Dispatched.Item(SECOND.id(), new DelegationId(B, 1, 2))),
                A),
            new Dispatched(
                ADDRESS, List.of(new Dispatched.Item(ofC.id(), new DelegationId(C, 1, 3))), A));
  }

  private static PostAssembly making(String state) {
    return CoordinatorOfA.assembly(List.of(), Contract.state(state, A, B));
  }

  /** That it was taken was lost on its way; that it has ended was not. */
  @Test
  void whatHasEndedIsHandedOverNoMore() {
    handed();
    coordinator.tell(new CoordinatorInput.DispatchReverted(FIRST.key()));
    assertThat(coordinator.state().handed()).isEmpty();

    coordinator.delegate(SECOND);
    coordinator.grant(B, coordinator.leaveIsAskedFor(SECOND, ASSEMBLY));
    assertThat(coordinator.handed()).hasSize(1);
    coordinator.tell(
        new CoordinatorInput.DispatchesSettled(List.of(SECOND.key()), coordinator.height));
    assertThat(coordinator.state().handed()).isEmpty();
  }

  /** The base ledger refused it; the sender has heard of that, and this coordinator has not. */
  @Test
  void whatIsDelegatedAgainThoughItIsDispatchedIsAskedFor() {
    var dispatch = handed();
    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));

    coordinator.delegate(FIRST);
    assertThat(coordinator.has(new CoordinatorEffect.LoadUnconfirmedDispatches())).isTrue();
    coordinator.tell(new CoordinatorInput.UnconfirmedDispatches(List.of(dispatch)));
    assertThat(coordinator.state().transactions().get(FIRST.key()).state())
        .as("the submitter holds it")
        .isEqualTo(CoordinatedState.DISPATCHED);

    coordinator.delegate(FIRST);
    coordinator.tell(new CoordinatorInput.UnconfirmedDispatches(List.of()));
    assertThat(coordinator.state().transactions())
        .as("it has ended")
        .doesNotContainKey(FIRST.key());
    assertThat(coordinator.state().graph().node(FIRST.key())).isEmpty();

    coordinator.delegate(FIRST);
    assertThat(coordinator.state().transactions())
        .as("and is coordinated anew")
        .containsKey(FIRST.key());
  }

  @Test
  void whatItsSubmitterHasAnsweredIsNotAskedForWithTheNextBlock() {
    var first = CoordinatorOfA.inItsFirstBlock();
    first.grant(B, first.leaveIsAskedFor(FIRST, ASSEMBLY));
    var dispatch = first.handed().get(0);
    first.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));
    first.delegate(FIRST);
    assertThat(first.state().doubted()).containsExactly(FIRST.key());

    first.load(dispatch);
    first.index(1);

    assertThat(first.state().doubted()).isEmpty();
    assertThat(first.has(new CoordinatorEffect.LoadUnconfirmedDispatches())).isFalse();
  }

  @Test
  void soItIsOnceItsRangeHasEnded() {
    var ends = CoordinatorOfA.inItsLastBlock();
    ends.grant(B, ends.leaveIsAskedFor(FIRST, ASSEMBLY));
    ends.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));
    ends.delegate(FIRST);
    ends.index(1);
    assertThat(ends.state().mode()).isEqualTo(ContractMode.DRAINING);
    assertThat(ends.state().doubted()).containsExactly(FIRST.key());

    ends.tell(new CoordinatorInput.UnconfirmedDispatches(List.of()));

    assertThat(ends.state().transactions()).isEmpty();
    assertThat(ends.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  /** Its sender has a receipt of another dispatch, and the submitter's word of this one is lost. */
  @Test
  void whatTheSubmitterHasForLongIsAskedForNowAndThen() {
    var longTime = CoordinatorOfA.SETTINGS.heartbeats().maxHoldOff();
    var dispatches = CoordinatorOfA.inItsFirstBlock();
    dispatches.standsStillFor(longTime.dividedBy(3));
    dispatches.grant(B, dispatches.leaveIsAskedFor(FIRST, ASSEMBLY));
    var dispatch = dispatches.handed().get(0);
    dispatches.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));

    dispatches.standsStillFor(longTime.dividedBy(3).multipliedBy(2));
    assertThat(dispatches.has(new CoordinatorEffect.LoadUnconfirmedDispatches()))
        .as("it may well be on its way")
        .isFalse();
    dispatches.standsStillFor(longTime);
    assertThat(dispatches.has(new CoordinatorEffect.LoadUnconfirmedDispatches())).isTrue();
    dispatches.load(dispatch);
    assertThat(dispatches.state().transactions())
        .as("the submitter holds it")
        .containsKey(FIRST.key());
    dispatches.standsStillFor(longTime.minusMillis(1));
    assertThat(dispatches.has(new CoordinatorEffect.LoadUnconfirmedDispatches()))
        .as("asked a moment ago")
        .isFalse();

    dispatches.standsStillFor(longTime);
    dispatches.load();
    assertThat(dispatches.state().transactions()).as("it has ended").isEmpty();
    assertThat(dispatches.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  private Dispatch handed() {
    coordinator.grant(B, coordinator.leaveIsAskedFor(FIRST, ASSEMBLY));
    assertThat(coordinator.handed()).hasSize(1);
    return coordinator.handed().get(0);
  }
}

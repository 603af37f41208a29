package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * One assembly after another: the senders take turns, each upon the locks of those before (ASM-1).
 */
class AssemblingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateTransaction OF_A = Contract.transaction(A, 3);
  private static final PrivateTransaction OF_C = Contract.transaction(C, 4);
  private static final PrivateState COIN = Contract.state("coin", A, B, C);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final PostAssembly SPENDS_COIN = CoordinatorOfA.assembly(List.of(COIN), MADE);
  private static final PostAssembly SPENDS_COIN_TOO =
      CoordinatorOfA.assembly(List.of(COIN), Contract.state("made too", A, B, C));
  private static final PostAssembly SPENDS_MADE =
      CoordinatorOfA.assembly(List.of(MADE), Contract.state("made of it", A, B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void nothingIsAssembledBeforeItIsKnownWhatThisNodeHasDispatched() {
    coordinator.delegate(FIRST);
    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.LOADING);

    coordinator.load();

    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(B);
  }

  @Test
  void aRequestNamesEachTransactionInOrderOfArrivalWithItsDelegationAndItsInputs() {
    var earlier = coordinator.delegate(SECOND);
    var later = coordinator.delegate(FIRST);
    coordinator.load();

    var request = coordinator.sent(AssembleRequest.class).get(0);

    assertThat(request)
        .isEqualTo(
            new AssembleRequest(
                coordinator.requestThatIsOut(),
                ADDRESS,
                coordinator.height,
                StateLocks.NONE,
                List.of(
                    new AssembleRequest.Item(SECOND.id(), earlier, SECOND.inputs(), Bytes.EMPTY),
                    new AssembleRequest.Item(FIRST.id(), later, FIRST.inputs(), Bytes.EMPTY))));
  }

  @Test
  void aRequestNamesNoMoreThanABatch() {
    int most = CoordinatorOfA.SETTINGS.limits().assembleBatch();
    var many =
        LongStream.rangeClosed(1, most + 1L).mapToObj(i -> Contract.transaction(B, i)).toList();
    coordinator.delegate(many.toArray(PrivateTransaction[]::new));
    coordinator.load();
    assertThat(asked()).isEqualTo(ids(many.subList(0, most)));

    many.subList(0, most).forEach(coordinator::notAssembled);

    assertThat(asked()).containsExactly(many.get(most).id());
  }

  @Test
  void oneRequestIsOutAtATime() {
    coordinator.delegate(FIRST);
    coordinator.load();

    coordinator.delegateFrom(C, OF_C);
    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();

    coordinator.assembled(FIRST, SPENDS_COIN);
    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(C);
  }

  @Test
  void theSenderAfterTheOneServedLastIsNextRoundAndRound() {
    var served = new ArrayList<NodeName>();
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegate(SECOND);
    coordinator.delegateFrom(A, OF_A);
    coordinator.delegateFrom(C, OF_C);

    for (var transaction : List.of(FIRST, OF_C, OF_A)) {
      coordinator.notAssembled(transaction);
      served.addAll(coordinator.sentTo(AssembleRequest.class));
    }

    assertThat(served).containsExactly(C, A, B);
  }

  @Test
  void whatWasQueuedTwiceIsAssembledOnce() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegate(SECOND);
    coordinator.confirm(SECOND);
    coordinator.delegate(SECOND);

    coordinator.notAssembled(FIRST);

    assertThat(asked()).containsExactly(SECOND.id());
  }

  @Test
  void theNextSenderSeesWhatIsLockedAndWhatIsMade() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegateFrom(C, OF_C);

    coordinator.assembled(FIRST, SPENDS_COIN);

    var locks = coordinator.sent(AssembleRequest.class).get(0).stateLocks();
    assertThat(locks.spent()).containsExactly(COIN.id());
    assertThat(locks.created()).containsOnlyKeys(MADE.id());
  }

  /** Nobody here decides when it reaches the ledger (EXT-4). */
  @Test
  void whatACallerIsToSubmitIsOfferedToNobody() {
    var external = external(5);
    coordinator.delegate(external);
    coordinator.load();
    coordinator.delegateFrom(C, OF_C);

    coordinator.assembled(external, SPENDS_COIN);

    var locks = coordinator.sent(AssembleRequest.class).get(0).stateLocks();
    assertThat(locks.spent()).containsExactly(COIN.id());
    assertThat(locks.created()).isEmpty();
  }

  @Test
  void answersThatOvertakeAreTakenInTheOrderOfTheRequest() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();

    coordinator.assembled(SECOND, SPENDS_MADE);
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    assertThat(coordinator.state().graph().nodes()).isEmpty();

    coordinator.assembled(FIRST, SPENDS_COIN);
    assertThat(coordinator.sent(EndorsementRequest.class))
        .hasSize(2)
        .allSatisfy(
            request -> assertThat(request.transactions()).containsExactly(FIRST.id(), SECOND.id()));
    assertThat(coordinator.state().assembling()).isEmpty();
    assertThat(coordinator.state().purposes().values())
        .extracting(CoordinatorState.Purpose::subject)
        .doesNotContain(CoordinatorState.Subject.ASSEMBLY);
  }

  @Test
  void anAnswerIsTakenOfTheSenderThatWasAskedAndToTheRequestThatIsOutOnly() {
    coordinator.delegate(FIRST);
    coordinator.load();
    var out = coordinator.requestThatIsOut();
    var other = new RequestId("another");

    coordinator.tell(C, new AssembleResponse(FIRST.id(), out, ADDRESS, SPENDS_COIN));
    coordinator.tell(C, error(FIRST, out));
    coordinator.tell(B, new AssembleResponse(FIRST.id(), other, ADDRESS, SPENDS_COIN));
    coordinator.tell(B, error(FIRST, other));
    coordinator.tell(B, new AssembleResponse(SECOND.id(), out, ADDRESS, SPENDS_COIN));
    coordinator.tell(B, error(SECOND, out));

    assertThat(stateOf(FIRST)).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(coordinator.requestThatIsOut()).isEqualTo(out);

    coordinator.assembled(FIRST, SPENDS_COIN);
    assertThat(stateOf(FIRST)).isEqualTo(CoordinatedState.ATTESTATION);
  }

  @Test
  void whatItsSenderDoesNotAssembleIsCoordinatedNoLonger() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();

    coordinator.notAssembled(FIRST);
    coordinator.assembled(SECOND, SPENDS_COIN);

    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(stateOf(SECOND)).isEqualTo(CoordinatedState.ATTESTATION);
  }

  @Test
  void whatSpendsWhatAnotherHasLockedIsAssembledAnewAtOnceAndThenLessAndLessOften() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    var backoff = CoordinatorOfA.SETTINGS.retries().attempt();

    coordinator.assembled(SECOND, SPENDS_COIN_TOO);
    assertThat(asked()).as("at once").containsExactly(SECOND.id());
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    assertThat(coordinator.has(new CoordinatorEffect.Count(CoordinatorEffect.Counted.REASSEMBLY)))
        .isTrue();

    for (int again = 1; again <= 4; again++) {
      coordinator.assembled(SECOND, SPENDS_COIN_TOO);
      var wait = backoff.wait(again, SECOND.key().hashCode());
      assertThat(coordinator.transaction(SECOND).notBefore())
          .isEqualTo(coordinator.now().plus(wait));
      assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
      assertThat(coordinator.tickFor(wait.minusMillis(100)))
          .doesNotHaveAnyElementsOfTypes(AssembleRequest.class);
      assertThat(coordinator.tickFor(Duration.ofMillis(100)))
          .hasAtLeastOneElementOfType(AssembleRequest.class);
    }
  }

  @Test
  void afterAnAssemblyWithoutAConflictTheNextConflictIsOnceMoreTriedAtOnce() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.assembled(SECOND, SPENDS_COIN_TOO);
    coordinator.assembled(SECOND, SPENDS_MADE);
    var ofSecond = coordinator.sent(EndorsementRequest.class).get(0);
    coordinator.refuse(ofSecond);
    coordinator.tickFor(Duration.ofSeconds(1));

    coordinator.assembled(SECOND, SPENDS_COIN_TOO);

    assertThat(asked()).containsExactly(SECOND.id());
  }

  @Test
  void whatBacksOffKeepsNobodyBackBehindIt() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.assembled(SECOND, SPENDS_COIN_TOO);
    coordinator.assembled(SECOND, SPENDS_COIN_TOO);
    var behind = Contract.transaction(B, 6);

    coordinator.delegate(behind);

    assertThat(asked()).containsExactly(behind.id());
  }

  @Test
  void whatBuildsUponWhatHasLeftMeanwhileIsAssembledAnew() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegateFrom(C, OF_C);
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.refuse(firstEndorsementRequestOf(FIRST));

    coordinator.assembled(OF_C, SPENDS_MADE);

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(asked()).containsExactly(OF_C.id());
  }

  /** Nor what one before it in the same request was to make. */
  @Test
  void whatBuildsUponWhatWasToBeMadeByOneThatLeftIsAssembledAnew() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));

    coordinator.assembled(SECOND, reads(MADE));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
  }

  @Test
  void aSenderThatDoesNotAnswerLosesItsTurnAndAllItHasQueued() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegate(SECOND);
    coordinator.delegateFrom(C, OF_C);
    var timeout = CoordinatorOfA.SETTINGS.delivery().assembleTimeout();
    var asked = coordinator.requestThatIsOut();

    assertThat(coordinator.tickFor(timeout.minusMillis(100)))
        .filteredOn(AssembleRequest.class::isInstance)
        .as("is asked again meanwhile")
        .isNotEmpty()
        .allSatisfy(
            again -> assertThat(((AssembleRequest) again).assembleRequestId()).isEqualTo(asked));
    assertThat(coordinator.state().transactions()).hasSize(3);
    coordinator.tickFor(Duration.ofMillis(100));

    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(C);
    assertThat(coordinator.state().transactions()).containsOnlyKeys(OF_C.key());
    assertThat(coordinator.state().waiting().bySender()).isEmpty();

    coordinator.notAssembled(OF_C);
    coordinator.delegate(FIRST);
    assertThat(coordinator.state().assembling()).as("not at once again").isEmpty();
  }

  /** EXC-7: after one assembly of four seconds it is that, and four deviations of two. */
  @Test
  void aSenderThatAssemblesSlowlyIsWaitedForLongerTheNextTime() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.tickFor(Duration.ofSeconds(4));
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.delegate(SECOND);

    coordinator.tickFor(Duration.ofSeconds(12).minusMillis(100));
    assertThat(coordinator.state().assembling()).isPresent();
    coordinator.tickFor(Duration.ofMillis(100));

    assertThat(coordinator.state().assembling()).isEmpty();
  }

  @Test
  void anAssemblyThatComesTooLateHasTheNextOneWaitedFor() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().assembleTimeout();
    coordinator.delegate(FIRST);
    coordinator.load();
    var late = coordinator.requestThatIsOut();
    coordinator.tickFor(timeout);
    assertThat(coordinator.state().requests().assemblies().patience(B, timeout)).isEqualTo(timeout);

    coordinator.tell(
        B, new AssembleError(FIRST.id(), late, ADDRESS, AssembleError.Reason.FAILED, ""));

    assertThat(coordinator.state().requests().assemblies().patience(B, timeout))
        .isEqualTo(timeout.multipliedBy(3));
  }

  @Test
  void aSenderThatDoesNotAnswerKeepsWhatItHasAssembled() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);

    coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().assembleTimeout());

    assertThat(coordinator.state().transactions()).containsOnlyKeys(FIRST.key());
  }

  @Test
  void whatIsDelegatedAgainWhileItIsAssembledIsAskedForUnderItsNewDelegation() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    var earlier = coordinator.requestThatIsOut();
    coordinator.confirm(FIRST);

    var newest = coordinator.delegate(SECOND);

    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(
            again -> {
              assertThat(again.assembleRequestId()).isNotEqualTo(earlier);
              assertThat(again.items())
                  .containsExactly(
                      new AssembleRequest.Item(SECOND.id(), newest, SECOND.inputs(), Bytes.EMPTY));
            });
    coordinator.tell(B, new AssembleResponse(SECOND.id(), earlier, ADDRESS, SPENDS_COIN));
    assertThat(stateOf(SECOND)).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(coordinator.state().exchanges().get(earlier)).isEmpty();
    coordinator.assembled(SECOND, SPENDS_COIN);
    assertThat(stateOf(SECOND)).isEqualTo(CoordinatedState.ATTESTATION);
  }

  @Test
  void whatAnotherSenderDelegatesAgainChangesNothingOfTheRequestThatIsOut() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegateFrom(C, OF_C);
    var out = coordinator.requestThatIsOut();

    coordinator.delegateFrom(C, OF_C);

    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
    assertThat(coordinator.requestThatIsOut()).isEqualTo(out);
  }

  private static AssembleError error(PrivateTransaction transaction, RequestId request) {
    return new AssembleError(
        transaction.id(), request, ADDRESS, AssembleError.Reason.FAILED, "not now");
  }

  private static PostAssembly reads(PrivateState state) {
    return new PostAssembly(
        List.of(), List.of(state), List.of(), List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }

  static PrivateTransaction external(long number) {
    var any = Contract.transaction(B, number);
    return any.withSubmitMode(SubmitMode.EXTERNAL);
  }

  private EndorsementRequest firstEndorsementRequestOf(PrivateTransaction transaction) {
    return coordinator.allSent.stream()
        .map(sent -> (Message) sent.message())
        .filter(EndorsementRequest.class::isInstance)
        .map(EndorsementRequest.class::cast)
        .filter(request -> request.transactions().contains(transaction.id()))
        .findFirst()
        .orElseThrow();
  }

  private CoordinatedState stateOf(PrivateTransaction transaction) {
    return coordinator.transaction(transaction).state();
  }

  /** What the one request of the last step asks for. */
  private List<TransactionId> asked() {
    assertThat(coordinator.sent(AssembleRequest.class)).hasSize(1);
    return coordinator.sent(AssembleRequest.class).get(0).transactions();
  }

  private static List<TransactionId> ids(List<PrivateTransaction> transactions) {
    return transactions.stream().map(PrivateTransaction::id).toList();
  }
}

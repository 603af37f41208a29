package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leave to dispatch for what becomes ready together (DSP-3, DSP-4). */
class LeaveInBatchesTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateTransaction THIRD = Contract.transaction(B, 3);
  private static final Duration SOON = CoordinatorOfA.SETTINGS.delivery().resend().cap();

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  /** The others spend what the first makes, and are endorsed before it. */
  private void readyTogether(PrivateTransaction... all) {
    Stream.of(all).forEach(each -> coordinator.delegateFrom(each.from().node(), each));
    coordinator.load();
    var made = IntStream.range(1, all.length).mapToObj(i -> state("made" + i)).toList();
    coordinator.assembled(
        all[0], CoordinatorOfA.assembly(List.of(), made.toArray(PrivateState[]::new)));
    var ofFirst = coordinator.sent(EndorsementRequest.class);
    for (int i = 1; i < all.length; i++) {
      coordinator.assembled(
          all[i], CoordinatorOfA.assembly(List.of(made.get(i - 1)), state("of it" + i)));
      coordinator.endorse();
    }
    assertThat(coordinator.askedForLeave()).isEmpty();
    ofFirst.forEach(coordinator::endorse);
  }

  private static PrivateState state(String name) {
    return Contract.state(name, A, B, C);
  }

  private RequestDispatchConfirmation readyTogetherOfB() {
    readyTogether(FIRST, SECOND, THIRD);
    var asked = coordinator.sent(RequestDispatchConfirmation.class);
    assertThat(asked).hasSize(1);
    return asked.get(0);
  }

  private List<RequestDispatchConfirmation.Item> items(
      RequestDispatchConfirmation asked, PrivateTransaction... of) {
    var ids = Stream.of(of).map(PrivateTransaction::id).toList();
    return asked.items().stream().filter(item -> ids.contains(item.transaction())).toList();
  }

  private List<TransactionId> handed() {
    return coordinator.handed().stream().map(each -> each.prepared().transaction()).toList();
  }

  private List<CoordinatorState.Purpose> openRequests() {
    return coordinator.state().purposes().values().stream()
        .filter(open -> open.subject() == CoordinatorState.Subject.CONFIRMATION)
        .toList();
  }

  /** What each of the requests that are sent again is about. */
  private List<Set<TransactionId>> resent() {
    return coordinator.tickFor(SOON).stream()
        .filter(RequestDispatchConfirmation.class::isInstance)
        .map(message -> Set.copyOf(((RequestDispatchConfirmation) message).transactions()))
        .distinct()
        .toList();
  }

  @Test
  void eachSenderIsAskedOnceForAllOfItsOwn() {
    var ofC = Contract.transaction(C, 4);

    readyTogether(FIRST, SECOND, ofC);

    assertThat(coordinator.sentTo(RequestDispatchConfirmation.class)).containsExactly(B, C);
    assertThat(coordinator.sent(RequestDispatchConfirmation.class))
        .extracting(asked -> Set.copyOf(asked.transactions()))
        .containsExactly(Set.of(FIRST.id(), SECOND.id()), Set.of(ofC.id()));
  }

  @Test
  void aRequestAsksForAsManyAsAnAttestationBatchMayHave() {
    int most = CoordinatorOfA.SETTINGS.limits().attestationBatch();
    var all =
        IntStream.rangeClosed(1, most + 2)
            .mapToObj(number -> Contract.transaction(B, number))
            .toArray(PrivateTransaction[]::new);

    readyTogether(all);

    assertThat(coordinator.sent(RequestDispatchConfirmation.class))
        .extracting(asked -> asked.items().size())
        .containsExactly(most, 2);
    assertThat(coordinator.askedForLeave())
        .containsExactlyInAnyOrderElementsOf(Stream.of(all).map(PrivateTransaction::id).toList());
  }

  @Test
  void asManyAsItMayHaveAreOneRequest() {
    readyTogether(
        IntStream.rangeClosed(1, CoordinatorOfA.SETTINGS.limits().attestationBatch())
            .mapToObj(number -> Contract.transaction(B, number))
            .toArray(PrivateTransaction[]::new));

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).hasSize(1);
  }

  @Test
  void whatIsGrantedTogetherIsHandedOverTogether() {
    coordinator.grant(B, readyTogetherOfB());

    assertThat(handed()).hasSize(3).startsWith(FIRST.id());
    assertThat(openRequests()).isEmpty();
  }

  @Test
  void eachIsGrantedOrDeniedForItself() {
    var asked = readyTogetherOfB();
    var granted = CoordinatorOfA.leave(asked.requestId(), items(asked, FIRST, THIRD));
    var denied = CoordinatorOfA.denial(asked.requestId(), items(asked, SECOND));

    coordinator.tell(
        B,
        new DispatchConfirmationResponse(
            asked.requestId(), ADDRESS, granted.granted(), denied.denied()));

    assertThat(handed()).containsExactly(FIRST.id(), THIRD.id());
    assertThat(coordinator.transaction(SECOND)).isNull();
    assertThat(openRequests()).isEmpty();
  }

  @Test
  void whatDependsOnADeniedOneIsNotDispatchedThoughItIsGranted() {
    var asked = readyTogetherOfB();
    var granted = CoordinatorOfA.leave(asked.requestId(), items(asked, SECOND, THIRD));
    var denied = CoordinatorOfA.denial(asked.requestId(), items(asked, FIRST));

    coordinator.tell(
        B,
        new DispatchConfirmationResponse(
            asked.requestId(), ADDRESS, granted.granted(), denied.denied()));

    assertThat(handed()).isEmpty();
    assertThat(coordinator.transaction(SECOND).state()).isNotEqualTo(CoordinatedState.CONFIRMATION);
    assertThat(coordinator.transaction(SECOND).granted()).isFalse();
  }

  @Test
  void whatIsBothDeniedAndGrantedIsDenied() {
    var asked = readyTogetherOfB();

    coordinator.tell(
        B,
        new DispatchConfirmationResponse(
            asked.requestId(),
            ADDRESS,
            CoordinatorOfA.leave(asked.requestId(), items(asked, FIRST)).granted(),
            CoordinatorOfA.denial(asked.requestId(), items(asked, FIRST)).denied()));

    assertThat(handed()).isEmpty();
    assertThat(coordinator.transaction(FIRST)).isNull();
  }

  @Test
  void whatAnAnswerLeavesOutIsAskedForAgainWithoutTheOthers() {
    var asked = readyTogetherOfB();

    coordinator.tell(B, CoordinatorOfA.leave(asked.requestId(), items(asked, FIRST)));
    assertThat(handed()).containsExactly(FIRST.id());
    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key())));

    assertThat(resent()).containsExactly(Set.of(SECOND.id(), THIRD.id()));
    coordinator.tell(B, CoordinatorOfA.leave(asked.requestId(), asked.items()));
    assertThat(handed()).containsExactlyInAnyOrder(SECOND.id(), THIRD.id());
  }

  @Test
  void whatIsDelegatedAnewIsAskedForAnewAndTheOthersAsBefore() {
    var asked = readyTogetherOfB();

    coordinator.delegate(SECOND);

    assertThat(coordinator.askedForLeave()).containsExactly(SECOND.id());
    assertThat(resent())
        .containsExactlyInAnyOrder(Set.of(FIRST.id(), THIRD.id()), Set.of(SECOND.id()));
    coordinator.grant(B, asked);
    assertThat(handed()).containsExactly(FIRST.id(), THIRD.id());
  }

  @Test
  void anAnswerIsBelievedOfTheSenderThatWasAsked() {
    var asked = readyTogetherOfB();

    coordinator.grant(C, asked);
    assertThat(coordinator.transaction(FIRST).granted()).isFalse();
    coordinator.tell(C, CoordinatorOfA.denial(asked.requestId(), asked.items()));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
  }

  @Test
  void whatIsNotAnsweredInTimeIsLostAndWhatWasGrantedIsNot() {
    var asked = readyTogetherOfB();
    coordinator.tell(B, CoordinatorOfA.leave(asked.requestId(), items(asked, FIRST, SECOND)));

    coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().confirmationTimeout());

    assertThat(coordinator.transaction(THIRD)).isNull();
    var left = new ArrayList<>(coordinator.state().transactions().keySet());
    assertThat(left).containsExactlyInAnyOrder(FIRST.key(), SECOND.key());
    assertThat(coordinator.state().purposes()).doesNotContainKey(asked.requestId());
  }
}

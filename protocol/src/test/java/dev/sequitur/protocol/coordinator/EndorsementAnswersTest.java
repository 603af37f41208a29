package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** B and C are asked to endorse a transaction of B. */
class EndorsementAnswersTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", B, C));
  private static final PostAssembly OF_IT =
      CoordinatorOfA.assembly(
          List.of(Contract.state("made", B, C)), Contract.state("made of it", B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsLastBlock();

  /** The newest request to each. */
  private final Map<NodeName, EndorsementRequest> asked = new HashMap<>();

  @Test
  void noPartyAnswersUnderTheKeyByWhichAnotherIsAsked() {
    assemble();
    var ofC = asked.get(C).idempotencyKey();

    coordinator.tell(B, underKey(ofC, endorsement(B)));
    coordinator.tell(B, refusal(B, ofC));

    assertThat(coordinator.transaction(FIRST).progress().proof()).isEmpty();
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.state().exchanges().get(ofC)).as("C is still asked").isPresent();
  }

  @Test
  void aRefusalIsBelievedOfTheEndorsersNodeOnly() {
    assemble();
    var refusal = refusal(C, asked.get(C).idempotencyKey());

    coordinator.tell(B, refusal);
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);

    coordinator.tell(C, refusal);
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.QUEUED);
  }

  /** Its sender is asked to endorse too, and could answer another question with that. */
  @Test
  void noAnswerToAnEndorsementRequestIsLeaveToDispatchOrItsDenial() {
    assemble();
    var key = asked.get(B).idempotencyKey();
    var delegation = coordinator.transaction(FIRST).delegation();

    var wanted =
        List.of(new RequestDispatchConfirmation.Item(FIRST.id(), delegation, Contract.hash("any")));

    coordinator.tell(B, CoordinatorOfA.leave(key, wanted));
    assertThat(coordinator.transaction(FIRST).granted()).isFalse();
    coordinator.tell(B, CoordinatorOfA.denial(key, wanted));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.state().exchanges().get(key)).isPresent();
  }

  @Test
  void itsSenderIsToldWhenEndorsersHaveRefusedItAsOftenAsIsTried() {
    assemble();
    int most = CoordinatorOfA.SETTINGS.retries().maxRefusals();
    for (int refusals = 1; refusals < most; refusals++) {
      coordinator.tell(C, refusal(C, asked.get(C).idempotencyKey()));
      assertThat(coordinator.sent(TransactionReverted.class)).isEmpty();
      while (coordinator.state().assembling().isEmpty()) {
        coordinator.tickFor(Duration.ofMillis(100));
      }
      coordinator.assembled(FIRST, ASSEMBLY);
      remember();
    }

    coordinator.tell(C, refusal(C, asked.get(C).idempotencyKey()));

    assertThat(coordinator.sent(TransactionReverted.class))
        .singleElement()
        .satisfies(told -> assertThat(told.transaction()).isEqualTo(FIRST.id()))
        .satisfies(told -> assertThat(told.retryable()).isTrue());
    assertThat(coordinator.transaction(FIRST)).isNull();
    assertThat(coordinator.state().graph().nodes()).isEmpty();
  }

  @Test
  void whatBuildsUponARefusedOneIsAssembledAnewToo() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    remember();
    var ofC = asked.get(C).idempotencyKey();
    coordinator.assembled(SECOND, OF_IT);

    coordinator.tell(C, refusal(C, ofC));

    assertThat(coordinator.transaction(SECOND).state()).isNotEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.state().graph().nodes()).isEmpty();
  }

  @Test
  void leaveIsAskedForOnceAllThatItBuildsUponIsEndorsed() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    remember();
    var answers = List.of(endorsement(B), endorsement(C));
    coordinator.assembled(SECOND, OF_IT);

    coordinator.endorse();
    assertThat(coordinator.transaction(SECOND).endorsed()).isTrue();
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();

    coordinator.tell(B, answers.get(0));
    coordinator.tell(C, answers.get(1));
    assertThat(coordinator.askedForLeave()).containsExactly(FIRST.id(), SECOND.id());
  }

  private void assemble() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    remember();
  }

  private void remember() {
    coordinator
        .sent(EndorsementRequest.class)
        .forEach(request -> asked.put(request.party().node(), request));
  }

  private EndorsementResponse endorsement(NodeName of) {
    return CoordinatorOfA.endorsement(asked.get(of));
  }

  private static EndorsementResponse underKey(RequestId key, EndorsementResponse like) {
    return new EndorsementResponse(
        key,
        like.contract(),
        like.party(),
        like.attestationRequestName(),
        like.endorsed(),
        like.endorsement(),
        like.refused());
  }

  private static EndorsementError refusal(NodeName by, RequestId key) {
    return new EndorsementError(
        key, ADDRESS, new EndorsementError.Refused("no"), Contract.party(by), "endorse");
  }
}

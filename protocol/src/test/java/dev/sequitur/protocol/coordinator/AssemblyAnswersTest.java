package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One assembly after another, each upon those before it. */
class AssemblyAnswersTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", B, C));
  private static final PostAssembly OF_IT =
      CoordinatorOfA.assembly(
          List.of(Contract.state("made", B, C)), Contract.state("made of it", B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsLastBlock();

  @Test
  void anAssemblyIsTakenOfItsSenderAndForTheRequestThatIsOutOnly() {
    coordinator.delegate(FIRST);
    coordinator.load();
    var out = coordinator.state().assembling().orElseThrow().request();
    var another = new RequestId("another");

    coordinator.tell(C, new AssembleResponse(FIRST.id(), out, ADDRESS, ASSEMBLY));
    coordinator.tell(B, new AssembleResponse(FIRST.id(), another, ADDRESS, ASSEMBLY));
    coordinator.tell(C, error(out));
    coordinator.tell(B, error(another));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(coordinator.state().assembling().orElseThrow().early()).isEmpty();

    coordinator.tell(B, new AssembleResponse(FIRST.id(), out, ADDRESS, ASSEMBLY));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
  }

  private static AssembleError error(RequestId request) {
    return new AssembleError(
        FIRST.id(), request, ADDRESS, AssembleError.Reason.FAILED, "It was told to.");
  }

  @Test
  void answersThatOvertakeEachOtherAreTakenInTheOrderOfTheRequest() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();

    coordinator.assembled(SECOND, OF_IT);
    assertThat(coordinator.transaction(SECOND).state()).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();

    coordinator.assembled(FIRST, ASSEMBLY);
    assertThat(coordinator.sent(EndorsementRequest.class))
        .hasSize(2)
        .allSatisfy(
            request -> assertThat(request.transactions()).containsExactly(FIRST.id(), SECOND.id()));
  }

  @Test
  void ofTwoThatSpendTheSameTheLaterIsAssembledAnewUponTheLocksOfTheFirst() {
    var coin = Contract.state("coin", B, C);
    var one = CoordinatorOfA.assembly(List.of(coin), Contract.state("one", B, C));
    var other = CoordinatorOfA.assembly(List.of(coin), Contract.state("other", B, C));
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, one);

    coordinator.assembled(SECOND, other);

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(again -> assertThat(again.stateLocks().spent()).contains(coin.id()))
        .satisfies(again -> assertThat(again.transactions()).containsExactly(SECOND.id()));
  }

  @Test
  void whatWasAssembledUponAnOfferThatIsGoneIsAssembledAnew() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    var ofC =
        coordinator.sent(EndorsementRequest.class).stream()
            .filter(request -> request.party().node().equals(C))
            .findFirst()
            .orElseThrow();
    coordinator.delegate(SECOND);
    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(request -> assertThat(request.stateLocks().created()).isNotEmpty());
    coordinator.tell(
        C,
        new EndorsementError(
            ofC.idempotencyKey(),
            ADDRESS,
            new EndorsementError.Refused("no"),
            ofC.party(),
            "endorse"));

    coordinator.assembled(SECOND, OF_IT);

    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    assertThat(coordinator.transaction(SECOND).state()).isNotEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.state().graph().nodes()).isEmpty();
  }

  /** An answer to the earlier request names a delegation that is no longer the active one. */
  @Test
  void whatIsDelegatedAgainWhileItIsAssembledIsAskedForAnew() {
    coordinator.delegate(FIRST);
    coordinator.load();
    var out = coordinator.state().assembling().orElseThrow().request();

    var newest = coordinator.delegate(FIRST);

    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(
            request ->
                assertThat(request.items())
                    .extracting(AssembleRequest.Item::delegationId)
                    .containsExactly(newest));
    coordinator.tell(B, new AssembleResponse(FIRST.id(), out, ADDRESS, ASSEMBLY));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ASSEMBLING);
  }

  @Test
  void nobodyDelegatesUnderTheIdOfAnotherNorForAnotherContract() {
    var ofC = new DelegationId(C, 1, 1);
    coordinator.tell(B, new DelegationCommand(ofC, A, ADDRESS, List.of(FIRST), coordinator.height));
    assertThat(coordinator.sent(DelegationRejected.class)).hasSize(1);

    var elsewhere = FIRST.withContract(new ContractAddress("0x" + "cd".repeat(20)));
    coordinator.delegate(elsewhere);
    assertThat(coordinator.sent(DelegationRejected.class)).hasSize(1);
    assertThat(coordinator.state().transactions()).isEmpty();
  }
}

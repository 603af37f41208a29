package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.NoSignatures;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a coordinator lets its senders do, and how it helps itself. */
class CoordinatorTrustTest {
  private static final PrivateTransaction OF_B = Contract.transaction(B, 1);
  private static final PrivateTransaction SAME_ID_OF_C = Contract.transaction(C, 1);

  private BlockHeight height = Contract.heightPreferring(A, BlockHeight.ZERO);
  private final Coordinator coordinator =
      new Coordinator(
          new CoordinatorSetup(
              A,
              Contract.GROUP,
              Contract.SELECTION,
              SequencerSettings.DEFAULT,
              new NoSignatures()));
  private CoordinatorState state = CoordinatorState.initial(1, height);
  private Instant now = Instant.EPOCH;
  private Decision<CoordinatorState, Void, CoordinatorEffect> last;

  @Test
  void aMemberCannotTakeOverTheTransactionOfAnother() {
    tell(B, delegation(B, 1, OF_B));

    tell(C, delegation(C, 9, SAME_ID_OF_C));

    assertThat(state.transactions().get(OF_B.key()).delegation().sender()).isEqualTo(B);
  }

  @Test
  void aMemberThatDelegatesFirstUnderTheIdOfAnotherKeepsNobodyOut() {
    tell(C, delegation(C, 9, SAME_ID_OF_C));

    tell(B, delegation(B, 1, OF_B));

    assertThat(sent(DelegationRejected.class)).isEmpty();
    assertThat(sent(DelegationAccepted.class))
        .singleElement()
        .satisfies(accepted -> assertThat(accepted.transactions()).containsExactly(OF_B.id()));
    assertThat(state.transactions()).containsOnlyKeys(OF_B.key(), SAME_ID_OF_C.key());
  }

  @Test
  void aMemberCannotDelegateTheIntentOfAnother() {
    tell(C, delegation(C, 9, OF_B));

    assertThat(sent(DelegationRejected.class)).hasSize(1);
    assertThat(state.transactions()).isEmpty();
  }

  @Test
  void whatAMemberFulfilsUnderTheIdOfAnotherSettlesNothingOfIt() {
    tell(B, delegation(B, 1, OF_B));

    tell(
        new CoordinatorInput.BlockIndexed(
            new BlockHeight(height.value() + 1),
            List.of(SAME_ID_OF_C.key()),
            true,
            List.of(),
            List.of()));

    assertThat(state.transactions()).containsKey(OF_B.key());
  }

  @Test
  void aDelegationToAnotherNodeIsRefused() {
    var toC = new DelegationCommand(new DelegationId(B, 1, 1), C, ADDRESS, List.of(OF_B), height);

    tell(B, toC);

    assertThat(sent(DelegationRejected.class)).hasSize(1);
    assertThat(state.transactions()).isEmpty();
  }

  @Test
  void aSubmitterThatDoesNotAnswerIsAskedAgain() {
    tell(B, delegation(B, 1, OF_B));
    assertThat(last.effects()).contains(new CoordinatorEffect.LoadUnconfirmedDispatches());

    now = now.plus(SequencerSettings.DEFAULT.heartbeats().coordinatorInterval());
    tell(new CoordinatorInput.Tick());

    assertThat(last.effects()).contains(new CoordinatorEffect.LoadUnconfirmedDispatches());
  }

  @Test
  void onTheWordOfAnEndorserItAsksTheBetterMemberAndGoesOn() {
    var better = betterThanA();
    var refused = endorsementIsAskedOf(C);

    tell(C, notPreferred(refused, better));

    assertThat(state.mode()).isEqualTo(ContractMode.ACTIVE);
    assertThat(last.messages())
        .filteredOn(outgoing -> outgoing.message() instanceof StartupNotification)
        .extracting(Outgoing::to)
        .containsExactly(better);
  }

  @Test
  void onTheAnswerOfTheBetterMemberItLeaves() {
    var better = betterThanA();
    tell(C, notPreferred(endorsementIsAskedOf(C), better));
    var question = sent(StartupNotification.class).get(0).startupId();

    tell(C, new StartupNotificationAcknowledgement(question, ADDRESS));
    assertThat(state.mode()).as("somebody else's answer").isEqualTo(ContractMode.ACTIVE);

    tell(better, new StartupNotificationAcknowledgement(question, ADDRESS));
    assertThat(state.mode()).isNotEqualTo(ContractMode.ACTIVE);
  }

  @Test
  void aMemberThatIsDeadIsNotAskedForEver() {
    var better = betterThanA();
    tell(C, notPreferred(endorsementIsAskedOf(C), better));

    now = now.plus(SequencerSettings.DEFAULT.heartbeats().coordinatorFailureThreshold());
    tell(new CoordinatorInput.Tick());

    assertThat(state.purposes().values())
        .extracting(CoordinatorState.Purpose::subject)
        .doesNotContain(CoordinatorState.Subject.LIVENESS);
  }

  @Test
  void aDeadMemberDoesNotKeepAnIdleCoordinatorBusy() {
    tell(new CoordinatorInput.ActivitySeen());
    assertThat(sent(StartupNotification.class)).isNotEmpty();
    assertThat(state.isIdle()).isFalse();

    int sends = 0;
    for (int i = 0; i < 1_000; i++) {
      now = now.plusSeconds(10);
      tell(new CoordinatorInput.Tick());
      sends += sent(StartupNotification.class).size();
    }

    assertThat(state.isIdle()).isTrue();
    int others = Contract.GROUP.committee().nodes().size() - 1;
    int most = SequencerSettings.DEFAULT.delivery().notificationSends();
    assertThat(sends).as("after the first").isEqualTo(others * (most - 1));
  }

  private NodeName betterThanA() {
    // In this range A is preferred, so A coordinates in one where it is not.
    height = Contract.heightPreferring(B, height);
    state = CoordinatorState.initial(1, height);
    return B;
  }

  private EndorsementRequest endorsementIsAskedOf(NodeName endorser) {
    var ofC = Contract.transaction(C, 2);
    tell(C, delegation(C, 1, ofC));
    tell(new CoordinatorInput.UnconfirmedDispatches(List.of()));
    var asked = sent(AssembleRequest.class).get(0).assembleRequestId();
    var plan = new AttestationRequest("endorse", List.of(Contract.party(endorser)), 1);
    var assembly =
        new PostAssembly(
            List.of(),
            List.of(),
            List.of(Contract.state("made", A, B, C)),
            List.of(),
            Bytes.EMPTY,
            List.of(plan),
            Proof.NONE);
    tell(C, new AssembleResponse(ofC.id(), asked, ADDRESS, assembly));
    return sent(EndorsementRequest.class).get(0);
  }

  private static EndorsementError notPreferred(EndorsementRequest request, NodeName better) {
    return new EndorsementError(
        request.idempotencyKey(),
        ADDRESS,
        new EndorsementError.NotPreferredCoordinator(better),
        request.party(),
        "endorse");
  }

  @Test
  void contentsGoToNobodyOutsideTheirDistributionList() {
    tell(B, delegation(B, 1, OF_B));
    tell(new CoordinatorInput.UnconfirmedDispatches(List.of()));
    var request = sent(AssembleRequest.class).get(0);
    var secret = Contract.state("secret", A, B);
    var shared = Contract.state("shared", A, B, C);
    tell(
        B,
        new AssembleResponse(
            OF_B.id(), request.assembleRequestId(), ADDRESS, makes(secret, shared)));

    tell(C, delegation(C, 1, Contract.transaction(C, 2)));

    assertThat(sent(AssembleRequest.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.stateLocks().created()).containsOnlyKeys(shared.id()));
  }

  private static PostAssembly makes(PrivateState... outputs) {
    return new PostAssembly(
        List.of(), List.of(), List.of(outputs), List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }

  private DelegationCommand delegation(
      NodeName sender, long counter, PrivateTransaction transaction) {
    return new DelegationCommand(
        new DelegationId(sender, 1, counter), A, ADDRESS, List.of(transaction), height);
  }

  private void tell(NodeName from, Message.ForCoordinator message) {
    tell(new CoordinatorInput.FromNode(List.of(Contract.from(from, message))));
  }

  private void tell(CoordinatorInput input) {
    last = coordinator.decide(state, input, now);
    state = last.state();
  }

  private <M> List<M> sent(Class<M> kind) {
    return last.messages().stream()
        .map(outgoing -> outgoing.message())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }
}

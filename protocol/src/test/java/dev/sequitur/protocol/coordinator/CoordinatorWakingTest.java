package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.NoSignatures;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A coordinator of node a that wakes while its submitter still holds a dispatch (RCV-2), and the
 * block that fulfils it comes between the question and the answer.
 */
class CoordinatorWakingTest {
  private static final PrivateTransaction DISPATCHED = Contract.transaction(B, 1);
  private static final PrivateTransaction NEW = Contract.transaction(B, 2);

  private final BlockHeight height = Contract.heightPreferring(A, BlockHeight.ZERO);
  private final BlockHeight next = new BlockHeight(height.value() + 1);
  private final BlockHeight afterNext = new BlockHeight(height.value() + 2);
  private final Coordinator coordinator =
      new Coordinator(
          new CoordinatorSetup(
              A,
              Contract.GROUP,
              Contract.SELECTION,
              SequencerSettings.DEFAULT,
              new NoSignatures()));
  private CoordinatorState state = CoordinatorState.initial(1, height);
  private long delegations;

  @Test
  void whatTheSubmitterStillHoldsIsLocked() {
    delegate(NEW);

    load();

    assertThat(state.graph().node(DISPATCHED.key())).isPresent();
    assertThat(state.graph().node(DISPATCHED.key()).get().settledAt()).isEmpty();
  }

  @Test
  void aBlockThatCameBeforeTheAnswerUnlocksItOnceTheSubmitterHasSeenItToo() {
    delegate(NEW);
    fulfilled();
    load();

    submitterHasSeen();

    assertThat(state.graph().node(DISPATCHED.key()).get().settledAt()).contains(next);
  }

  @Test
  void soItDoesIfItsSenderHasDelegatedItAgainMeanwhile() {
    delegate(NEW);
    fulfilled();
    load();
    delegate(DISPATCHED);

    submitterHasSeen();

    assertThat(state.graph().node(DISPATCHED.key()).get().settledAt()).contains(next);
    assertThat(state.transactions()).doesNotContainKey(DISPATCHED.key());
  }

  /** Its sender delegates it before this coordinator knows what its node has dispatched. */
  @Test
  void whatTheSubmitterHoldsIsNotCoordinatedAgainAndItsSenderIsToldSo() {
    delegate(DISPATCHED);

    var loaded = load();

    assertThat(state.transactions()).isEmpty();
    assertThat(loaded.messages())
        .extracting(sent -> (Object) sent.message())
        .contains(
            new Dispatched(
                ADDRESS,
                List.of(new Dispatched.Item(DISPATCHED.id(), new DelegationId(B, 1, delegations))),
                A));
  }

  /** It is confirmed already, by another dispatch of it, and the submitter told its end in vain. */
  @Test
  void whatTheSubmitterHoldsNoMoreIsUnlockedThoughNobodyDelegatesItAgain() {
    delegate(NEW);
    fulfilled();
    load();

    var asked =
        tell(new CoordinatorInput.BlockIndexed(afterNext, List.of(), false, List.of(), List.of()));
    assertThat(asked.effects()).contains(new CoordinatorEffect.LoadUnconfirmedDispatches());
    load();
    assertThat(state.graph().node(DISPATCHED.key())).isPresent();
    tell(new CoordinatorInput.BlockIndexed(afterNext, List.of(), false, List.of(), List.of()));
    tell(new CoordinatorInput.UnconfirmedDispatches(List.of()));

    assertThat(state.graph().node(DISPATCHED.key())).isEmpty();
  }

  /** Whoever is chosen again asks again. */
  @Test
  void anAnswerThatComesAfterItsRangeHasEndedLocksNothing() {
    delegate(NEW);
    endRange();
    assertThat(state.mode()).isEqualTo(ContractMode.INACTIVE);

    load();

    assertThat(state.graph().nodes()).isEmpty();
  }

  @Test
  void whoeverIsChosenAgainAsksAgainBeforeItAssembles() {
    delegate(NEW);
    endRange();

    var chosenAgain = delegate(NEW, state.height());

    assertThat(state.mode()).isEqualTo(ContractMode.LOADING);
    assertThat(chosenAgain.effects()).contains(new CoordinatorEffect.LoadUnconfirmedDispatches());
  }

  private void endRange() {
    var another = Contract.heightPreferring(B, next);
    tell(new CoordinatorInput.BlockIndexed(another, List.of(), false, List.of(), List.of()));
  }

  private void delegate(PrivateTransaction transaction) {
    delegate(transaction, height);
  }

  private Decision<CoordinatorState, Void, CoordinatorEffect> delegate(
      PrivateTransaction transaction, BlockHeight at) {
    return tell(
        new CoordinatorInput.FromNode(
            List.of(
                Contract.from(
                    B,
                    new DelegationCommand(
                        new DelegationId(B, 1, ++delegations),
                        A,
                        ADDRESS,
                        List.of(transaction),
                        at)))));
  }

  private void fulfilled() {
    tell(
        new CoordinatorInput.BlockIndexed(
            next, List.of(DISPATCHED.key()), true, List.of(), List.of()));
  }

  private Decision<CoordinatorState, Void, CoordinatorEffect> load() {
    var output = Contract.state("output", A, B);
    var prepared =
        new PreparedTransaction(
            DISPATCHED.key(), ADDRESS, List.of(), List.of(), List.of(output.id()), Proof.NONE);
    return tell(
        new CoordinatorInput.UnconfirmedDispatches(
            List.of(
                new Dispatch(
                    new RequestId("dispatch"),
                    ADDRESS,
                    B,
                    new DelegationId(B, 1, 0),
                    Contract.SELECTION.range(height),
                    prepared,
                    List.of(output)))));
  }

  private void submitterHasSeen() {
    tell(new CoordinatorInput.DispatchesSettled(List.of(DISPATCHED.key()), next));
  }

  private Decision<CoordinatorState, Void, CoordinatorEffect> tell(CoordinatorInput input) {
    var decision = coordinator.decide(state, input, Instant.EPOCH);
    state = decision.state();
    return decision;
  }
}

package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contents that no block ever made a state of go after an age in blocks (ROM-8). */
class UnmadeTest {
  private static final long KEPT = 30_000;
  private static final PrivateState THROWN = Contract.state("thrown away", A, B);
  private static final StateId ID = THROWN.id();

  private final Map<StateId, PrivateState> kept = new HashMap<>();
  private final List<StateStoreEvent> journal = new ArrayList<>();

  /** What something needs that is under way on this node. */
  private final Set<StateId> needed = new HashSet<>();

  private StateStore rules = rules(Optional.of(KEPT));
  private StateStoreState state = StateStoreState.initial();
  private boolean drops = true;
  private int looks;

  private static StateStore rules(Optional<Long> blocks) {
    return new StateStore(
        A,
        ADDRESS,
        content -> true,
        new StateStore.Members(List.of(B), true),
        SequencerSettings.DEFAULT.withUnmadeBlocks(blocks));
  }

  private void tell(Input input) {
    var decision = rules.decide(state, input, Instant.EPOCH);
    state = decision.state();
    journal.addAll(decision.events());
    for (var effect : decision.effects()) {
      switch (effect) {
        case StateStore.Keep(var contents) -> contents.forEach(each -> kept.put(each.id(), each));
        case StateStore.Judge(var made) -> {
          looks++;
          var unneeded = new HashSet<>(made.keySet());
          unneeded.removeAll(needed);
          tell(new Input.Judged(unneeded));
        }
        case StateStore.Drop(var states) -> {
          if (drops) {
            kept.keySet().removeAll(states);
          }
          tell(new Input.Dropped(drops ? states : Set.of()));
        }
        case StateStore.Recall(var states) ->
            tell(
                new Input.Recalled(
                    states.stream().filter(kept::containsKey).map(kept::get).toList()));
        case StateStore.Wipe ignored -> {}
        case StateStore.LookUp ignored -> {}
        case StateStore.Load ignored -> {}
        case StateStore.Counted ignored -> {}
      }
    }
  }

  private void give(PrivateState content) {
    var item = new StateDistribution.Item(new TransactionId(new UUID(0, 1)), content);
    tell(
        new Input.Given(
            new Received<>(
                B,
                new MessageId(new UUID(0, 7)),
                new StateDistribution(new RequestId("given"), ADDRESS, List.of(item)))));
  }

  /** One of the contract's, and not of what was given. */
  private void block(long height) {
    block(height, List.of(), Contract.state("of block " + height, B).id());
  }

  private void block(long height, List<StateId> spent, StateId... created) {
    tell(new Input.BlockIndexed(new BlockHeight(height), spent, List.of(created)));
  }

  private void restart() {
    state = rules.machine().recover(journal);
    tell(new Input.Started());
    tell(new Input.ContentsFound(List.copyOf(kept.values())));
  }

  @Test
  void whatNoBlockMakesIsKeptForSoManyBlocksAndThenDeleted() {
    give(THROWN);
    block(12_000);
    assertThat(state.unconfirmed()).isEmpty();
    assertThat(state.contents()).doesNotContainKey(ID);
    assertThat(state.unmade().states()).containsKey(ID);

    block(KEPT);
    assertThat(kept).as("to the block").containsKey(ID);
    block(KEPT + 1_000);
    assertThat(kept).doesNotContainKey(ID);
    assertThat(state.unmade()).isEqualTo(Unmade.NONE);
  }

  @Test
  void whatABlockHasMadeStaysSpentOrNot() {
    var spent = Contract.state("spent", A, B);
    give(THROWN);
    give(spent);
    block(2, List.of(), ID, spent.id());
    block(3, List.of(spent.id()));

    block(100_000);

    assertThat(kept).containsOnlyKeys(ID, spent.id());
  }

  @Test
  void withoutAPolicyAllStays() {
    rules = rules(Optional.empty());
    give(THROWN);
    block(12_000);
    block(1_000_000);

    assertThat(kept).containsKey(ID);
    assertThat(looks).isZero();
  }

  /** So a block that makes it late needs no other node, and the policy may come later. */
  @Test
  void withoutAPolicyWhatNoBlockMakesIsRememberedAllTheSame() {
    var late = Contract.state("late", A, B);
    rules = rules(Optional.empty());
    give(THROWN);
    give(late);
    block(12_000);
    restart();
    assertThat(state.unmade().states()).containsOnlyKeys(ID, late.id());

    block(12_001, List.of(), late.id());
    assertThat(state.contents()).containsEntry(late.id(), late);

    rules = rules(Optional.of(KEPT));
    block(KEPT + 2_000);
    assertThat(kept).containsOnlyKeys(late.id());
  }

  /** Its transaction has no receipt, or is on its way to the ledger. */
  @Test
  void whatSomethingUnderWayNeedsStaysUntilNothingDoes() {
    needed.add(ID);
    give(THROWN);
    block(12_000);
    block(40_000);
    block(50_000);
    assertThat(kept).containsKey(ID);

    needed.clear();
    block(51_000);
    assertThat(kept).doesNotContainKey(ID);
  }

  /** It is given from here, and nobody else may have it. */
  @Test
  void whatIsOwedToAMemberStaysUntilItHasIt() {
    var dispatch = DistributingTest.dispatch(THROWN);
    tell(new Input.Distribute(List.of(dispatch)));
    block(12_000);
    block(50_000);
    var owed = state.outbox().values().iterator().next();
    assertThat(kept).containsKey(ID);

    tell(
        new Input.Acknowledged(
            new Received<>(
                B,
                new MessageId(new UUID(0, 8)),
                new StateDistributionAcknowledgement(owed.distribution(), ADDRESS))));
    block(51_000);
    assertThat(kept).doesNotContainKey(ID);
  }

  /** Before others are asked, who may have forgotten it, too. */
  @Test
  void whatABlockMakesLateIsFoundWhereItIsKept() {
    give(THROWN);
    block(12_000);

    block(12_001, List.of(), ID);

    assertThat(state.confirmed()).containsKey(ID);
    assertThat(state.contents()).containsEntry(ID, THROWN);
    assertThat(rules.lacking(state).map(Lacking::states))
        .as("those of the other blocks")
        .contains(1);
    block(100_000);
    assertThat(kept).containsKey(ID);
  }

  @Test
  void whatComesAgainIsHeldAnewAndItsBlocksAreCountedAnew() {
    give(THROWN);
    block(12_000);
    give(THROWN);
    assertThat(state.unconfirmed()).containsKey(ID);

    block(KEPT + 2_000);
    assertThat(kept).containsKey(ID);
    block(KEPT + 13_000);
    assertThat(kept).doesNotContainKey(ID);
  }

  /** It is told that the first is gone, and has the second. */
  @Test
  void whatComesAgainWhileItIsDeletedIsKept() {
    give(THROWN);
    block(12_000);
    give(THROWN);

    tell(new Input.Dropped(Set.of(ID)));

    assertThat(state.unconfirmed()).containsKey(ID);
    assertThat(journal).noneMatch(StateStoreEvent.ContentsDropped.class::isInstance);
  }

  @Test
  void whatCouldNotBeDeletedIsTriedAgainByTheNextLifeToo() {
    drops = false;
    give(THROWN);
    block(12_000);
    block(KEPT + 1_000);
    assertThat(state.unmade().states()).containsKey(ID);
    assertThat(state.unmade().looking()).isFalse();

    restart();
    assertThat(state.unmade().states()).containsKey(ID);
    drops = true;
    block(KEPT + 2_000);
    assertThat(kept).doesNotContainKey(ID);
    assertThat(rules.machine().recover(journal).unmade()).isEqualTo(Unmade.NONE);
  }

  @Test
  void manyGoSoManyAtATimeAndTheOldestFirst() {
    var held =
        new StateStoreState.Unconfirmed(new TransactionId(new UUID(0, 1)), B, BlockHeight.ZERO);
    var many =
        IntStream.range(0, 2 * Unmade.AT_ONCE + 1)
            .mapToObj(i -> Contract.state("many " + i, A))
            .toList();
    for (var each : many) {
      kept.put(each.id(), each);
      state = state.keepUnmade(each.id(), held);
    }

    block(KEPT + 1_000);

    assertThat(kept).isEmpty();
    assertThat(looks).isEqualTo(3);
  }

  /** It stays where it is kept, as all does without a policy. */
  @Test
  void ofMoreThanAreRememberedTheOldestAreNotKnownAnyMore() {
    var unmade = Unmade.NONE;
    for (int i = 0; i <= Unmade.MOST; i++) {
      unmade = unmade.plus(Contract.state("many " + i, A).id(), at(i));
    }

    assertThat(unmade.states()).hasSize(Unmade.MOST);
    assertThat(unmade.contains(Contract.state("many 0", A).id())).isFalse();
    assertThat(unmade.byAge().first().since()).isEqualTo(new BlockHeight(1));
  }

  private static StateStoreState.Unconfirmed at(long height) {
    return new StateStoreState.Unconfirmed(
        new TransactionId(new UUID(0, 1)), B, new BlockHeight(height));
  }
}

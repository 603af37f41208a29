package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** States reach those on their lists, and what is kept of them is bounded. */
class DistributingTest {
  private static final PrivateState OWN = Contract.state("own", A);
  private static final PrivateState SHARED = Contract.state("shared", A, B, C);
  private static final PrivateState OF_B = Contract.state("of b", B);

  private final StateStore store =
      new StateStore(
          A,
          ADDRESS,
          state -> true,
          () -> new StateStore.Members(List.of(), false, committees()),
          SequencerSettings.DEFAULT);
  private final List<Set<NodeName>> committees = new ArrayList<>(List.of(Set.of(A, B, C)));
  private final List<StateStoreEvent> journal = new ArrayList<>();
  private StateStoreState state = StateStoreState.initial();
  private Instant now = Instant.EPOCH;
  private final Map<StateId, PrivateState> kept = new HashMap<>();
  private Decision<StateStoreState, StateStoreEvent, StateStore.Effect> last;

  @Test
  void eachNodeOnAListIsSentWhatIsForItAndTheOwnIsKept() {
    tell(new Input.Distribute(List.of(dispatch(OWN, SHARED, OF_B))));

    assertThat(last.messages()).extracting(Outgoing::to).containsExactlyInAnyOrder(B, C);
    assertThat(sentTo(B)).containsExactly(SHARED, OF_B);
    assertThat(sentTo(C)).containsExactly(SHARED);
    assertThat(state.unconfirmed()).containsOnlyKeys(OWN.id(), SHARED.id());
    assertThat(state.isIdle()).isFalse();
  }

  /** Each costs its receiver a write, and its distributor another. */
  @Test
  void whatANodeIsOwedWhileAnotherIsOnItsWayToItGoesTogetherInTheNext() {
    var one = Contract.state("one", A, B);
    var two = Contract.state("two", A, B);
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    var first = ((StateDistribution) last.messages().get(0).message()).distributionId();

    tell(new Input.Distribute(List.of(dispatch(one))));
    assertThat(last.messages()).isEmpty();
    tell(new Input.Distribute(List.of(dispatch(two))));
    assertThat(last.messages()).isEmpty();
    var toB = last(B, first);
    tell(new Input.Acknowledged(Contract.from(B, toB)));

    assertThat(last.messages()).hasSize(1);
    assertThat(sentTo(B)).containsExactly(one, two);
    var before = state;
    restart();
    assertThat(state.outbox()).isEqualTo(before.outbox());
    assertThat(sentTo(B)).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void whatGoesTogetherIsBoundedAndTheRestGoesWithTheNext() {
    tell(new Input.Distribute(List.of(dispatch(OF_B))));
    var first = ((StateDistribution) last.messages().get(0).message()).distributionId();
    tell(new Input.Distribute(List.of(dispatch(states("one", 400)))));
    tell(new Input.Distribute(List.of(dispatch(states("two", 600)))));
    tell(new Input.Distribute(List.of(dispatch(states("three", 1)))));

    acknowledge(B, first);
    assertThat(sentTo(B)).as("just as many as may be").hasSize(1_000);
    var second = ((StateDistribution) last.messages().get(0).message()).distributionId();
    acknowledge(B, second);

    assertThat(sentTo(B)).containsExactly(states("three", 1));
  }

  private static PrivateState[] states(String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Contract.state(name + " " + i, B))
        .toArray(PrivateState[]::new);
  }

  private void acknowledge(NodeName by, RequestId distribution) {
    var message = new StateDistributionAcknowledgement(distribution, ADDRESS);
    tell(Input.of(Contract.from(by, message)));
  }

  /** What is not this node's to keep stands in the journal, and what is in its store. */
  @Test
  void wantedOnRecoveryIsWhatItHasAndWhatItOwesOfItsOwn() {
    tell(new Input.Distribute(List.of(dispatch(OWN, SHARED, OF_B))));
    var spent = List.of(SHARED.id());
    tell(new Input.BlockIndexed(new BlockHeight(1), spent, spent));

    assertThat(state.wanted()).containsExactlyInAnyOrder(OWN.id(), SHARED.id());
  }

  @Test
  void aLifeBeginsWithNothingOnItsWay() {
    tell(new Input.Distribute(List.of(dispatch(OF_B))));
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    assertThat(state.waiting()).isNotEmpty();

    tell(new Input.Started());

    assertThat(state.exchanges().open()).isEmpty();
    assertThat(state.waiting()).isEmpty();
  }

  /** The submitter gives only what this node does not have. */
  @Test
  void whatWasGatheredWithAStateThatIsLostIsOwedStill() {
    var one = Contract.state("one", A, B);
    var two = Contract.state("two", A, B);
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    var first = ((StateDistribution) last.messages().get(0).message()).distributionId();
    tell(new Input.Distribute(List.of(dispatch(one))));
    tell(new Input.Distribute(List.of(dispatch(two))));
    tell(new Input.Acknowledged(Contract.from(B, last(B, first))));
    assertThat(sentTo(B)).containsExactly(one, two);
    kept.remove(two.id());

    restart();
    assertThat(sentTo(B)).containsExactly(one);
    tell(new Input.Distribute(List.of(dispatch(one, two))));
    later(Duration.ofSeconds(1));
    assertThat(sentTo(B)).containsExactly(one, two);
  }

  private static StateDistributionAcknowledgement last(NodeName node, RequestId any) {
    var id = any.value().substring(0, any.value().indexOf("-to-")) + "-to-" + node;
    return new StateDistributionAcknowledgement(new RequestId(id), ADDRESS);
  }

  /** CMT-7: what it had before is its own, and who has left need not answer ever. */
  @Test
  void whatWhoLeftIsOwedEndsWithTheNextChange() {
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    tell(new Input.Distribute(List.of(dispatch(OF_B))));

    committees.add(Set.of(A, C));
    later(Duration.ofMinutes(1));
    assertThat(sentTo(B)).as("of the committee before").isNotEmpty();

    committees.add(Set.of(A, C));
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).extracting(Outgoing::to).containsOnly(C);
    assertThat(state.outbox().values()).extracting(StateStoreState.Owed::to).containsOnly(C);
    assertThat(state.waiting()).isEmpty();
    restart();
    assertThat(state.outbox().values()).extracting(StateStoreState.Owed::to).containsOnly(C);
  }

  /** CMT-8: nobody hears it, and others have what they can have of each other. */
  @Test
  void whatWhoLeftOwesEndsWithTheNextChangeToo() {
    tell(new Input.Distribute(List.of(dispatch(SHARED))));

    committees.add(Set.of(B, C));
    later(Duration.ofMinutes(1));
    assertThat(sentTo(B)).as("of the committee before").isNotEmpty();

    committees.add(Set.of(B, C));
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();
    assertThat(state.outbox()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();
  }

  /** CMT-8: the changes may have come while this node was down, or just before it stopped. */
  @Test
  void whatWakesAfterAChangeOfMembersSendsNothingToWhoHasLeft() {
    tell(new Input.Distribute(List.of(dispatch(SHARED))));

    committees.add(Set.of(A, C));
    committees.add(Set.of(A, C));
    restart();

    assertThat(last.messages()).extracting(Outgoing::to).containsOnly(C);
    assertThat(state.outbox().values()).extracting(StateStoreState.Owed::to).containsOnly(C);
  }

  @Test
  void whoHasComeBackIsOwedWhatIsOpenStill() {
    tell(new Input.Distribute(List.of(dispatch(SHARED))));

    committees.add(Set.of(A, C));
    committees.add(Set.of(A, B, C));
    later(Duration.ofMinutes(1));

    assertThat(sentTo(B)).isNotEmpty();
  }

  private List<Set<NodeName>> committees() {
    return committees;
  }

  @Test
  void whatHadToBeSentAgainIsNotWaitedFor() {
    tell(new Input.Distribute(List.of(dispatch(OF_B))));
    var next = Contract.state("next", B);
    tell(new Input.Distribute(List.of(dispatch(next))));
    assertThat(last.messages()).isEmpty();

    later(Duration.ofSeconds(1));

    assertThat(sentTo(B)).containsExactly(OF_B, next);
  }

  @Test
  void soIsWhatWasPreparedForACaller() {
    tell(new Input.DistributePrepared(prepared(OWN, SHARED)));

    assertThat(last.messages()).extracting(Outgoing::to).containsExactlyInAnyOrder(B, C);
    assertThat(sentTo(B)).containsExactly(SHARED);
    assertThat(state.unconfirmed()).containsOnlyKeys(OWN.id(), SHARED.id());
    assertThat(state.unconfirmed().get(OWN.id()).producedBy())
        .isEqualTo(Contract.transaction(A, 1).id());
  }

  @Test
  void aStateIsSentAgainUntilItIsAcknowledgedAcrossRestarts() {
    tell(new Input.Distribute(List.of(dispatch(Contract.state("for b", B)))));
    var sent = last.messages().get(0).message();

    tell(new Input.Tick());
    assertThat(last.messages()).as("too early").isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(last.messages()).extracting(Outgoing::message).isEqualTo(List.of(sent));
    later(Duration.ofMillis(500));
    assertThat(last.messages()).as("it waits longer each time").isEmpty();

    restart();
    assertThat(last.messages()).extracting(Outgoing::message).isEqualTo(List.of(sent));
    later(Duration.ofSeconds(1));
    assertThat(last.messages()).hasSize(1);

    tell(
        new Input.Acknowledged(
            Contract.from(
                B,
                new StateDistributionAcknowledgement(
                    ((StateDistribution) sent).distributionId(), ADDRESS))));
    restart();
    later(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();
  }

  @Test
  void whatTooMuchIsGivenOfIsCounted() {
    int most = SequencerSettings.DEFAULT.limits().unconfirmedPerNode();
    state = state.withUnconfirmedOf(state.unconfirmedOf().plus(B, most));

    give(B, OWN);

    assertThat(last.effects()).containsExactly(StateStore.Counted.DISTRIBUTION_REFUSED);
    assertThat(last.messages()).isEmpty();
  }

  @Test
  void whatIsKeptIsWhatIsForThisNodeAndNewToIt() {
    give(B, OWN);
    assertThat(last.effects()).containsExactly(new StateStore.Keep(List.of(OWN)));
    var fresh = new StateStore.Keep(List.of(Contract.state("fresh", A, C)));
    var before = state;

    for (var input :
        List.of(
            new Input.Distribute(List.of(dispatch(OWN, fresh.contents().get(0), OF_B))),
            new Input.DistributePrepared(prepared(OWN, fresh.contents().get(0), OF_B)),
            given(B, OWN, fresh.contents().get(0), OF_B))) {
      state = before;
      tell(input);
      assertThat(last.effects()).containsExactly(fresh);
    }
    tell(new Input.Tick());
    assertThat(last.effects()).isEmpty();
  }

  /** They are long, and are on the disk once. */
  @Test
  void aContentIsInTheJournalOnlyIfThisNodeMayNotKeepIt() {
    tell(new Input.Distribute(List.of(dispatch(OWN, SHARED, OF_B))));

    assertThat(last.events())
        .filteredOn(StateStoreEvent.DistributionBegun.class::isInstance)
        .flatExtracting(event -> ((StateStoreEvent.DistributionBegun) event).items())
        .allSatisfy(
            item ->
                assertThat(item.foreign())
                    .isEqualTo(
                        item.state().equals(OF_B.id()) ? Optional.of(OF_B) : Optional.empty()));
  }

  @Test
  void afterARestartItHasWhatItHadInTheSameOrder() {
    var one = found("one");
    var two = found("two");
    give(B, one, two, OWN);
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(two.id(), one.id())));
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    var before = state;

    restart();

    assertThat(state.contents()).isEqualTo(before.contents()).hasSize(4);
    assertThat(state.unconfirmed()).isEqualTo(before.unconfirmed());
    assertThat(state.outbox()).isEqualTo(before.outbox());
    assertThat(available()).containsExactly(two.id(), one.id());
  }

  /** The process ended between the two writes, so nobody was told that it is stored. */
  @Test
  void whatWasNotKeptIsAsIfItHadNotComeAndMayComeAgain() {
    give(B, OWN);
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(OWN.id())));
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    kept.clear();

    restart();

    assertThat(last.messages()).isEmpty();
    assertThat(state.confirmed()).isEmpty();
    assertThat(state.unconfirmed()).isEmpty();
    assertThat(state.unconfirmedOf()).isEmpty();
    assertThat(state.contentMissing()).containsOnlyKeys(OWN.id());
    assertThat(state.isIdle()).isTrue();

    give(B, OWN);
    assertThat(state.confirmed()).containsOnlyKeys(OWN.id());
    tell(new Input.Distribute(List.of(dispatch(SHARED))));
    assertThat(sentTo(B)).containsExactly(SHARED);
    var before = state;
    restart();
    assertThat(state).isEqualTo(before);
  }

  @Test
  void aContentThatIsNotConfirmedForTenThousandBlocksIsForgotten() {
    block(500);
    give(B, OWN);
    block(10_499);
    assertThat(state.unconfirmed()).containsKey(OWN.id());

    block(11_500);

    assertThat(state.unconfirmed()).isEmpty();
    assertThat(state.unconfirmedOf()).isEmpty();
  }

  @Test
  void aContentOfTenThousandBlocksAgoIsKept() {
    block(1_000);
    give(B, OWN);

    block(11_000);
    assertThat(state.unconfirmed()).containsKey(OWN.id());

    block(11_001);
    assertThat(state.unconfirmed()).as("looked at every thousand blocks only").isNotEmpty();
    block(12_000);
    assertThat(state.unconfirmed()).isEmpty();
  }

  @Test
  void aConfirmedContentIsKeptHoweverOld() {
    give(B, OWN);
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(OWN.id())));

    block(50_000);

    assertThat(state.confirmed()).containsOnlyKeys(OWN.id());
  }

  @Test
  void aBlockWithoutStatesOfTheContractIsNotWrittenDown() {
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of()));

    assertThat(last.events()).isEmpty();
  }

  @Test
  void aBlockThatIsSeenAlreadyIsNotWrittenDownAgain() {
    block(3);

    block(3);
    assertThat(last.events()).isEmpty();
    block(2);
    assertThat(last.events()).isEmpty();
    block(4);
    assertThat(last.events()).hasSize(1);
  }

  @Test
  void whatIsSpentIsAvailableNoLongerAndTheOthersAre() {
    var one = found("one");
    var two = found("two");
    give(B, one, two);
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(one.id(), two.id())));

    tell(new Input.BlockIndexed(new BlockHeight(2), List.of(one.id()), List.of()));
    assertThat(available()).containsExactly(two.id());

    tell(new Input.BlockIndexed(new BlockHeight(3), List.of(two.id()), List.of()));
    assertThat(state.available()).isEmpty();
    assertThat(state.confirmed()).isEmpty();
  }

  @Test
  void whatIsSpentBeforeItsContentHasComeIsAwaitedNoLonger() {
    tell(new Input.BlockIndexed(new BlockHeight(7), List.of(), List.of(OWN.id())));
    assertThat(state.awaitsContentSince(6)).isTrue();
    assertThat(state.awaitsContentSince(7)).isFalse();

    tell(new Input.BlockIndexed(new BlockHeight(8), List.of(OWN.id()), List.of()));

    assertThat(state.awaitsContentSince(0)).isFalse();
    assertThat(state.contentMissing()).isEmpty();
  }

  @Test
  void aStateThatTheLedgerNamesTwiceIsConfirmedOnce() {
    give(B, OWN);
    tell(new Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(OWN.id())));
    var before = state.confirmed();

    tell(new Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(OWN.id())));

    assertThat(state.confirmed()).isEqualTo(before);
    assertThat(state.contentMissing()).isEmpty();
  }

  @Test
  void whatIsGivenTwiceIsStoredOnceAndAcknowledgedTwice() {
    give(B, OWN);
    give(C, OWN);

    assertThat(last.events()).isEmpty();
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
    assertThat(state.unconfirmed().get(OWN.id()).from()).isEqualTo(B);
  }

  private static PrivateState found(String name) {
    var any = Contract.state(name, A);
    return new PrivateState(
        any.id(), any.contract(), any.schema(), "owner", any.data(), any.distribution());
  }

  private List<StateId> available() {
    return List.copyOf(state.available().get(new StateStoreState.Lookup("coin", "owner")).values());
  }

  /** One that has something of the contract. */
  private void block(long height) {
    var other = Contract.state("of block " + height, B).id();
    tell(new Input.BlockIndexed(new BlockHeight(height), List.of(other), List.of()));
  }

  private void give(NodeName from, PrivateState... states) {
    tell(given(from, states));
  }

  private static Input.Given given(NodeName from, PrivateState... states) {
    var by = Contract.transaction(from, 1).id();
    var items = Stream.of(states).map(each -> new StateDistribution.Item(by, each)).toList();
    return new Input.Given(
        Contract.from(from, new StateDistribution(new RequestId("given"), ADDRESS, items)));
  }

  private List<PrivateState> sentTo(NodeName node) {
    return last.messages().stream()
        .filter(outgoing -> outgoing.to().equals(node))
        .flatMap(outgoing -> ((StateDistribution) outgoing.message()).items().stream())
        .map(StateDistribution.Item::state)
        .toList();
  }

  static Dispatch dispatch(PrivateState... outputs) {
    return new Dispatch(
        new RequestId("dispatch"),
        ADDRESS,
        A,
        new DelegationId(A, 1, 1),
        new BlockRange(0),
        transaction(outputs),
        List.of(outputs));
  }

  private static PreparedTransactionDistribution prepared(PrivateState... outputs) {
    return new PreparedTransactionDistribution(
        new RequestId("prepared"),
        ADDRESS,
        new DelegationId(A, 1, 1),
        transaction(outputs),
        List.of(outputs));
  }

  private static PreparedTransaction transaction(PrivateState... outputs) {
    return new PreparedTransaction(
        Contract.transaction(A, 1).key(),
        ADDRESS,
        List.of(),
        List.of(),
        Stream.of(outputs).map(PrivateState::id).toList(),
        Proof.NONE);
  }

  private void later(Duration by) {
    now = now.plus(by);
    tell(new Input.Tick());
  }

  private void restart() {
    state = StateStoreState.initial();
    journal.forEach(event -> state = store.evolve(state, event));
    tell(new Input.Started());
    var wanted = last.effects().stream().map(StateStore.Load.class::cast).findFirst();
    var found = new HashMap<>(kept);
    found.keySet().retainAll(wanted.orElseThrow().states());
    tell(new Input.ContentsFound(List.copyOf(found.values())));
  }

  private void tell(Input input) {
    last = store.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
    for (var effect : last.effects()) {
      if (effect instanceof StateStore.Keep(var contents)) {
        contents.forEach(content -> kept.put(content.id(), content));
      }
    }
  }
}

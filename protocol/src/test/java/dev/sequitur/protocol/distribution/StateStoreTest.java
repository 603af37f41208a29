package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StateStoreTest {
  private static final Bytes FALSE = Bytes.utf8("false");

  private StateStore store = store(SequencerSettings.DEFAULT);
  private final List<PrivateState> kept = new ArrayList<>();
  private StateStoreState state = StateStoreState.initial();

  /** What is false says so in its content. */
  private static StateStore store(SequencerSettings settings) {
    return new StateStore(
        A,
        ADDRESS,
        state -> !state.data().equals(FALSE),
        new StateStore.Members(List.of(), false),
        settings);
  }

  @Test
  void whatIsAskedForAgainTogetherWithEarlierDispatchesIsDistributedToo() {
    var first = Contract.state("first", A, B);
    var second = Contract.state("second", A, B);
    tell(new StateStore.Input.Distribute(List.of(dispatch(1, first))));

    // The submitter was restarted before it had handed on the second one.
    tell(new StateStore.Input.Distribute(List.of(dispatch(1, first), dispatch(2, second))));

    assertThat(state.outbox().values())
        .flatMap(StateStoreState.Owed::items)
        .extracting(StateStoreEvent.Share::state)
        .containsExactlyInAnyOrder(first.id(), second.id());
  }

  /** What is spent is forgotten here, so that the first of them looks new. */
  @Test
  void whatIsAskedForAgainTogetherWithOneThatIsSpentMeanwhileIsDistributedToo() {
    var first = Contract.state("first", A, B);
    var second = Contract.state("second", A, B);
    tell(new StateStore.Input.Distribute(List.of(dispatch(1, first))));
    tell(
        new StateStore.Input.BlockIndexed(
            new BlockHeight(1), List.of(first.id()), List.of(first.id())));

    tell(new StateStore.Input.Distribute(List.of(dispatch(1, first), dispatch(2, second))));

    assertThat(state.outbox().values())
        .flatMap(StateStoreState.Owed::items)
        .extracting(StateStoreEvent.Share::state)
        .contains(first.id(), second.id());
  }

  @Test
  void aNodeThatGivesTooMuchThatIsNeverConfirmedIsNotAcknowledgedAnyMore() {
    store = store(mostUnconfirmed(2));

    assertThat(give(B, "one", "two")).isTrue();
    assertThat(give(B, "three")).isFalse();

    assertThat(state.unconfirmed()).hasSize(2);
    assertThat(give(B, "two")).as("it is known already").isTrue();
    assertThat(give(C, "four")).as("another node's are counted by themselves").isTrue();
  }

  @Test
  void whatTheLedgerShowsIsTakenOfEverybodyAndMakesRoom() {
    store = store(mostUnconfirmed(2));
    give(B, "one", "two");
    var three = Contract.state("three", A, B).id();
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(three)));

    assertThat(give(B, "three", "four")).as("the fourth has no room").isFalse();
    assertThat(state.confirmed()).containsOnlyKeys(three);

    var one = Contract.state("one", A, B).id();
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(one)));
    assertThat(give(B, "three", "four")).isTrue();
  }

  /** What the ledger shows takes up no room of what it does not. */
  @Test
  void whatTheLedgerShowsDoesNotCountAmongWhatANodeMayGive() {
    store = store(mostUnconfirmed(2));
    give(B, "one");
    var three = Contract.state("three", A, B).id();
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(three)));

    assertThat(give(B, "three", "four")).isTrue();

    assertThat(state.confirmed()).containsOnlyKeys(three);
    assertThat(state.unconfirmed()).hasSize(2);
  }

  /** It is another's program that looks, and may fail at anything. */
  @Test
  void whatADomainFailsAtIsNotTaken() {
    store =
        new StateStore(
            A,
            ADDRESS,
            content -> {
              throw new IllegalStateException("injected");
            },
            new StateStore.Members(List.of(), false),
            SequencerSettings.DEFAULT);
    var made = Contract.state("made", A, B);

    give(B, List.of(made));

    assertThat(state.unconfirmed()).isEmpty();
    assertThat(store.mayHold(made)).isFalse();
  }

  @Test
  void mayBeHeldWhatIsGenuineAndNamesThisNode() {
    var made = Contract.state("made", A, B);
    var forged =
        new PrivateState(
            made.id(), ADDRESS, made.schema(), made.lookup(), FALSE, made.distribution());

    assertThat(store.mayHold(made)).isTrue();
    assertThat(store.mayHold(Contract.state("foreign", B, C))).isFalse();
    assertThat(store.mayHold(forged)).isFalse();
  }

  @Test
  void whatIsGivenTwiceInOneGoIsHeldOnce() {
    var made = Contract.state("made", A, B);

    give(B, List.of(made, made));

    assertThat(state.unconfirmed()).containsOnlyKeys(made.id());
    assertThat(state.unconfirmedFrom(B)).isOne();
  }

  @Test
  void whatIsAskedAboutIsConfirmedOrOnItsWayOrNeither() {
    var confirmed = Contract.state("confirmed", A, B);
    var onItsWay = Contract.state("on its way", A, B);
    var spent = Contract.state("spent", A, B);
    give(B, List.of(confirmed, onItsWay, spent));
    tell(
        new StateStore.Input.BlockIndexed(
            new BlockHeight(1), List.of(spent.id()), List.of(confirmed.id(), spent.id())));

    var standing = state.standing(List.of(confirmed.id(), onItsWay.id(), spent.id()));

    assertThat(standing.confirmed()).containsExactly(confirmed.id());
    assertThat(standing.unconfirmed()).containsExactly(onItsWay.id());
    assertThat(state.onTheirWay()).containsExactly(Map.entry(onItsWay.id(), onItsWay));
  }

  @Test
  void noStateIsHeldWhoseListDoesNotNameThisNodeWhoeverSentIt() {
    var foreign = Contract.state("foreign", B, C);
    var own = Contract.state("own", A);
    var ofAnother = ofAnotherContract(own);
    tell(
        new StateStore.Input.BlockIndexed(
            new BlockHeight(1), List.of(), List.of(foreign.id(), ofAnother.id())));

    for (var from : List.of(A, B, C)) {
      give(from, List.of(foreign, ofAnother));
    }
    tell(new StateStore.Input.Distribute(List.of(dispatch(1, foreign))));

    assertThat(state.confirmed()).isEmpty();
    assertThat(state.unconfirmed()).isEmpty();
    assertThat(kept).isEmpty();

    give(B, List.of(foreign, own));
    assertThat(state.confirmed()).isEmpty();
    assertThat(state.unconfirmed()).containsOnlyKeys(own.id());
  }

  enum Way {
    GIVEN,
    DISPATCHED,
    PREPARED
  }

  /** It would be taken for the true one, which then came too late. */
  @ParameterizedTest
  @EnumSource
  void whatIsNotWhatItsIdStandsForIsNeitherHeldNorGivenToAnybodyAndIsCounted(Way way) {
    var made = Contract.state("made", A, B);
    var foreign = ofAnotherContract(made);
    var forged =
        new PrivateState(
            made.id(), ADDRESS, made.schema(), made.lookup(), FALSE, made.distribution());
    for (var wrong : List.of(forged, foreign)) {
      var input = coming(way, wrong);

      var decision = store.decide(state, input, Instant.EPOCH);

      assertThat(decision.effects()).containsExactly(StateStore.Counted.FALSE_STATE);
      assertThat(decision.events()).isEmpty();
      assertThat(decision.state()).isEqualTo(state);
    }

    var genuine = coming(way, made);
    var decision = store.decide(state, genuine, Instant.EPOCH);
    assertThat(decision.effects()).containsExactly(new StateStore.Keep(List.of(made)));
    assertThat(decision.state().unconfirmed()).containsOnlyKeys(made.id());
  }

  private static StateStore.Input coming(Way way, PrivateState state) {
    return switch (way) {
      case GIVEN ->
          new StateStore.Input.Given(
              Contract.from(
                  B,
                  new StateDistribution(
                      new RequestId("given"),
                      ADDRESS,
                      List.of(
                          new StateDistribution.Item(Contract.transaction(B, 1).id(), state)))));
      case DISPATCHED -> new StateStore.Input.Distribute(List.of(dispatch(1, state)));
      case PREPARED -> {
        var dispatch = dispatch(1, state);
        yield new StateStore.Input.DistributePrepared(
            new PreparedTransactionDistribution(
                dispatch.dispatchId(),
                ADDRESS,
                dispatch.delegationId(),
                dispatch.prepared(),
                dispatch.outputs()));
      }
    };
  }

  @Test
  void whatIsOwedIsOwedUntilItsReceiverItselfAcknowledgesIt() {
    tell(new StateStore.Input.Distribute(List.of(dispatch(1, Contract.state("made", A, B)))));
    var owed = state.outbox().keySet().iterator().next();
    var acknowledgement = new StateDistributionAcknowledgement(owed, ADDRESS);

    tell(new StateStore.Input.Acknowledged(Contract.from(C, acknowledgement)));
    assertThat(state.outbox()).containsOnlyKeys(owed);
    assertThat(state.exchanges().get(owed)).isPresent();

    tell(new StateStore.Input.Acknowledged(Contract.from(B, acknowledgement)));
    assertThat(state.isIdle()).isTrue();
    assertThat(state.exchanges().open()).isEmpty();
  }

  private static PrivateState ofAnotherContract(PrivateState like) {
    return new PrivateState(
        new StateId(Contract.hash("of another")),
        new ContractAddress("0x" + "cd".repeat(20)),
        like.schema(),
        like.lookup(),
        like.data(),
        like.distribution());
  }

  private void give(NodeName from, List<PrivateState> states) {
    var by = Contract.transaction(from, 1).id();
    var items = states.stream().map(each -> new StateDistribution.Item(by, each)).toList();
    var message = new StateDistribution(new RequestId("given"), ADDRESS, items);
    tell(new StateStore.Input.Given(Contract.from(from, message)));
  }

  /** Each is given again until it is acknowledged, as the indexer does. */
  @Property(tries = 200)
  void blocksInAnyOrderLostOrAgainGiveTheSameAsInOrder(@ForAll long seed) {
    var random = new Random(seed);
    var blocks = new ArrayList<Block>();
    var unspent = new ArrayList<StateId>();
    var before = BlockHeight.ZERO;
    for (int i = 0; i < 12; i++) {
      var made = Contract.state("made " + i, A).id();
      var height = new BlockHeight(before.value() + 1 + random.nextInt(3));
      var spent = new ArrayList<StateId>();
      if (!unspent.isEmpty() && random.nextBoolean()) {
        spent.add(unspent.remove(random.nextInt(unspent.size())));
      }
      unspent.add(made);
      blocks.add(
          new Block(before, new StateStore.Input.BlockIndexed(height, spent, List.of(made))));
      before = height;
    }
    var contents = IntStream.range(0, 12).mapToObj(i -> Contract.state("made " + i, A)).toList();

    var inOrder = new StateStoreTest();
    inOrder.give(B, contents);
    blocks.forEach(block -> inOrder.tell(block.input()));

    var mixed = new StateStoreTest();
    mixed.give(B, contents);
    var open = new ArrayList<>(blocks);
    while (!open.isEmpty()) {
      var next = random.nextInt(4) == 0 ? blocks : open;
      var block = next.get(random.nextInt(next.size()));
      if (mixed.store.follows(mixed.state, block.after())) {
        mixed.tell(block.input());
        // The acknowledgement may be lost.
        if (random.nextBoolean()) {
          open.remove(block);
        }
      }
    }

    assertThat(mixed.state).isEqualTo(inOrder.state);
    assertThat(mixed.state.confirmed()).containsOnlyKeys(unspent.toArray(StateId[]::new));
  }

  private record Block(BlockHeight after, StateStore.Input.BlockIndexed input) {}

  @Test
  void aBlockAfterAGapIsLeftForLater() {
    assertThat(store.follows(state, new BlockHeight(1))).isFalse();

    var made = Contract.state("made", A).id();
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(1), List.of(), List.of(made)));

    assertThat(store.follows(state, new BlockHeight(1))).isTrue();
    assertThat(store.follows(state, BlockHeight.ZERO)).isTrue();
    assertThat(store.follows(state, new BlockHeight(2))).isFalse();
  }

  private static SequencerSettings mostUnconfirmed(int states) {
    var defaults = SequencerSettings.DEFAULT;
    return defaults.withLimits(defaults.limits().withUnconfirmedPerNode(states));
  }

  /** Whether it was acknowledged. */
  private boolean give(NodeName from, String... names) {
    var by = Contract.transaction(from, 1).id();
    var items =
        Stream.of(names)
            .map(name -> new StateDistribution.Item(by, Contract.state(name, A, B)))
            .toList();
    var message = new StateDistribution(new RequestId(String.join("-", names)), ADDRESS, items);
    var decision =
        store.decide(
            state, new StateStore.Input.Given(Contract.from(from, message)), Instant.EPOCH);
    state = decision.state();
    return !decision.messages().isEmpty();
  }

  private static Dispatch dispatch(long number, PrivateState output) {
    var transaction = Contract.transaction(A, number).key();
    var outputs = List.<StateId>of(output.id());
    return new Dispatch(
        new RequestId("dispatch-" + number),
        ADDRESS,
        A,
        new DelegationId(A, 1, 1),
        new BlockRange(0),
        new PreparedTransaction(transaction, ADDRESS, List.of(), List.of(), outputs, Proof.NONE),
        List.of(output));
  }

  private void tell(StateStore.Input input) {
    var decision = store.decide(state, input, Instant.EPOCH);
    state = decision.state();
    for (var effect : decision.effects()) {
      if (effect instanceof StateStore.Keep(var contents)) {
        kept.addAll(contents);
      }
    }
  }
}

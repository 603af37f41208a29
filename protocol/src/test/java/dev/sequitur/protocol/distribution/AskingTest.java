package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.distribution.StateStore.Counted;
import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Contents that nobody has given are asked for from those who have them (DST-6, DST-7). */
class AskingTest {
  private static final SequencerSettings SETTINGS = SequencerSettings.DEFAULT;
  private static final Duration FIRST_WAIT = SETTINGS.delivery().resendNotification().initial();
  private static final Duration PATIENCE = SETTINGS.delivery().confirmationTimeout();
  private static final Bytes FALSE = Bytes.utf8("false");
  private static final PrivateState ONE = Contract.state("one", A, B, C);
  private static final PrivateState TWO = Contract.state("two", A, B, C);
  private static final PrivateState NOT_OURS = Contract.state("not ours", B, C);

  private final List<StateStoreEvent> journal = new ArrayList<>();
  private StateStore store = store(true);
  private StateStoreState state = StateStoreState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<StateStoreState, StateStoreEvent, StateStore.Effect> last;

  private static StateStore store(boolean holdAll) {
    return new StateStore(
        A,
        ADDRESS,
        content -> !content.data().equals(FALSE),
        new StateStore.Members(List.of(B, C), holdAll),
        SETTINGS);
  }

  @Test
  void whatABlockHasMadeAndNobodyHasGivenIsAskedForAndThenHeld() {
    block(7, ONE, TWO);

    tick();
    assertThat(asked()).as("it may be on its way").isEmpty();
    pass(FIRST_WAIT);

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
    assertThat(asked()).containsExactlyInAnyOrder(ONE.id(), TWO.id());
    answer(B, false, ONE, TWO);
    assertThat(state.confirmed()).containsOnlyKeys(ONE.id(), TWO.id());
    assertThat(state.missing().isEmpty()).isTrue();
    assertThat(state.available()).isNotEmpty();
    assertThat(replayed().confirmed()).isEqualTo(state.confirmed());
    tick();
    assertThat(state.isIdle()).isTrue();
  }

  @Test
  void whatOneHasNotTheNextIsAskedFor() {
    block(7, ONE);
    pass(FIRST_WAIT);
    answer(B, false);

    tick();

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
    answer(C, false, ONE);
    assertThat(state.confirmed()).containsOnlyKeys(ONE.id());
  }

  @Test
  void whoDoesNotAnswerIsAskedAgainAndThenTheNextIs() {
    block(7, ONE);
    pass(FIRST_WAIT);
    pass(SETTINGS.delivery().resend().initial());
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);

    pass(PATIENCE);

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
    assertThat(state.asking().orElseThrow().answers()).containsEntry(B, Asking.Answer.NONE);
  }

  @Test
  void wrongContentsAreStoredNowhereAndTheNextIsAsked() {
    block(7, ONE);
    pass(FIRST_WAIT);
    var false1 =
        new PrivateState(ONE.id(), ADDRESS, ONE.schema(), ONE.lookup(), FALSE, ONE.distribution());

    answer(B, true, false1);

    assertThat(last.events()).isEmpty();
    assertThat(last.effects()).contains(Counted.FALSE_STATE);
    assertThat(state.contents()).isEmpty();
    tick();
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
  }

  @Test
  void whatWasNotAskedForOrIsNotForThisNodeIsNotTaken() {
    block(7, ONE, NOT_OURS);
    pass(FIRST_WAIT);

    answer(B, false, TWO, NOT_OURS);

    assertThat(last.events()).isEmpty();
    assertThat(state.contents()).isEmpty();
  }

  @Test
  void onlyTheOneWhoWasAskedAnswersAndOnlyOnce() {
    block(7, ONE);
    pass(FIRST_WAIT);
    var request = request();

    answer(C, request, false, ONE);
    assertThat(last.events()).isEmpty();
    answer(B, new RequestId("another"), false, ONE);
    assertThat(last.events()).isEmpty();
    answer(B, request, false, ONE);
    assertThat(last.events()).hasSize(1);
    answer(B, request, false, ONE);

    assertThat(last.events()).isEmpty();
    assertThat(state.confirmed()).containsOnlyKeys(ONE.id());
  }

  @Test
  void whereAllIsForAllTheMembersAreAskedForEverAndLessAndLessOften() {
    block(7, ONE);
    var waits = new ArrayList<Duration>();
    var before = now;
    for (int round = 0; round < 8; round++) {
      passUntilAsked();
      answer(B, false);
      passUntilAsked();
      answer(C, false);
      waits.add(Duration.between(before, now));
      before = now;
    }

    assertThat(waits.get(1)).isLessThan(waits.get(5));
    assertThat(waits.get(7))
        .isLessThan(SETTINGS.delivery().resendNotification().cap().plusSeconds(1));
    assertThat(journal).filteredOn(StateStoreEvent.ContentsSought.class::isInstance).isEmpty();
    assertThat(state.isIdle()).isFalse();
  }

  @Test
  void whatMayBeForOthersIsAskedForOnceAlsoOverARestart() {
    store = store(false);
    block(7, NOT_OURS);
    passUntilAsked();
    answer(B, false);
    passUntilAsked();
    answer(C, false);
    tick();
    tick();
    assertThat(state.isIdle()).isTrue();
    assertThat(replayed().sought()).isEqualTo(new BlockHeight(7));

    state = replayed();
    tell(new Input.Started());
    pass(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();

    block(8, ONE);
    passUntilAsked();
    assertThat(asked()).containsExactly(ONE.id());
  }

  /** Its answer is the only way to learn whether a state is this node's. */
  @Test
  void whoIsSilentOnceIsAskedAgainAndNobodyElseIs() {
    store = store(false);
    block(7, ONE);
    silent(B);
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
    answer(C, false);

    passUntilAsked();

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
    assertThat(asked()).containsExactly(ONE.id());
    answer(B, false, ONE);
    tick();
    tick();
    assertThat(state.confirmed()).containsOnlyKeys(ONE.id());
    assertThat(state.isIdle()).isTrue();
  }

  @Test
  void whoWasSilentIsAskedAgainOverARestartToo() {
    store = store(false);
    block(7, NOT_OURS);
    silent(B);
    answer(C, false);
    tick();

    state = replayed();
    tell(new Input.Started());
    passUntilAsked();

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
  }

  @Test
  void whoStaysSilentIsAskedLessAndLessOftenUntilThereIsSomethingNew() {
    store = store(false);
    block(7, NOT_OURS);
    silent(B);
    answer(C, false);
    int rounds = 1;
    var waits = new ArrayList<Duration>();
    while (!state.isIdle()) {
      var before = now;
      tick();
      if (!state.isIdle()) {
        silent(B);
        waits.add(Duration.between(before, now));
        rounds++;
      }
      tick();
    }
    assertThat(rounds).isEqualTo(ContentsSearch.SILENT_ROUNDS);
    assertThat(waits.get(1)).isLessThan(waits.get(5));
    pass(Duration.ofDays(1));
    assertThat(last.messages()).isEmpty();

    block(8, ONE);
    assertThat(state.isIdle()).isFalse();
    assertThat(last.messages())
        .as("who answers is first")
        .extracting(Outgoing::to)
        .containsExactly(C);
    assertThat(asked()).containsExactly(ONE.id());
    answer(C, false);
    passUntilAsked();
    assertThat(asked()).containsExactlyInAnyOrder(NOT_OURS.id(), ONE.id());
    answer(B, false, ONE);
    tick();
    tick();
    assertThat(replayed().sought()).isEqualTo(new BlockHeight(8));
    assertThat(state.isIdle()).isTrue();
  }

  /** Asked, and never heard of. */
  private void silent(NodeName who) {
    passUntilAsked();
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(who);
    pass(PATIENCE);
  }

  @Test
  void whatIsSpentMeanwhileIsAskedForNoLonger() {
    block(7, ONE);
    pass(FIRST_WAIT);
    tell(new Input.BlockIndexed(new BlockHeight(8), List.of(ONE.id()), List.of()));

    answer(B, false, ONE);
    tick();
    tick();

    assertThat(state.confirmed()).isEmpty();
    assertThat(state.contents()).isEmpty();
    assertThat(state.isIdle()).isTrue();
  }

  @Test
  void moreThanOneRequestMayNameIsAskedForPageByPage() {
    var many =
        IntStream.range(0, StateContentsRequest.MOST + 1)
            .mapToObj(i -> Contract.state("state " + i, A, B, C))
            .toArray(PrivateState[]::new);
    block(7, many);
    pass(FIRST_WAIT);
    assertThat(asked()).hasSize(StateContentsRequest.MOST);

    answer(B, false);
    tick();

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
    assertThat(asked()).hasSize(1);
  }

  @Test
  void whoHasMoreIsAskedForTheRestAndWhoOnlySaysSoIsNot() {
    block(7, ONE, TWO);
    pass(FIRST_WAIT);
    answer(B, true, ONE);
    tick();
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
    assertThat(asked()).containsExactly(TWO.id());

    answer(B, true);
    tick();

    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(C);
  }

  @Test
  void aMemberIsGivenWhatItIsOnTheListOfAndNothingElse() {
    var ofB = Contract.state("of b", A, B);
    var ofC = Contract.state("of c", A, C);
    give(ofB, ofC, ONE);
    block(7, ofC, ONE);

    ask(B, ofB.id(), ofC.id(), ONE.id(), TWO.id());

    assertThat(given()).containsExactly(ofB, ONE);
    assertThat(last.messages()).extracting(Outgoing::to).containsExactly(B);
    assertThat(last.events()).isEmpty();
  }

  /** A and B were the first; C has come later. */
  private static StateStore withC(boolean holdAll) {
    return new StateStore(
        A,
        ADDRESS,
        content -> true,
        new StateStore.Members(List.of(B, C), holdAll, List.of(Set.of(A, B), Set.of(A, B, C))),
        SETTINGS);
  }

  /** CMT-8: what is made from then on is for those who stay. */
  @Test
  void whoIsRemovedLacksAndAsksForNothingOnceItsLastRangeIsOver() {
    for (boolean holdAll : List.of(true, false)) {
      for (long height : List.of(9L, 10L, 11L)) {
        store = leaving(holdAll, 10);
        state = StateStoreState.initial();
        block(7, ONE);
        block(height, TWO);

        pass(FIRST_WAIT);
        pass(FIRST_WAIT);

        assertThat(last.messages().isEmpty()).as("at block " + height).isEqualTo(height >= 10);
        assertThat(store.lacking(state).isPresent()).isEqualTo(holdAll && height < 10);
      }
    }
  }

  /** CMT-8: whom it has asked last may be silent for good. */
  @Test
  void whatItHasAskedAsItIsRemovedIsNotAskedAgain() {
    block(7, ONE);
    passUntilAsked();
    store = leaving(true, 7);

    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMinutes(10));
      assertThat(last.messages()).isEmpty();
    }
    assertThat(state.exchanges().open()).isEmpty();
  }

  @Test
  void whoComesBackAsksForAllThatItLacks() {
    store = leaving(true, 7);
    block(7, ONE);
    block(9, TWO);
    pass(Duration.ofMinutes(1));
    assertThat(last.messages()).isEmpty();

    store = store(true);
    passUntilAsked();

    assertThat(asked()).containsExactly(ONE.id(), TWO.id());
  }

  private static StateStore leaving(boolean holdAll, long block) {
    var committees = List.of(Set.of(A, B, C), Set.of(B, C));
    var members =
        new StateStore.Members(
            List.of(B, C), holdAll, committees, Optional.of(new BlockHeight(block)));
    return new StateStore(A, ADDRESS, content -> true, members, SETTINGS);
  }

  @Test
  void whoHasComeLaterIsGivenWhatWasForEveryMemberAndNothingElse() {
    var forAll = Contract.state("for all", A, B);
    var forOne = Contract.state("for one", A);
    for (boolean holdAll : List.of(true, false)) {
      var rules = withC(holdAll);
      assertThat(rules.members().mayHold(C, forAll)).isEqualTo(holdAll);
      assertThat(rules.members().mayHold(C, forOne)).isFalse();
      assertThat(rules.members().mayHold(new NodeName("left"), forAll)).isFalse();
      assertThat(rules.members().mayHold(B, forAll)).isTrue();
    }
  }

  @Test
  void whoHasComeLaterHoldsWhatWasForEveryMember() {
    var rules =
        new StateStore(
            C,
            ADDRESS,
            content -> true,
            new StateStore.Members(List.of(A, B), true, List.of(Set.of(A, B), Set.of(A, B, C))),
            SETTINGS);

    assertThat(rules.mayHold(Contract.state("for all", A, B))).isTrue();
    assertThat(rules.mayHold(Contract.state("for one", A))).isFalse();
  }

  /** A node that comes into a group reads its older blocks by a comparison with the ledger. */
  @Test
  void whatAComparisonHasFoundToBeMissingIsAskedForThoughNoBlockWasApplied() {
    for (boolean holdAll : List.of(true, false)) {
      store = store(holdAll);
      state = StateStoreState.initial();
      var made = List.of(new MissingContents.Missing(new BlockHeight(7), ONE.id()));
      tell(
          new Input.Correct(
              new StateStore.Correction(
                  new BlockHeight(9), List.of(), made, List.of(), true, List.of())));

      passUntilAsked();

      assertThat(asked()).containsExactly(ONE.id());
      answer(B, false, ONE);
      assertThat(state.confirmed()).containsOnlyKeys(ONE.id());
    }
  }

  @Test
  void anAnswerIsOfALengthThatAMessageMayHave() {
    var big = Bytes.utf8("x".repeat(ContentsSearch.ANSWER_BYTES * 2 / 3));
    var states =
        Stream.of(ONE, TWO)
            .map(
                each ->
                    new PrivateState(
                        each.id(), ADDRESS, each.schema(), each.lookup(), big, each.distribution()))
            .toList();
    give(states.toArray(PrivateState[]::new));

    ask(B, ONE.id(), TWO.id());

    assertThat(given()).hasSize(1);
    assertThat(((StateContentsResponse) last.messages().get(0).message()).more()).isTrue();
  }

  /** Nobody would ever get it else. */
  @Test
  void oneStateIsGivenWhateverItsLengthAndNothingWithIt() {
    var big = Bytes.utf8("x".repeat(ContentsSearch.ANSWER_BYTES + 1));
    var long1 =
        new PrivateState(ONE.id(), ADDRESS, ONE.schema(), ONE.lookup(), big, ONE.distribution());
    give(long1, TWO);

    ask(B, ONE.id(), TWO.id());
    assertThat(given()).containsExactly(long1);
    assertThat(((StateContentsResponse) last.messages().get(0).message()).more()).isTrue();
    ask(B, TWO.id(), ONE.id());
    assertThat(given()).containsExactly(TWO);
  }

  @Test
  void whatIsGivenTwiceInOneAnswerIsTakenOnce() {
    block(7, ONE);
    pass(FIRST_WAIT);

    answer(B, false, ONE, ONE);

    assertThat(last.events())
        .containsExactly(new StateStoreEvent.ContentsGiven(B, List.of(ONE.id())));
    assertThat(last.effects()).containsExactly(new StateStore.Keep(List.of(ONE)));
    assertThat(state.confirmed()).containsOnlyKeys(ONE.id());
  }

  /** Whoever is asked would have to look for each. */
  @Test
  void nobodyMayAskForMoreThanAThousandAtOnce() {
    var most =
        IntStream.range(0, 1_000).mapToObj(i -> Contract.state("state " + i, A).id()).toList();
    assertThat(new StateContentsRequest(new RequestId("most"), ADDRESS, most).states())
        .hasSize(1_000);
    var more = Stream.concat(most.stream(), Stream.of(ONE.id())).toList();

    assertThatThrownBy(() -> new StateContentsRequest(new RequestId("more"), ADDRESS, more))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("At most 1000 states are asked for at once, and not 1001.");
  }

  @Test
  void whoAsksTooOftenIsAnsweredAgainAfterTheNextTick() {
    give(ONE);
    for (int i = 0; i < ContentsSearch.ANSWERS; i++) {
      ask(B, ONE.id());
      assertThat(last.messages()).hasSize(1);
    }
    ask(B, ONE.id());
    assertThat(last.messages()).isEmpty();
    ask(C, ONE.id());
    assertThat(last.messages()).as("another").hasSize(1);

    tick();
    ask(B, ONE.id());

    assertThat(last.messages()).hasSize(1);
  }

  @Test
  void aRequestHoldsUpNoDistribution() {
    block(7, ONE);
    pass(FIRST_WAIT);
    assertThat(asked()).containsExactly(ONE.id());

    tell(
        new Input.Distribute(
            List.of(DistributingTest.dispatch(Contract.state("made here", A, B)))));

    assertThat(last.messages())
        .extracting(Outgoing::message)
        .hasOnlyElementsOfType(StateDistribution.class);
    assertThat(last.messages()).hasSize(1);
  }

  private StateStoreState replayed() {
    var replayed = StateStoreState.initial();
    for (var event : journal) {
      replayed = store.evolve(replayed, event);
    }
    return replayed;
  }

  private void block(long height, PrivateState... created) {
    var ids = Stream.of(created).map(PrivateState::id).toList();
    tell(new Input.BlockIndexed(new BlockHeight(height), List.of(), ids));
    tick();
  }

  private void give(PrivateState... states) {
    var by = Contract.transaction(C, 1).id();
    var items = Stream.of(states).map(each -> new StateDistribution.Item(by, each)).toList();
    tell(
        new Input.Given(
            Contract.from(C, new StateDistribution(new RequestId("given"), ADDRESS, items))));
  }

  private void ask(NodeName by, StateId... states) {
    tell(
        new Input.Asked(
            Contract.from(
                by, new StateContentsRequest(new RequestId("asked"), ADDRESS, List.of(states)))));
  }

  private void answer(NodeName by, boolean more, PrivateState... states) {
    answer(by, request(), more, states);
  }

  private void answer(NodeName by, RequestId request, boolean more, PrivateState... states) {
    tell(
        new Input.Answered(
            Contract.from(by, new StateContentsResponse(request, ADDRESS, List.of(states), more))));
  }

  private RequestId request() {
    return state.asking().orElseThrow().open().orElseThrow().request();
  }

  private List<StateId> asked() {
    return messages(StateContentsRequest.class)
        .flatMap(request -> request.states().stream())
        .toList();
  }

  private List<PrivateState> given() {
    return messages(StateContentsResponse.class)
        .flatMap(response -> response.states().stream())
        .toList();
  }

  private <M extends Message> Stream<M> messages(Class<M> kind) {
    return last.messages().stream().map(Outgoing::message).filter(kind::isInstance).map(kind::cast);
  }

  private void tick() {
    tell(new Input.Tick());
  }

  private void pass(Duration time) {
    now = now.plus(time);
    tick();
  }

  private void passUntilAsked() {
    for (int i = 0; i < 1_000; i++) {
      pass(Duration.ofMillis(100));
      if (!asked().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("Nobody is asked.");
  }

  private void tell(Input input) {
    last = store.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }
}

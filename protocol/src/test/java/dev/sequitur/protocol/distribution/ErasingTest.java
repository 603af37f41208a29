package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.ErasureSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contents are erased on demand, on the nodes of two members and not on that of a third (ROM-7).
 */
class ErasingTest {
  private static final PrivateState ONE = Contract.state("one", A, B, C);
  private static final PrivateState TWO = Contract.state("two", A, B, C);
  private static final StateId ID = ONE.id();

  private final Map<NodeName, Node> nodes = new HashMap<>();
  private Instant now = Instant.EPOCH;

  /** A state store with what it keeps. */
  private final class Node {
    private final StateStore rules;
    private final List<StateStoreEvent> journal = new ArrayList<>();
    private final Map<StateId, PrivateState> kept = new HashMap<>();
    private StateStoreState state = StateStoreState.initial();
    private List<Outgoing> sent = List.of();
    private boolean wipes = true;

    Node(NodeName self, ErasureSettings erasures) {
      this(self, erasures, true);
    }

    Node(NodeName self, ErasureSettings erasures, boolean holdAll) {
      var others = new ArrayList<>(List.of(A, B, C));
      others.remove(self);
      rules =
          new StateStore(
              self,
              ADDRESS,
              content -> true,
              new StateStore.Members(others, holdAll),
              SequencerSettings.DEFAULT.withErasures(erasures));
    }

    void tell(Input input) {
      var decision = rules.decide(state, input, now);
      state = decision.state();
      journal.addAll(decision.events());
      sent = decision.messages();
      for (var effect : decision.effects()) {
        switch (effect) {
          case StateStore.Keep(var contents) -> contents.forEach(each -> kept.put(each.id(), each));
          case StateStore.Wipe(var states) -> {
            if (wipes) {
              kept.keySet().removeAll(states);
              var before = sent;
              tell(new Input.Wiped(List.copyOf(states)));
              sent = before;
            }
          }
          case StateStore.LookUp(var asked) ->
              tell(new Input.ErasureLookedUp(asked, kept.keySet()));
          case StateStore.Load ignored -> {}
          case StateStore.Counted ignored -> {}
          case StateStore.Judge ignored -> {}
          case StateStore.Drop ignored -> {}
          case StateStore.Recall ignored -> {}
        }
      }
    }

    /** Another life, with what was stored. */
    void restart() {
      state = rules.machine().recover(journal);
      tell(new Input.Started());
      tell(new Input.ContentsFound(List.copyOf(kept.values())));
    }

    void give(PrivateState... states) {
      var items = new ArrayList<StateDistribution.Item>();
      for (var each : states) {
        items.add(new StateDistribution.Item(new TransactionId(new UUID(0, 1)), each));
      }
      var given = new StateDistribution(new RequestId("given"), ADDRESS, items);
      tell(new Input.Given(from(C, given)));
    }

    void block(long height, List<StateId> spent, List<StateId> created) {
      tell(new Input.BlockIndexed(new BlockHeight(height), spent, created));
    }

    Erased.Demand demand() {
      return state.erased().list().getFirst();
    }

    void tick(Duration later) {
      now = now.plus(later);
      tell(new Input.Tick());
    }
  }

  private static <M extends Message> Received<M> from(NodeName node, M message) {
    return new Received<>(node, new MessageId(new UUID(0, 7)), message);
  }

  @BeforeEach
  void haveAStateThatIsSpentAndOneThatIsNot() {
    nodes.put(A, new Node(A, ErasureSettings.NOBODYS));
    nodes.put(B, new Node(B, new ErasureSettings(false, Set.of(A))));
    nodes.put(C, new Node(C, ErasureSettings.NOBODYS));
    for (var node : nodes.values()) {
      node.give(ONE, TWO);
      node.block(1, List.of(), List.of(ID, TWO.id()));
      node.block(2, List.of(ID), List.of());
    }
  }

  private Node at(NodeName node) {
    return nodes.get(node);
  }

  /** What a node has sent comes to the others, and their answers to it. */
  private void deliver(NodeName from) {
    for (var each : at(from).sent) {
      if (each.message() instanceof StateErasure erasure) {
        var to = at(each.to());
        to.tell(new Input.ErasureAsked(from(from, erasure)));
        for (var answer : to.sent) {
          if (answer.message() instanceof StateErasureAnswer answered) {
            at(from).tell(new Input.ErasureAnswered(from(each.to(), answered)));
          }
        }
      }
    }
  }

  @Test
  void contentsGoHereAndWhereTheMemberIsHonouredAndWhoHasNotAnsweredIsListed() {
    at(A).tell(new Input.Erase(List.of(ID)));

    assertThat(at(A).kept).containsOnlyKeys(TWO.id());
    assertThat(at(A).demand().open()).containsExactly(B, C);
    deliver(A);
    assertThat(at(B).kept).as("at once").containsOnlyKeys(TWO.id());
    assertThat(at(C).kept).containsKeys(ID, TWO.id());
    assertThat(at(A).demand().open()).as("who answers once it is done").containsExactly(B);
    assertThat(at(A).demand().refused()).containsExactly(C);

    at(A).tick(Duration.ofSeconds(2));
    assertThat(at(A).sent).extracting(Outgoing::to).containsExactly(B);
    deliver(A);
    assertThat(at(A).demand().open()).isEmpty();
    assertThat(at(A).demand().erased()).containsExactly(B);
    assertThat(at(A).state.isIdle()).isTrue();
    at(A).tick(Duration.ofMinutes(1));
    assertThat(at(A).sent).isEmpty();
  }

  @Test
  void aLifeThatEndsBeforeContentsAreDeletedOrOthersHaveAnsweredDoesItInTheNextOne() {
    at(A).wipes = false;
    at(A).tell(new Input.Erase(List.of(ID)));
    assertThat(at(A).kept).containsKey(ID);
    assertThat(at(A).state.isIdle()).isFalse();

    at(A).wipes = true;
    at(A).restart();
    at(A).tick(Duration.ofMillis(100));

    assertThat(at(A).kept).containsOnlyKeys(TWO.id());
    assertThat(at(A).sent).extracting(Outgoing::to).containsExactlyInAnyOrder(B, C);
    assertThat(at(A).state.erased().gone()).containsExactly(ID);
    var again = at(A).rules.machine().recover(at(A).journal);
    assertThat(again.erased()).isEqualTo(at(A).state.erased().atRest());
  }

  @Test
  void whatCouldNotBeDeletedIsTriedAgainAndNobodyIsToldThatItIs() {
    at(B).wipes = false;
    at(B).tell(new Input.ErasureAsked(from(A, erasure())));
    assertThat(at(B).sent).isEmpty();
    at(B).tell(new Input.ErasureAsked(from(A, erasure())));
    assertThat(at(B).sent).isEmpty();

    at(B).tell(new Input.Wiped(List.of()));
    at(B).wipes = true;
    at(B).tick(Duration.ofMillis(100));
    at(B).tell(new Input.ErasureAsked(from(A, erasure())));

    assertThat(at(B).sent)
        .extracting(Outgoing::message)
        .containsExactly(new StateErasureAnswer(erasure().erasureId(), ADDRESS, true));
  }

  private static StateErasure erasure() {
    return new StateErasure(new RequestId("erasure"), ADDRESS, List.of(ID));
  }

  @Test
  void whatIsErasedIsNeitherTakenNorGivenNorAskedForAgain() {
    at(A).tell(new Input.Erase(List.of(ID)));

    at(A).give(ONE);
    assertThat(at(A).kept).doesNotContainKey(ID);
    assertThat(at(A).state.unconfirmed()).isEmpty();
    assertThat(at(A).sent).as("whoever gives it is not to give it for ever").hasSize(1);

    // A ledger that has gone back makes it again.
    at(A).block(3, List.of(), List.of(ID));
    for (int i = 0; i < 10; i++) {
      at(A).tick(Duration.ofSeconds(5));
      assertThat(at(A).sent)
          .extracting(Outgoing::message)
          .doesNotHaveAnyElementsOfTypes(StateContentsRequest.class);
    }
  }

  @Test
  void whatIsUnspentOrOnItsWayIsNotErased() {
    var late = Contract.state("late", A, B, C);
    at(A).give(late);

    assertThat(refusal(TWO.id())).contains("is unspent");
    assertThat(refusal(late.id())).contains("no block has");
    assertThat(refusal(Contract.state("to come", A, B).id())).contains("no contents of state");
    assertThat(at(A).rules.erasureRefusal(at(A).state, List.of(ID), Set.of(ID))).isEmpty();
    at(A).tell(new Input.Erase(List.of(ID, TWO.id())));
    assertThat(at(A).kept).as("all or nothing").containsKeys(ID, TWO.id());
  }

  private String refusal(StateId id) {
    var node = at(A);
    return node.rules.erasureRefusal(node.state, List.of(ID, id), node.kept.keySet()).orElseThrow();
  }

  @Test
  void aMemberThatHasNotSeenItSpentYetErasesItOnceItHas() {
    at(B)
        .tell(
            new Input.ErasureAsked(
                from(A, new StateErasure(new RequestId("two"), ADDRESS, List.of(TWO.id())))));
    assertThat(at(B).sent).isEmpty();
    assertThat(at(B).kept).containsKey(TWO.id());

    at(B).block(3, List.of(TWO.id()), List.of());
    at(B)
        .tell(
            new Input.ErasureAsked(
                from(A, new StateErasure(new RequestId("two"), ADDRESS, List.of(TWO.id())))));
    assertThat(at(B).kept).doesNotContainKey(TWO.id());
  }

  @Test
  void onlyWhoWasAskedAnswersAndTheSameAgainAsksThoseWhoHaveNotErasedIt() {
    at(A).tell(new Input.Erase(List.of(ID)));
    var id = at(A).demand().id();
    at(A)
        .tell(
            new Input.ErasureAnswered(
                from(new NodeName("stranger"), new StateErasureAnswer(id, ADDRESS, true))));
    assertThat(at(A).demand().open()).containsExactly(B, C);
    at(A).tell(new Input.ErasureAnswered(from(B, new StateErasureAnswer(id, ADDRESS, true))));
    at(A).tell(new Input.ErasureAnswered(from(C, new StateErasureAnswer(id, ADDRESS, false))));
    assertThat(at(A).demand().refused()).containsExactly(C);

    at(A).tell(new Input.Erase(List.of(ID)));

    assertThat(at(A).state.erased().list()).hasSize(1);
    assertThat(at(A).demand().open()).containsExactly(C);
    assertThat(at(A).demand().erased()).containsExactly(B);
    assertThat(at(A).sent).extracting(Outgoing::to).containsExactly(C);
  }

  /** A member that may have contents erased could else keep from another what it makes next. */
  @Test
  void whatThisNodeHasNothingOfYetIsNotErasedAndTakenWhenItComes() {
    var next = Contract.state("next", A, B, C);
    var asked = new StateErasure(new RequestId("next"), ADDRESS, List.of(next.id()));

    at(B).tell(new Input.ErasureAsked(from(A, asked)));

    assertThat(at(B).sent).as("no answer: it asks again").isEmpty();
    at(B).give(next);
    at(B).block(3, List.of(), List.of(next.id()));
    assertThat(at(B).kept).containsKey(next.id());
    assertThat(at(B).state.confirmed()).containsKey(next.id());

    at(B).block(4, List.of(next.id()), List.of());
    at(B).tell(new Input.ErasureAsked(from(A, asked)));
    assertThat(at(B).kept).doesNotContainKey(next.id());
  }

  /** Where a state may be another's: of that there is nothing to be erased, now and later. */
  @Test
  void whoHasNothingOfItSaysSoAndTakesItAllTheSame() {
    var node = new Node(B, new ErasureSettings(false, Set.of(A)), false);
    var next = Contract.state("next", A, B, C);
    var asked = new StateErasure(new RequestId("next"), ADDRESS, List.of(next.id()));

    node.tell(new Input.ErasureAsked(from(A, asked)));

    assertThat(node.sent)
        .extracting(Outgoing::message)
        .containsExactly(new StateErasureAnswer(asked.erasureId(), ADDRESS, true));
    node.give(next);
    assertThat(node.kept).containsKey(next.id());
  }

  /** Who was removed is heard until the next change (CMT-5). */
  @Test
  void whoIsNoMemberHasNothingErasedWhoeverIsHonoured() {
    var everybodys = new Node(B, new ErasureSettings(true, Set.of()));
    everybodys.give(ONE);
    everybodys.block(1, List.of(), List.of(ID));
    everybodys.block(2, List.of(ID), List.of());

    everybodys.tell(new Input.ErasureAsked(from(new NodeName("removed"), erasure())));

    assertThat(everybodys.kept).containsKey(ID);
    assertThat(everybodys.sent)
        .extracting(Outgoing::message)
        .containsExactly(new StateErasureAnswer(erasure().erasureId(), ADDRESS, false));
  }

  @Test
  void behindAsManyErasedOnesAsGoInOneRequestTheOthersAreAskedForStill() {
    var node = at(A);
    var erased =
        IntStream.range(0, StateContentsRequest.MOST)
            .mapToObj(i -> Contract.state("erased " + i, A, B, C).id())
            .toList();
    node.state = node.state.withErased(node.state.erased().with(erased));
    var lacking = Contract.state("lacking", A, B, C).id();
    node.block(3, List.of(), erased);
    node.block(4, List.of(), List.of(lacking));

    var asked = new ArrayList<StateId>();
    for (int i = 0; i < 3; i++) {
      node.tick(Duration.ofSeconds(5));
      for (var each : node.sent) {
        if (each.message() instanceof StateContentsRequest request) {
          asked.addAll(request.states());
        }
      }
    }

    assertThat(asked).containsOnly(lacking);
  }

  /** Two states of one distribution: who has not the other one asks for it. */
  @Test
  void whatIsOwedToSomebodyIsOwedNoMore() {
    var node = new Node(A, ErasureSettings.NOBODYS);
    var dispatch = DistributingTest.dispatch(ONE, TWO);
    var made = dispatch.outputs().stream().map(PrivateState::id).toList();
    node.tell(new Input.Distribute(List.of(dispatch)));
    node.block(1, List.of(), made);
    node.block(2, made, List.of());
    assertThat(node.state.outbox()).isNotEmpty();

    node.tell(new Input.Erase(made));
    assertThat(node.state.outbox()).isEmpty();
    node.tick(Duration.ofMinutes(1));
    assertThat(node.sent)
        .extracting(Outgoing::message)
        .doesNotHaveAnyElementsOfTypes(StateDistribution.class);
  }

  /** A demand of one state, by a clock that goes on. */
  private StateId demanded(Node node, String name) {
    var state = Contract.state(name, A, B, C);
    node.give(state);
    long height = node.state.height().value();
    node.block(height + 1, List.of(), List.of(state.id()));
    node.block(height + 2, List.of(state.id()), List.of());
    now = now.plusMillis(1);
    node.tell(new Input.Erase(List.of(state.id())));
    return state.id();
  }

  private static List<StateId> asked(Node node) {
    return node.sent.stream()
        .map(Outgoing::message)
        .filter(StateErasure.class::isInstance)
        .flatMap(message -> ((StateErasure) message).states().stream())
        .distinct()
        .toList();
  }

  /** As many as wait would else be sent at once by each life. */
  @Test
  void aLifeTakesUpWhatOthersHaveNotAnsweredAFewDemandsOnEachTickTheOldestFirst() {
    var node = at(A);
    var states = new ArrayList<StateId>();
    for (int i = 0; i < 2 * Erased.TAKEN_UP + 5; i++) {
      states.add(demanded(node, "state " + i));
    }
    node.restart();

    for (int from = 0; from < states.size(); from += Erased.TAKEN_UP) {
      node.tick(Duration.ZERO);
      assertThat(asked(node))
          .isEqualTo(states.subList(from, Math.min(from + Erased.TAKEN_UP, states.size())));
    }
    node.tick(Duration.ZERO);
    assertThat(asked(node)).isEmpty();
    demanded(node, "one more");
    node.tick(Duration.ZERO);
    assertThat(asked(node)).as("it was asked for at once").isEmpty();
  }

  @Test
  void manyStatesAreDeletedSoManyAtATimeOneAfterTheOther() {
    var node = at(A);
    var many =
        IntStream.range(0, 2 * Erased.WIPED_AT_ONCE + 1)
            .mapToObj(i -> Contract.state("many " + i, A).id())
            .toList();
    node.state = node.state.withErased(node.state.erased().with(many));

    var decision = node.rules.decide(node.state, new Input.Tick(), now);
    assertThat(decision.effects())
        .singleElement()
        .satisfies(it -> assertThat(((StateStore.Wipe) it).states()).hasSize(1_000));
    node.tell(new Input.Tick());

    assertThat(node.state.erased().gone()).containsExactlyInAnyOrderElementsOf(many);
    assertThat(node.state.erased().toWipe()).isEmpty();
  }

  @Test
  void demandsAreListedPageByPageTheOldestFirst() {
    var node = at(A);
    var states = new ArrayList<StateId>();
    for (int i = 0; i < 5; i++) {
      states.add(demanded(node, "state " + i));
    }
    var erased = node.state.erased();

    var read = new ArrayList<StateId>();
    Optional<Erased.Place> after = Optional.empty();
    do {
      var page = erased.page(after, 2);
      assertThat(page.demands()).hasSizeBetween(1, 2);
      page.demands().forEach(each -> read.addAll(each.states()));
      after = page.next().map(it -> Erased.Place.parse(it.toString()));
    } while (after.isPresent());

    assertThat(read).isEqualTo(states);
    assertThat(erased.page(Optional.empty(), 5).next()).isEmpty();
  }

  /** A page is an answer, and has to fit into one. */
  @Test
  void aPageIsShorterWhereItsDemandsNameManyStates() {
    var all = Erased.NOTHING;
    for (int i = 0; i < 25; i++) {
      var states = Collections.nCopies(StateErasure.MOST, ID);
      all =
          all.demanded(
              new Erased.Demand(
                  new RequestId("" + i), now, states, List.of(), List.of(), List.of()));
    }

    assertThat(all.page(Optional.empty(), 100).demands()).hasSize(10);
  }

  @Test
  void ofMoreDemandsThanAreRememberedTheOldestThatWaitForNobodyIsForgotten() {
    var all = Erased.NOTHING;
    for (int i = 0; i < Erased.MOST_DEMANDS; i++) {
      all = all.demanded(demand(i, i == 1 ? List.of() : List.of(B)));
    }
    assertThat(all.takesDemands()).isTrue();

    all = all.demanded(demand(Erased.MOST_DEMANDS, List.of(B)));

    assertThat(all.list()).hasSize(Erased.MOST_DEMANDS).doesNotContain(demand(1, List.of()));
    assertThat(all.takesDemands()).as("each waits for a member").isFalse();
    all = all.answered(demand(0, List.of()).id(), B, true);
    assertThat(all.takesDemands()).isTrue();
    assertThat(all.page(Optional.empty(), 1).demands().getFirst().erased()).containsExactly(B);
  }

  private static Erased.Demand demand(int number, List<NodeName> open) {
    return new Erased.Demand(
        new RequestId("demand-" + number),
        Instant.EPOCH.plusSeconds(number),
        List.of(ID),
        open,
        List.of(),
        List.of());
  }

  @Test
  void soManyAreRememberedAndNoMore() {
    var state = at(A).state;
    var many =
        IntStream.range(0, Erased.MOST).mapToObj(i -> Contract.state("many " + i, A).id()).toList();
    var full = state.withErased(state.erased().with(many));

    assertThat(at(A).rules.erasureRefusal(full, List.of(ID), Set.of(ID)).orElseThrow())
        .contains("100000 states of a group");
    assertThat(at(A).rules.erasureRefusal(full, many.subList(0, 3), Set.of())).isEmpty();
  }
}

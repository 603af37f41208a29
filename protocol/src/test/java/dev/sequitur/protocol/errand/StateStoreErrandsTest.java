package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a state store and a coordinator have done by others. The domain wants the state "one" to be
 * there for the first transaction, and breaks at the thirteenth.
 */
class StateStoreErrandsTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction WRONG = Contract.transaction(A, 2);
  private static final PrivateTransaction BROKEN = Contract.transaction(A, 13);
  private static final PrivateState ONE = Contract.state("one", A);
  private static final PrivateState FOREIGN = Contract.state("foreign", B, C);
  private static final Objection NO_MONEY = new Objection("No money.", true);
  private static final Objection NONSENSE = new Objection("Nonsense.", false);

  private final NodeOfA node = new NodeOfA();
  private StateStore rules = rules(false);
  private final List<StateStore.Input> inputs = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final List<TransactionId> resumed = new ArrayList<>();
  private final List<Object> answers = new ArrayList<>();
  private StateStoreState state = StateStoreState.initial();
  private StateStoreErrands errands = errands();
  private int called;
  private CompletionStage<Set<StateId>> underWay = CompletableFuture.completedFuture(Set.of());

  private static StateStore rules(boolean holdAll) {
    return new StateStore(
        A,
        ADDRESS,
        state -> true,
        new StateStore.Members(List.of(B), holdAll),
        SequencerSettings.DEFAULT);
  }

  private StateStoreErrands errands() {
    return new StateStoreErrands(node, rules, Contract.SELECTION, domain(), edge());
  }

  /** Every state is for every member. */
  private void allForAll() {
    rules = rules(true);
    errands = errands();
  }

  private StateStoreErrands.Edge edge() {
    return new StateStoreErrands.Edge() {
      @Override
      public StateStoreState state() {
        return state;
      }

      @Override
      public void found(StateStore.Input.ContentsFound contents) {
        tell(contents);
      }

      @Override
      public void told(StateStore.Input answer) {
        tell(answer);
      }

      @Override
      public CompletionStage<Set<StateId>> underWay() {
        return underWay;
      }

      @Override
      public void resume(List<TransactionId> transactions) {
        resumed.addAll(transactions);
      }

      @Override
      public void failed(Throwable cause) {
        failures.add(cause);
      }
    };
  }

  private void tell(StateStore.Input input) {
    take(new StateStoreErrands.Work(List.of(input), () -> {}));
  }

  /** As the state store does it; its journal is durable at once, contents when they are kept. */
  private void take(StateStoreErrands.Work work) {
    inputs.addAll(work.inputs());
    var effects = new ArrayList<StateStore.Effect>();
    for (var input : work.inputs()) {
      var decision = rules.decide(state, input, Instant.EPOCH);
      state = decision.state();
      effects.addAll(decision.effects());
    }
    errands
        .keep(effects)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                errands.run(effects);
                work.whenDurable().run();
              } else {
                failures.add(failure);
              }
            });
  }

  private Domain domain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> "test";
                  case "validate" ->
                      validate((PrivateTransaction) arguments[1], (Domain.States) arguments[2]);
                  case "assemble" -> assemble((PrivateTransaction) arguments[1]);
                  case "call" -> call((String) arguments[2], (Domain.States) arguments[4]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static Domain.Assembly assemble(PrivateTransaction transaction) {
    if (transaction.equals(BROKEN)) {
      throw new IllegalStateException("secret");
    }
    return new Domain.Assembly.Parked("Later.");
  }

  private static Optional<Objection> validate(
      PrivateTransaction transaction, Domain.States states) {
    if (transaction.equals(BROKEN)) {
      throw new IllegalStateException("secret");
    } else if (transaction.equals(WRONG)) {
      return Optional.of(NONSENSE);
    }
    return has(states) ? Optional.empty() : Optional.of(NO_MONEY);
  }

  private static boolean has(Domain.States states) {
    return states.available(ONE.schema(), ONE.lookup()).iterator().hasNext();
  }

  private Bytes call(String function, Domain.States states) {
    called++;
    return switch (function) {
      case "has" -> Bytes.utf8(Boolean.toString(has(states)));
      case "wrong" -> throw new IllegalArgumentException("There is no such function.");
      default -> throw new IllegalStateException("secret");
    };
  }

  @Test
  void nothingLeavesBeforeAContentIsKept() {
    node.holdsWrites = true;
    var kept = errands.keep(List.of(new StateStore.Keep(List.of(ONE))));
    assertThat(kept).isNotDone();

    node.release();

    assertThat(kept).isCompleted();
    assertThat(node.contents).containsExactly(ONE);
  }

  /** Else it would be deleted, though it is told that it is kept. */
  @Test
  void whatComesAgainWhileItIsDeletedIsKeptBehindThat() {
    node.contents.add(ONE);
    node.holdsWrites = true;
    errands.run(List.of(new StateStore.Drop(Set.of(ONE.id()))));
    var kept = errands.keep(List.of(new StateStore.Keep(List.of(ONE))));
    errands.run(List.of(new StateStore.Recall(Set.of(ONE.id()))));
    assertThat(inputs).isEmpty();

    node.release();

    assertThat(kept).isCompleted();
    assertThat(node.contents).containsExactly(ONE);
    assertThat(inputs).contains(new StateStore.Input.Dropped(Set.of(ONE.id())));
    assertThat(inputs).hasAtLeastOneElementOfType(StateStore.Input.Recalled.class);
  }

  @Test
  void whatCannotBeDeletedIsSaidToBeThere() {
    node.contents.add(ONE);
    node.writesFail = true;
    errands.run(List.of(new StateStore.Drop(Set.of(ONE.id()))));

    assertThat(inputs).containsExactly(new StateStore.Input.Dropped(Set.of()));
  }

  /**
   * ROM-8: of a caller's transaction without a receipt, and of what is on its way to the ledger.
   */
  @Test
  void whatIsUnderWayOnThisNodeIsNeeded() {
    var open = BROKEN;
    var ended = WRONG;
    node.accepted(open);
    node.accepted(ended);
    node.receipts.put(
        ended.id(), Receipt.reverted(ended.id(), ADDRESS, "test", "It failed.", Instant.EPOCH));
    underWay = CompletableFuture.completedFuture(Set.of(state("sent")));
    var anothers = new TransactionId(new UUID(1, 2));

    errands.run(
        List.of(
            new StateStore.Judge(
                Map.of(
                    state("open"),
                    open.id(),
                    state("ended"),
                    ended.id(),
                    state("sent"),
                    anothers,
                    state("another's"),
                    anothers))));

    assertThat(inputs)
        .containsExactly(new StateStore.Input.Judged(Set.of(state("ended"), state("another's"))));
  }

  @Test
  void whereItCannotBeToldWhatIsUnderWayAllIsNeeded() {
    underWay = CompletableFuture.failedFuture(new IllegalStateException("It is away."));
    var anothers = new TransactionId(new UUID(1, 2));

    errands.run(List.of(new StateStore.Judge(Map.of(state("any"), anothers))));

    assertThat(inputs).containsExactly(new StateStore.Input.Judged(Set.of()));
  }

  private static StateId state(String name) {
    return Contract.state(name, A, B).id();
  }

  @Test
  void whatIsDecidedLaterWaitsForTheContentsDecidedBefore() {
    node.holdsWrites = true;
    errands.keep(List.of(new StateStore.Keep(List.of(ONE))));
    var nothingOfItsOwn = errands.keep(List.of());
    assertThat(nothingOfItsOwn).isNotDone();

    node.release();
    assertThat(nothingOfItsOwn).isCompleted();
  }

  @Test
  void nothingLeavesWhereAContentCannotBeKept() {
    node.writesFail = true;
    take(errands.distribute(List.of(dispatch(ONE)), answers::add));

    assertThat(answers).isEmpty();
    assertThat(failures).hasSize(1);
  }

  @Test
  void whatBringsNoContentWaitsForNoWrite() {
    node.holdsWrites = true;
    take(errands.distribute(List.of(dispatch(FOREIGN)), answers::add));

    assertThat(answers).hasSize(1);
    assertThat(node.contents).isEmpty();
  }

  @Test
  void theSubmitterIsToldWhenTheOutputsOfItsDispatchesAreStored() {
    node.holdsWrites = true;
    take(errands.distribute(List.of(dispatch(ONE)), answers::add));
    assertThat(answers).isEmpty();

    node.release();

    assertThat(answers).containsExactly(new SubmitterInput.OutputsStored(List.of(FIRST.key())));
    assertThat(state.unconfirmed()).containsOnlyKeys(ONE.id());
  }

  @Test
  void theSenderIsGivenOfAPreparedTransactionTheOutputsThatItsNodeMayHold() {
    var received = Contract.from(B, prepared(ONE, FOREIGN));
    take(errands.distributePrepared(received, answers::add));

    assertThat(answers).containsExactly(Contract.from(B, prepared(ONE)));
    assertThat(node.contents).containsExactly(ONE);
    assertThat(state.outbox()).as("the others are given theirs").isNotEmpty();
  }

  @Test
  void aBlockIsAppliedOnlyAfterTheOneBeforeIt() {
    var third =
        new BlockNotice(new BlockHeight(3), NodeOfA.NOW, true, Map.of(), List.of(), List.of());

    assertThat(errands.block(third, new BlockHeight(2))).isEmpty();
    assertThat(errands.block(third, BlockHeight.ZERO)).contains(third.forStateStore());
  }

  @Test
  void anAssemblyWaitsUntilThisNodeHasReadAsFarAndForTheStatesOfTheBlocksThatItHasSeen() {
    errands.assemble(work(2), answers::add);
    errands.blockSeen(BlockNotice.heightOnly(new BlockHeight(1), NodeOfA.NOW));
    errands.blockSeen(withStates(2));
    assertThat(answers).isEmpty();

    tell(withStates(2).forStateStore());
    assertThat(answers).as("its content has not come").isEmpty();
    take(errands.deliver(List.of(given(ONE))));

    assertThat(answers)
        .containsExactly(
            new SenderInput.AssemblyFinished(
                new RequestId("assemble"),
                new MessageId(new UUID(0, 1)),
                Map.of(FIRST.id(), new Domain.Assembly.Parked("Later."))));
  }

  @Test
  void anAssemblyThatWaitsForNothingIsMadeAtOnce() {
    errands.assemble(work(0), answers::add);
    assertThat(answers).hasSize(1);
  }

  @Test
  void anIntentIsCheckedUponWhatIsConfirmedAndThenUponWhatIsOnItsWay() {
    assertThat(errands.validate(List.of(FIRST, WRONG)))
        .containsExactly(Optional.of(NO_MONEY), Optional.of(NONSENSE));

    take(errands.deliver(List.of(given(ONE))));
    assertThat(errands.validate(List.of(FIRST, WRONG)))
        .containsExactly(Optional.empty(), Optional.of(NONSENSE));

    tell(withStates(1).forStateStore());
    assertThat(errands.validate(List.of(FIRST))).containsExactly(Optional.empty());
  }

  @Test
  void whatMayPassIsNotHeldAgainstAnIntentWhileStatesOfTheLedgerAreMissing() {
    errands.blockSeen(withStates(1));

    assertThat(errands.validate(List.of(FIRST, WRONG)))
        .containsExactly(Optional.empty(), Optional.of(NONSENSE));
  }

  @Test
  void aFaultOfTheDomainIsToldToTheOperatorAndNothingOfItToTheCaller() {
    var found = errands.validate(List.of(BROKEN, FIRST));

    assertThat(found.get(0)).contains(new Objection(fault(), false));
    assertThat(found.get(1)).contains(NO_MONEY);
    assertThat(node.faults).contains("check an intent: secret");
  }

  @Test
  void aCallIsAnsweredFromTheConfirmedStates() {
    take(errands.deliver(List.of(given(ONE))));
    assertThat(call("has")).isCompletedWithValue(Bytes.utf8("false"));

    tell(withStates(1).forStateStore());
    assertThat(call("has")).isCompletedWithValue(Bytes.utf8("true"));
  }

  @Test
  void whatIsWrongWithACallIsToldAndOfAFaultThatThereIsOne() {
    assertThat(refusal(call("wrong"))).isEqualTo("There is no such function.");
    assertThat(node.faults).isEmpty();

    assertThat(refusal(call("broken"))).isEqualTo(fault());
    assertThat(node.faults).containsExactly("answer a call: secret");
  }

  /** What it finds it knows; what it does not find may be what it lacks (DST-5). */
  @Test
  void aCallThatFindsNothingWhileContentsAreLackingIsRefusedWithWhomItWaitsFor() {
    allForAll();
    var lost = Contract.state("lost", A, B);
    take(errands.deliver(List.of(given(ONE))));
    tell(withStates(1).forStateStore());
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(lost.id())));

    assertThat(call("has")).isCompletedWithValue(Bytes.utf8("true"));
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(3), List.of(ONE.id()), List.of()));
    var waiting = call("has");
    assertThat(waiting).isNotDone();
    node.now = node.now.plusSeconds(3);
    tell(new StateStore.Input.Tick());

    assertThat(refusal(waiting))
        .startsWith("The content of a state that block 2 made has not come to this node.")
        .contains("b was not asked yet");
  }

  @Test
  void aCallThatWaitsIsAnsweredOnceTheContentsHaveCome() {
    allForAll();
    var lost = Contract.state("lost", A, B);
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(lost.id())));
    var waiting = call("has");
    assertThat(waiting).isNotDone();

    take(errands.deliver(List.of(given(lost))));

    assertThat(waiting).isCompletedWithValue(Bytes.utf8("false"));
  }

  /** Hundreds may wait, and inputs come by the dozen: the store would do nothing else. */
  @Test
  void aCallThatWaitsIsMadeAgainOnlyWhenWhatItFoundHasChanged() {
    allForAll();
    var lost = Contract.state("lost", A, B);
    var other = Contract.state("other", A, B);
    take(errands.deliver(List.of(given(ONE), given(other))));
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(lost.id())));
    var first = call("has");
    var second = call("has");
    assertThat(called).isEqualTo(2);

    for (int i = 0; i < 10; i++) {
      tell(new StateStore.Input.Tick());
    }
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(3), List.of(), List.of(other.id())));
    assertThat(called).isEqualTo(2);
    assertThat(first).isNotDone();

    tell(new StateStore.Input.BlockIndexed(new BlockHeight(4), List.of(), List.of(ONE.id())));
    assertThat(called).isEqualTo(4);
    assertThat(first).isCompletedWithValue(Bytes.utf8("true"));
    assertThat(second).isCompletedWithValue(Bytes.utf8("true"));
  }

  @Test
  void whereStatesMayBeForOthersACallIsAnsweredFromWhatThereIs() {
    tell(new StateStore.Input.BlockIndexed(new BlockHeight(2), List.of(), List.of(FOREIGN.id())));

    assertThat(call("has")).isCompletedWithValue(Bytes.utf8("false"));
  }

  private CompletableFuture<Bytes> call(String function) {
    return errands.call(FIRST.from(), function, Bytes.EMPTY).toCompletableFuture();
  }

  private static String refusal(CompletableFuture<Bytes> call) {
    return call.handle((answer, refusal) -> refusal.getMessage()).join();
  }

  @Test
  void ofTheContentsThatItAsksForItIsToldThoseThatAreKeptOfItsContract() {
    node.contents.addAll(List.of(ONE, FOREIGN));
    var unknown = Contract.state("unknown", A).id();

    errands.run(List.of(new StateStore.Load(Set.of(ONE.id(), unknown))));

    assertThat(inputs).containsExactly(new StateStore.Input.ContentsFound(List.of(ONE)));
    assertThat(failures).isEmpty();
  }

  @Test
  void whereContentsCannotBeReadItsLifeEnds() {
    node.readsFail = true;

    errands.run(List.of(new StateStore.Load(Set.of(ONE.id()))));

    assertThat(inputs).isEmpty();
    assertThat(failures)
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("disk");
  }

  @Test
  void aFaultOfTheDomainInAnAssemblyIsToldToTheOperatorAndNothingOfItToTheSender() {
    errands.assemble(work(0, BROKEN), answers::add);

    assertThat(answers)
        .containsExactly(
            new SenderInput.AssemblyFinished(
                new RequestId("assemble"),
                new MessageId(new UUID(0, 1)),
                Map.of(BROKEN.id(), new Domain.Assembly.Failed(fault()))));
    assertThat(node.faults).containsExactly("assemble " + BROKEN.id() + ": secret");
  }

  @Test
  void whatIsCountedIsCounted() {
    errands.run(List.of(StateStore.Counted.FALSE_STATE));
    assertThat(node.counted).containsExactly(StateStore.Counted.FALSE_STATE);
  }

  @Test
  void allThatACoordinatorDispatchesInOneStepIsHandedOverTogether() {
    var handed = new ArrayList<List<Dispatch>>();
    var asked = new ArrayList<String>();
    var coordinators =
        new CoordinatorErrands(
            node,
            new CoordinatorErrands.Edge() {
              @Override
              public void handToSubmitter(List<Dispatch> dispatches) {
                handed.add(dispatches);
              }

              @Override
              public void askForUnconfirmed() {
                asked.add("asked");
              }

              @Override
              public void invalid(Identity endorser) {}
            });
    var one = dispatch(ONE);
    var other = dispatch(FOREIGN);

    coordinators.run(List.of(new CoordinatorEffect.Count(CoordinatorEffect.Counted.REFUSAL)));
    assertThat(handed).isEmpty();
    coordinators.run(
        List.of(
            new CoordinatorEffect.HandToSubmitter(List.of(one)),
            new CoordinatorEffect.LoadUnconfirmedDispatches(),
            new CoordinatorEffect.HandToSubmitter(List.of(other))));

    assertThat(handed).containsExactly(List.of(one, other));
    assertThat(asked).containsExactly("asked");
    assertThat(node.counted).containsExactly(CoordinatorEffect.Counted.REFUSAL);
  }

  private static String fault() {
    return "Domain test has a fault: see the log of this node.";
  }

  private static SenderEffect.Assemble work(long height) {
    return work(height, FIRST);
  }

  private static SenderEffect.Assemble work(long height, PrivateTransaction transaction) {
    return new SenderEffect.Assemble(
        new RequestId("assemble"),
        new MessageId(new UUID(0, 1)),
        new BlockHeight(height),
        StateLocks.NONE,
        List.of(transaction));
  }

  private static BlockNotice withStates(long height) {
    return new BlockNotice(
        new BlockHeight(height), NodeOfA.NOW, true, Map.of(), List.of(), List.of(ONE.id()));
  }

  private static Received<StateDistribution> given(PrivateState... states) {
    var items =
        Stream.of(states).map(each -> new StateDistribution.Item(FIRST.id(), each)).toList();
    return Contract.from(B, new StateDistribution(new RequestId("given"), ADDRESS, items));
  }

  private static Dispatch dispatch(PrivateState output) {
    return new Dispatch(
        new RequestId("dispatch"),
        ADDRESS,
        A,
        new DelegationId(A, 1, 1),
        new BlockRange(1),
        transition(),
        List.of(output));
  }

  private static PreparedTransactionDistribution prepared(PrivateState... outputs) {
    return new PreparedTransactionDistribution(
        new RequestId("prepared"),
        ADDRESS,
        new DelegationId(A, 1, 1),
        transition(),
        List.of(outputs));
  }

  private static PreparedTransaction transition() {
    return new PreparedTransaction(
        FIRST.key(), ADDRESS, List.of(), List.of(), List.of(), Proof.NONE);
  }

  @Test
  void howStatesStandIsReadFromWhatTheStoreKnowsNow() {
    var asked = List.of(ONE.id());
    assertThat(errands.standing(asked)).isEqualTo(new StateStoreState.Standing(Set.of(), Set.of()));

    state = state.confirm(ONE.id());
    assertThat(errands.standing(asked)).isEqualTo(state.standing(asked));
    assertThat(errands.standing(asked).confirmed()).containsExactly(ONE.id());
  }
}

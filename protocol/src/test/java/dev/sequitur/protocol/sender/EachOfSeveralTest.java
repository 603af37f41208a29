package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect.LookUpReceipt;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of several at once becomes of each: of the first as of the last. */
class EachOfSeveralTest {
  private static final HeartbeatSettings TIMES = SenderOfA.SETTINGS.heartbeats();
  private static final Duration TIMEOUT = SenderOfA.SETTINGS.delivery().delegationTimeout();
  private static final PrivateTransaction ONE = Contract.transaction(A, 1);
  private static final PrivateTransaction TWO = Contract.transaction(A, 2);
  private static final PrivateTransaction THREE = Contract.transaction(A, 3);
  private static final List<PrivateTransaction> ALL = List.of(ONE, TWO, THREE);

  private final SenderOfA sender = SenderOfA.started();

  private static TransactionId[] ids(PrivateTransaction... transactions) {
    return Stream.of(transactions).map(PrivateTransaction::id).toArray(TransactionId[]::new);
  }

  private List<DelegationCommand> commands() {
    return sender.sent().stream()
        .filter(DelegationCommand.class::isInstance)
        .map(DelegationCommand.class::cast)
        .toList();
  }

  private List<TransactionId> commanded() {
    return commands().stream().flatMap(command -> command.transactions().stream()).toList();
  }

  private void areAll(TransactionState state) {
    assertThat(ALL).extracting(sender::stateOf).containsOnly(state);
  }

  private void dispatched(PrivateTransaction... transactions) {
    var command = sender.delegated(transactions);
    var items =
        Stream.of(transactions)
            .map(each -> new Dispatched.Item(each.id(), command.delegationId()))
            .toList();
    sender.tell(B, new Dispatched(ADDRESS, items, B));
  }

  private void beats(NodeName submitter, Optional<CannotSubmit> trouble, Pending... pending) {
    sender.tell(
        submitter,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1),
            sender.now(),
            ADDRESS,
            List.of(pending),
            List.of(),
            trouble,
            Optional.empty()));
  }

  private static Pending held(PrivateTransaction transaction) {
    return new Pending(transaction.id(), new BlockRange(1));
  }

  private void named(long number, List<Waiting> waiting, PrivateTransaction... named) {
    sender.tell(
        B,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, number), sender.now(), ADDRESS, List.of(ids(named)), waiting));
  }

  @Test
  void eachCommandWithoutAnAnswerIsRepeated() {
    sender.accept(ONE);
    sender.accept(TWO);
    sender.accept(THREE);

    sender.tickAfter(SenderOfA.SETTINGS.delivery().resend().initial());

    assertThat(commanded()).containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
    assertThat(sender.delegatedTo()).containsOnly(B);
  }

  /** This node is its own coordinator, and chosen again: nothing else takes them back. */
  @Test
  void allThatNobodyHasTakenInTimeIsDelegatedAgain() {
    sender.index(Contract.heightPreferring(A, sender.height));
    sender.accept(ONE, TWO);
    sender.accept(THREE);
    assertThat(sender.delegatedTo()).containsExactly(A);

    sender.tickAfter(TIMEOUT);

    assertThat(sender.delegatedTo()).containsOnly(A);
    assertThat(commanded()).containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
    assertThat(sender.state().delegations().open().values())
        .as("the old ones are over")
        .allSatisfy(open -> assertThat(commands()).contains((DelegationCommand) open.message()));
  }

  /** Whoever is rescinded is asked no more, whatever was out. */
  @Test
  void noneOfTheCommandsToWhoIsNotChosenAnyMoreIsRepeated() {
    sender.accept(ONE);
    sender.accept(TWO);
    sender.accept(THREE);
    sender.accept(Contract.transaction(A, 4));

    sender.index(Contract.heightPreferring(C, sender.height));

    assertThat(sender.command().transactions()).hasSize(4);
    assertThat(sender.state().delegations().open().values())
        .extracting(open -> open.to())
        .containsExactly(C);
  }

  @Test
  void eachBetterOneThatWasPassedOverIsAskedAgainWithATransactionOfItsOwn() {
    sender.index(lastIsThisNode());
    sender.accept(Contract.transaction(A, 9));
    for (int i = 0; i < 2; i++) {
      sender.rejected(sender.command(), new DelegationRejected.CannotSubmit("no ledger"));
    }
    sender.accepted(sender.command(), 1);
    sender.passes(TIMES.presumedUnavailable());

    sender.accept(ONE, TWO, THREE);

    assertThat(commands())
        .extracting(DelegationCommand::delegateNode)
        .containsExactlyInAnyOrder(A, B, C);
    assertThat(commands()).allSatisfy(each -> assertThat(each.transactions()).hasSize(1));
  }

  private BlockHeight lastIsThisNode() {
    var height = sender.height;
    do {
      height = new BlockHeight(height.value() + 10);
    } while (!Contract.SELECTION
        .ranking(Contract.SELECTION.range(height))
        .members()
        .get(2)
        .identity()
        .node()
        .equals(A));
    return height;
  }

  @Test
  void anAnswerInPartsLeavesTheCommandOpenWhicheverPartItIs() {
    for (var answered : List.of(ONE, TWO)) {
      var fresh = SenderOfA.started();
      fresh.accept(ONE, TWO);
      var command = fresh.command();

      fresh.tell(
          B,
          new DelegationAccepted(
              command.delegationId(),
              B,
              ADDRESS,
              List.of(answered.id()),
              new HeartbeatSequence(1, 1)));

      assertThat(fresh.state().delegations().open()).hasSize(1);
    }
  }

  @Test
  void allThatIsRejectedIsDelegatedAgain() {
    sender.accept(ONE, TWO, THREE);
    sender.rejected(sender.command(), new DelegationRejected.Overloaded(Duration.ofSeconds(1)));
    areAll(TransactionState.PENDING);

    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(commanded()).containsExactly(ids(ONE, TWO, THREE));
  }

  @Test
  void allThatItsCoordinatorHasForgottenIsDelegatedAgain() {
    sender.delegated(ONE, TWO, THREE);

    named(2, List.of());

    assertThat(commanded()).containsExactly(ids(ONE, TWO, THREE));
  }

  @Test
  void allThatASilentCoordinatorHasIsDelegatedAgain() {
    sender.delegated(ONE, TWO, THREE);

    sender.tickAfter(TIMES.coordinatorFailureThreshold());

    assertThat(commanded()).containsExactly(ids(ONE, TWO, THREE));
  }

  @Test
  void eachIsToldOfAllWhomItWaitsFor() {
    sender.delegated(ONE, TWO, THREE);
    var asked =
        Stream.of(B, C)
            .map(node -> new Asked(Contract.party(node), sender.now(), 3, Optional.empty()))
            .toList();
    var more = List.of(new Asked(Contract.party(C), sender.now(), 1, Optional.empty()));

    named(
        2,
        List.of(new Waiting(List.of(ids(ONE, TWO)), asked), new Waiting(List.of(ids(THREE)), more)),
        ONE,
        TWO,
        THREE);

    for (var each : List.of(ONE, TWO)) {
      assertThat(sender.transaction(each).waiting().orElseThrow())
          .contains("party@b's endorsement")
          .contains("party@c's endorsement");
      assertThat(sender.transaction(each).awaitedNodes()).containsExactlyInAnyOrder(B, C);
    }
    assertThat(sender.transaction(THREE).awaitedNodes()).containsExactly(C);
  }

  @Test
  void allThatASubmitterNamesIsHeldByIt() {
    sender.delegated(ONE, TWO, THREE);

    beats(B, Optional.empty(), held(ONE), held(TWO), held(THREE));

    areAll(TransactionState.DISPATCHED);
  }

  @Test
  void allThatNoSubmitterNamesAnyMoreIsSoughtAndDelegatedAgain() {
    dispatched(ONE, TWO, THREE);

    sender.tickAfter(TIMES.submitterFailureThreshold());

    assertThat(sender.effects(SenderEffect.SeekConfirmation.class))
        .singleElement()
        .satisfies(
            seek ->
                assertThat(seek.intents())
                    .containsExactlyInAnyOrder(ONE.key(), TWO.key(), THREE.key()));
    assertThat(commanded()).containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
  }

  @Test
  void allThatASubmitterCannotSubmitIsDelegatedAgain() {
    dispatched(ONE, TWO, THREE);
    var trouble = Optional.of(new CannotSubmit(Instant.EPOCH, "no ledger"));
    beats(B, trouble, held(ONE), held(TWO), held(THREE));
    assertThat(ALL)
        .allSatisfy(
            each -> assertThat(sender.transaction(each).progress().stuck()).contains("no ledger"));

    sender.tickAfter(TIMES.submitterFailureThreshold());

    assertThat(commanded()).containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
  }

  /** One of them holds back, whichever it is. */
  @Test
  void itHoldsOffForEachSubmitterThatHoldsSomethingEarlier() {
    var earlier = Contract.SELECTION.range(sender.height);
    var held = new Pending(Contract.transaction(C, 9).id(), earlier);
    var later = new Pending(Contract.transaction(C, 10).id(), new BlockRange(earlier.index() + 9));
    for (var busy : List.of(A, C)) {
      var fresh = SenderOfA.started();
      fresh.index(Contract.heightPreferring(B, fresh.height));
      fresh.passes(TIMES.submitterInterval());
      for (var submitter : List.of(A, C)) {
        fresh.tell(
            submitter,
            new SubmitterHeartbeatNotification(
                new HeartbeatSequence(1, 1),
                fresh.now(),
                ADDRESS,
                submitter.equals(busy) ? List.of(later, held, later) : List.of(later),
                List.of()));
      }

      fresh.accept(ONE);

      assertThat(fresh.delegatedTo()).as("%s holds one", busy).isEmpty();
    }
  }

  @Test
  void allThatItsCallersLeaveTooLongEnds() {
    var left = List.of(SenderOfA.external(1), SenderOfA.external(2), SenderOfA.external(3));
    sender.delegated(left.toArray(PrivateTransaction[]::new));
    for (var each : left) {
      var delegation = sender.transaction(each).progress().delegation().orElseThrow();
      sender.tell(new SenderInput.PreparedStored(Contract.from(B, distribution(each, delegation))));
    }

    sender.tickAfter(SenderOfA.SETTINGS.limits().externalLock());

    assertThat(sender.completed())
        .extracting(Receipt::transaction)
        .containsExactlyInAnyOrder(
            left.stream().map(PrivateTransaction::id).toArray(TransactionId[]::new));
  }

  private static PreparedTransactionDistribution distribution(
      PrivateTransaction transaction, DelegationId delegation) {
    return new PreparedTransactionDistribution(
        new RequestId("distribution of " + transaction.id()),
        ADDRESS,
        delegation,
        new PreparedTransaction(
            transaction.key(), ADDRESS, List.of(), List.of(), List.of(), Proof.NONE),
        List.of());
  }

  @Test
  void allThatIsParkedIsResumedInItsTime() {
    sender.delegated(ONE, TWO, THREE);
    assembled(new Domain.Assembly.Parked("later"));
    areAll(TransactionState.PARKED);

    sender.tickAfter(SenderOfA.SETTINGS.retries().parkedFor());

    assertThat(commanded()).containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
  }

  private void assembled(Domain.Assembly result) {
    var request = new RequestId("assembly");
    var delegation = sender.transaction(ONE).progress().delegation().orElseThrow();
    var items =
        ALL.stream()
            .map(each -> new AssembleRequest.Item(each.id(), delegation, Bytes.EMPTY, Bytes.EMPTY))
            .toList();
    sender.tell(B, new AssembleRequest(request, ADDRESS, sender.height, StateLocks.NONE, items));
    var results = new HashMap<TransactionId, Domain.Assembly>();
    ALL.forEach(each -> results.put(each.id(), result));
    sender.tell(new SenderInput.AssemblyFinished(request, new MessageId(new UUID(0, 0)), results));
  }

  @Test
  void allThatABlockConfirmsIsConfirmed() {
    sender.delegated(ONE, TWO, THREE);
    var onLedger =
        new Receipt.OnLedger(
            new TransactionHash(Contract.hash("transaction")),
            sender.height,
            0,
            List.of(),
            List.of(),
            List.of());
    var confirmed = new HashMap<IntentKey, Receipt.OnLedger>();
    ALL.forEach(each -> confirmed.put(each.key(), onLedger));

    sender.tell(new SenderInput.BlockIndexed(sender.height, sender.now(), confirmed));

    assertThat(sender.completed())
        .extracting(Receipt::transaction)
        .containsExactlyInAnyOrder(ids(ONE, TWO, THREE));
  }

  @Test
  void eachOfWhatItDependsOnIsAwaitedAndLookedUpAgain() {
    sender.accept(SenderOfA.after(4, ONE, TWO));
    assertThat(sender.effects(LookUpReceipt.class))
        .containsExactlyInAnyOrder(new LookUpReceipt(ONE.id()), new LookUpReceipt(TWO.id()));
    sender.tickAfter(SenderOfA.SETTINGS.retries().attempt().initial());
    assertThat(sender.effects(LookUpReceipt.class))
        .containsExactlyInAnyOrder(new LookUpReceipt(ONE.id()), new LookUpReceipt(TWO.id()));

    sender.tell(new SenderInput.DependencyEnded(ONE.id(), true));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tell(new SenderInput.DependencyEnded(TWO.id(), true));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void allThatWaitForOneGoOnWithItAndEndWithIt() {
    for (boolean success : List.of(true, false)) {
      var fresh = SenderOfA.started();
      var waiting = Stream.of(4L, 5L, 6L).map(number -> SenderOfA.after(number, ONE)).toList();
      fresh.accept(waiting.toArray(PrivateTransaction[]::new));

      fresh.tell(new SenderInput.DependencyEnded(ONE.id(), success));

      var expected = waiting.stream().map(PrivateTransaction::id).toArray(TransactionId[]::new);
      if (success) {
        assertThat(fresh.command().transactions()).containsExactly(expected);
      } else {
        assertThat(fresh.completed())
            .extracting(Receipt::transaction)
            .containsExactlyInAnyOrder(expected);
      }
    }
  }

  @Test
  void ofADependantThatEndsNothingIsLookedUpAnyMore() {
    var dependant = SenderOfA.after(4, ONE, TWO);
    sender.accept(dependant);

    sender.confirm(dependant);

    assertThat(sender.state().dependencies().awaited()).isEmpty();
  }

  @Test
  void allThatEndByTheirDeadlineAreDeniedUntilTheirCoordinatorNamesNoneOfThem() {
    var urgent = ALL.stream().map(each -> each.by(sender.now().plusMillis(1))).toList();
    sender.delegated(urgent.toArray(PrivateTransaction[]::new));
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.state().lettingGo().byId()).hasSize(3);

    named(2, List.of(), ONE, TWO, THREE);
    assertThat(sender.sent())
        .singleElement()
        .isInstanceOfSatisfying(
            DispatchConfirmationResponse.class,
            told ->
                assertThat(told.denied())
                    .extracting(DispatchConfirmationResponse.Denied::transaction)
                    .containsExactly(ids(ONE, TWO, THREE)));
    var threshold = TIMES.coordinatorFailureThreshold();
    sender.tickAfter(threshold.minusMillis(1));
    named(3, List.of(), ONE, THREE);
    assertThat(sender.state().lettingGo().byId()).containsOnlyKeys(ids(ONE, THREE));
    sender.tickAfter(threshold.minusMillis(1));
    assertThat(sender.state().lettingGo().byId()).as("named meanwhile").hasSize(2);

    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.state().lettingGo().byId()).isEmpty();
  }
}

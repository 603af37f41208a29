package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.Messages;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.table.TransitionTable;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What crosses what a sender is about: whatever it is told of a transaction, in whatever state that
 * is, it goes on as SND-1 says. It comes to each state by what it is told.
 */
class CrossingsTest {
  private static final Set<TransactionState> LIVE =
      EnumSet.complementOf(EnumSet.of(TransactionState.CONFIRMED, TransactionState.REVERTED));

  private SenderOfA sender;
  private PrivateTransaction transaction;
  private Received<PreparedTransactionDistribution> prepared;

  /** That the ledger has fulfilled it, which ends it wherever it is. */
  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatABlockFulfilsIsConfirmedInEveryState(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);

    sender.confirm(transaction);

    assertThat(sender.transaction(transaction)).isNull();
    assertThat(sender.completed()).singleElement().matches(receipt -> receipt.success());
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatASubmitterHoldsIsDispatchedInEveryState(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);

    dispatched();

    assertThat(sender.stateOf(transaction)).isEqualTo(TransactionState.DISPATCHED);
    assertThat(sender.transaction(transaction).progress().submitter()).contains(B);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED", "DISPATCHED"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsStoredForItsCallerIsLeftToItInEveryState(TransactionState state) {
    bring(SenderOfA.external(1), state);

    sender.tell(new SenderInput.PreparedStored(prepared));

    assertThat(sender.stateOf(transaction)).isEqualTo(TransactionState.PREPARED);
    assertThat(sender.transaction(transaction).isLeftToCaller()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED"},
      mode = EnumSource.Mode.EXCLUDE)
  void anotherAssemblyIsMadeUntilItIsDispatched(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);

    askForAssembly("another");

    assertThat(sender.stateOf(transaction))
        .isEqualTo(next(state, TransactionEvent.ASSEMBLE_REQUESTED));
    assertThat(sender.effects(SenderEffect.Assemble.class))
        .hasSize(moves(state, TransactionEvent.ASSEMBLE_REQUESTED) ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatItsCoordinatorCouldNotHaveFulfilledIsTriedAgain(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);
    int before = sender.transaction(transaction).attempts();

    reverted(true);

    assertThat(sender.stateOf(transaction))
        .isEqualTo(next(state, TransactionEvent.SUBMISSION_REVERTED));
    assertThat(sender.transaction(transaction).attempts() > before)
        .isEqualTo(moves(state, TransactionEvent.SUBMISSION_REVERTED));
  }

  /** While it is pending nobody has it, so that nobody can end it. */
  @ParameterizedTest
  @EnumSource(
      names = {"CONFIRMED", "REVERTED", "PENDING"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatItsCoordinatorGivesUpForGoodEndsAsReverted(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);

    reverted(false);

    assertThat(sender.transaction(transaction)).isNull();
    assertThat(sender.completed())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.failureMessage()).contains("No."));
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARED", "DISPATCHED"})
  void whatNoSubmitterNamesForTooLongIsDelegatedAnew(TransactionState state) {
    bring(Contract.transaction(Contract.A, 1), state);

    sender.tickAfter(SenderOfA.SETTINGS.heartbeats().submitterFailureThreshold());

    assertThat(sender.counted(SenderEffect.Counted.SUBMITTER_LOST)).isTrue();
    assertThat(sender.stateOf(transaction))
        .isIn(TransactionState.PENDING, TransactionState.DELEGATING);
    assertThat(sender.transaction(transaction).history())
        .extracting(Receipt.Happened::what)
        .contains("the submitter of b is silent");
  }

  private static TransactionState next(TransactionState state, TransactionEvent event) {
    return row(state, event)
        .filter(row -> row.kind() == Kind.MOVE)
        .map(TransitionTable.Row::next)
        .orElse(state);
  }

  private static boolean moves(TransactionState state, TransactionEvent event) {
    return row(state, event).filter(row -> row.kind() == Kind.MOVE).isPresent();
  }

  private static Optional<
          TransitionTable.Row<TransactionState, TransactionEvent, SenderStep.Action>>
      row(TransactionState state, TransactionEvent event) {
    return SenderTable.TRANSACTION.rows().stream()
        .filter(row -> row.state() == state && row.event() == event)
        .findAny();
  }

  /** By what a sender is told. */
  private void bring(PrivateTransaction which, TransactionState to) {
    assertThat(LIVE).contains(to);
    sender = SenderOfA.started();
    transaction = which;
    sender.accept(which);
    var command = sender.command();
    prepare();
    switch (to) {
      case PENDING ->
          sender.rejected(command, new DelegationRejected.Overloaded(Duration.ofSeconds(1)));
      case DELEGATING -> {}
      case DELEGATED -> sender.accepted(command, 1);
      case ASSEMBLING -> {
        sender.accepted(command, 1);
        askForAssembly("first");
      }
      case PARKED -> {
        sender.accepted(command, 1);
        askForAssembly("first");
        sender.tell(
            new SenderInput.AssemblyFinished(
                new RequestId("first"),
                new MessageId(new UUID(0, 0)),
                Map.of(which.id(), new Domain.Assembly.Parked("Later."))));
      }
      case PREPARED -> {
        sender.accepted(command, 1);
        if (which.submitMode() == SubmitMode.EXTERNAL) {
          sender.tell(new SenderInput.PreparedStored(prepared));
        } else {
          leave(command.delegationId());
        }
      }
      case DISPATCHED -> {
        sender.accepted(command, 1);
        leave(command.delegationId());
        dispatched();
      }
      case CONFIRMED, REVERTED -> throw new IllegalStateException("It has left.");
    }
    assertThat(sender.stateOf(which)).isEqualTo(to);
  }

  /** Of an external one; the store has still to write it. */
  private void prepare() {
    var like = Messages.DISTRIBUTION;
    prepared =
        Contract.from(
            B,
            new PreparedTransactionDistribution(
                like.distributionId(), ADDRESS, delegation(), like.prepared(), List.of()));
    sender.tell(new SenderInput.FromNode(prepared));
  }

  private DelegationId delegation() {
    return sender
        .transaction(transaction)
        .progress()
        .delegation()
        .orElse(new DelegationId(Contract.A, 1, 0));
  }

  private void askForAssembly(String request) {
    var item = new AssembleRequest.Item(transaction.id(), delegation(), Bytes.EMPTY, Bytes.EMPTY);
    sender.tell(
        B,
        new AssembleRequest(
            new RequestId(request), ADDRESS, sender.height, StateLocks.NONE, List.of(item)));
  }

  /** It was never assembled in this life, so that any assembly is right. */
  private void leave(DelegationId delegation) {
    sender.tell(
        B,
        new RequestDispatchConfirmation(
            new RequestId("leave"),
            ADDRESS,
            B,
            List.of(
                new RequestDispatchConfirmation.Item(
                    transaction.id(), delegation, Contract.hash("any")))));
  }

  private void dispatched() {
    sender.tell(
        B,
        new Dispatched(ADDRESS, List.of(new Dispatched.Item(transaction.id(), delegation())), B));
  }

  private void reverted(boolean retryable) {
    sender.tell(
        B,
        new TransactionReverted(
            new RequestId("reverted"),
            transaction.id(),
            ADDRESS,
            Optional.empty(),
            "No.",
            retryable));
  }
}

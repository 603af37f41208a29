package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose answers to a delegation count, and for what. */
class DelegationAnswersTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final DelegationId OF_FIRST = new DelegationId(A, 1, 1);
  private static final DelegationId OF_SECOND = new DelegationId(A, 1, 2);

  private final SenderOfA sender = SenderOfA.started();

  @BeforeEach
  void delegateBothToB() {
    sender.accept(FIRST);
    assertThat(sender.delegatedTo()).containsExactly(B);
    sender.accept(SECOND);
    assertThat(sender.transaction(FIRST).progress().delegation()).contains(OF_FIRST);
    assertThat(sender.transaction(SECOND).progress().delegation()).contains(OF_SECOND);
  }

  @Test
  void anAcceptanceIsBelievedOfTheDelegateOnly() {
    sender.tell(C, accepted(OF_FIRST, FIRST));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATING);
    assertThat(sender.state().delegations().get(OF_FIRST)).isPresent();

    sender.tell(B, accepted(OF_FIRST, FIRST));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.state().delegations().get(OF_FIRST)).isEmpty();
  }

  @Test
  void aRejectionIsBelievedOfTheDelegateOnly() {
    sender.tell(C, rejected(OF_FIRST, FIRST));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATING);
    assertThat(sender.state().choice().notBefore()).isBeforeOrEqualTo(sender.now());

    sender.tell(B, rejected(OF_FIRST, FIRST));
    assertThat(state(FIRST)).isEqualTo(TransactionState.PENDING);
    assertThat(sender.state().choice().notBefore()).isAfter(sender.now());
  }

  @Test
  void anAnswerToOneDelegationSaysNothingOfWhatAnotherNames() {
    sender.tell(B, accepted(OF_FIRST, FIRST, SECOND));
    assertThat(state(SECOND)).isEqualTo(TransactionState.DELEGATING);

    sender.tell(B, rejected(OF_SECOND, FIRST, SECOND));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATED);
    assertThat(state(SECOND)).isEqualTo(TransactionState.PENDING);
  }

  @Test
  void nothingIsAssembledForAnybodyElseThanTheDelegateNorUnderAnotherDelegation() {
    sender.tell(B, accepted(OF_FIRST, FIRST));

    sender.tell(C, request("one", OF_FIRST));
    assertRefused();
    sender.tell(B, request("two", OF_SECOND));
    assertRefused();

    sender.tell(B, request("three", OF_FIRST));
    assertThat(sender.effects(SenderEffect.Assemble.class)).hasSize(1);
  }

  private void assertRefused() {
    assertThat(sender.effects(SenderEffect.Assemble.class)).isEmpty();
    assertThat(sender.last().messages())
        .singleElement()
        .satisfies(
            answer ->
                assertThat(((AssembleError) answer.message()).reason())
                    .isEqualTo(AssembleError.Reason.NOT_ACTIVE_DELEGATION));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void whoSpeaksOfTheSubmitterOfAnotherNodeIsNotBelieved() {
    sender.tell(B, new Dispatched(ADDRESS, List.of(new Dispatched.Item(FIRST.id(), OF_FIRST)), C));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DELEGATING);

    sender.tell(B, new Dispatched(ADDRESS, List.of(new Dispatched.Item(FIRST.id(), OF_FIRST)), B));
    assertThat(state(FIRST)).isEqualTo(TransactionState.DISPATCHED);
  }

  @Test
  void allThatOneMessageNamesIsHeldByTheSubmitterAndNothingElse() {
    sender.tell(
        B,
        new Dispatched(
            ADDRESS,
            List.of(
                new Dispatched.Item(new TransactionId(new UUID(7, 7)), OF_FIRST),
                new Dispatched.Item(FIRST.id(), OF_FIRST),
                new Dispatched.Item(SECOND.id(), OF_SECOND)),
            B));

    assertThat(state(FIRST)).isEqualTo(TransactionState.DISPATCHED);
    assertThat(state(SECOND)).isEqualTo(TransactionState.DISPATCHED);
  }

  @Test
  void aRevertIsBelievedOfNobodyWhoHasNothingToDoWithIt() {
    sender.tell(B, new Dispatched(ADDRESS, List.of(new Dispatched.Item(FIRST.id(), OF_FIRST)), B));

    for (boolean retryable : List.of(true, false)) {
      sender.tell(
          C,
          new TransactionReverted(
              new RequestId("revert"), FIRST.id(), ADDRESS, Optional.empty(), "no", retryable));
      assertThat(state(FIRST)).isEqualTo(TransactionState.DISPATCHED);
      assertThat(sender.completed()).isEmpty();
    }
  }

  private TransactionState state(PrivateTransaction transaction) {
    return sender.transaction(transaction).state();
  }

  private static AssembleRequest request(String id, DelegationId delegation) {
    return new AssembleRequest(
        new RequestId(id),
        ADDRESS,
        BlockHeight.ZERO,
        StateLocks.NONE,
        List.of(new AssembleRequest.Item(FIRST.id(), delegation, FIRST.inputs(), Bytes.EMPTY)));
  }

  private static DelegationAccepted accepted(
      DelegationId delegation, PrivateTransaction... transactions) {
    return new DelegationAccepted(
        delegation, B, ADDRESS, ids(transactions), new HeartbeatSequence(1, 1));
  }

  private static DelegationRejected rejected(
      DelegationId delegation, PrivateTransaction... transactions) {
    return new DelegationRejected(
        delegation,
        B,
        ADDRESS,
        ids(transactions),
        new DelegationRejected.Overloaded(Duration.ofSeconds(1)));
  }

  private static List<TransactionId> ids(PrivateTransaction... of) {
    return List.of(of).stream().map(PrivateTransaction::id).toList();
  }
}

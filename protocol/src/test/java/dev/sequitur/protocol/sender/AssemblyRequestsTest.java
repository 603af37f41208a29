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
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleError.Reason;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a sender answers to its coordinator's requests for assemblies (ASM-3). */
class AssemblyRequestsTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final RequestId REQUEST = new RequestId("request");
  private static final MessageId MESSAGE = new MessageId(new UUID(0, 0));
  private static final PostAssembly ASSEMBLY = assembly("made");
  private static final StateLocks LOCKS =
      StateLocks.NONE.with(
          new PostAssembly(
              List.of(Contract.state("spent", A)),
              List.of(),
              List.of(),
              List.of(),
              Bytes.EMPTY,
              List.of(),
              Proof.NONE));

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void theDomainAssemblesWhatIsAskedForUponTheLocksOfTheRequest() {
    sender.delegated(FIRST, SECOND);

    ask(B, REQUEST, FIRST, SECOND);

    assertThat(sender.effects(SenderEffect.Assemble.class))
        .containsExactly(
            new SenderEffect.Assemble(
                REQUEST, MESSAGE, sender.height, LOCKS, List.of(FIRST, SECOND)));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.ASSEMBLING);
    assertThat(sender.sent()).isEmpty();
  }

  /** The coordinator may have read less than this node, of which the sender knows. */
  @Test
  void nothingIsAssembledUponLessThanTheSenderHasRead() {
    sender.delegated(FIRST);
    var next = new BlockHeight(sender.height.value() + 1);
    sender.tell(new SenderInput.BlockIndexed(next, sender.now(), Map.of()));

    ask(B, REQUEST, FIRST);

    assertThat(sender.effects(SenderEffect.Assemble.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.blockHeight()).isEqualTo(next));
  }

  @Test
  void whatCannotBeAssembledIsAnsweredForItselfAndTheOthersAreAssembled() {
    var ended = Contract.transaction(A, 3);
    var unknown = Contract.transaction(A, 4);
    sender.delegated(FIRST, ended);
    var active = sender.transaction(FIRST).progress().delegation().orElseThrow();
    sender.tell(
        B,
        new TransactionReverted(
            new RequestId("ended"), ended.id(), ADDRESS, Optional.empty(), "no", false));

    sender.tell(
        B, request(REQUEST, item(unknown, active), item(ended, active), item(FIRST, active)));

    assertThat(sender.sent())
        .containsExactly(
            error(unknown, REQUEST, Reason.UNKNOWN_TRANSACTION, ""),
            error(ended, REQUEST, Reason.REVERTED, ""));
    assertThat(sender.effects(SenderEffect.Assemble.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.transactions()).containsExactly(FIRST));
  }

  @Test
  void onlyTheActiveDelegateUnderTheActiveDelegationGetsAnAssembly() {
    sender.delegated(FIRST);
    var active = sender.transaction(FIRST).progress().delegation().orElseThrow();
    var another = new DelegationId(A, active.epoch(), active.counter() + 1);

    sender.tell(C, request(REQUEST, item(FIRST, active)));
    assertThat(sender.sent())
        .containsExactly(error(FIRST, REQUEST, Reason.NOT_ACTIVE_DELEGATION, ""));
    sender.tell(B, request(REQUEST, item(FIRST, another)));
    assertThat(sender.sent())
        .containsExactly(error(FIRST, REQUEST, Reason.NOT_ACTIVE_DELEGATION, ""));

    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void whatIsAssembledIsAnswered() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);

    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));

    assertThat(sender.last().messages())
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.to()).isEqualTo(B);
              assertThat(answer.inReplyTo()).contains(MESSAGE);
              assertThat(answer.message()).isEqualTo(response(REQUEST, ASSEMBLY));
            });
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  /** A resend of a request (ASM-7). */
  @Test
  void theSameRequestAgainGetsTheSameAnswerOnceThereIsOne() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);

    ask(B, REQUEST, FIRST);
    assertThat(sender.sent()).isEmpty();
    assertThat(sender.last().effects()).isEmpty();

    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));
    ask(B, REQUEST, FIRST);
    assertThat(sender.sent()).containsExactly(response(REQUEST, ASSEMBLY));
    assertThat(sender.last().effects()).isEmpty();
  }

  /** A new request (ASM-7). */
  @Test
  void anotherRequestIsAssembledAnew() {
    var newer = new RequestId("newer");
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);
    assertThat(sender.counted(SenderEffect.Counted.REASSEMBLY)).isFalse();
    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));

    ask(B, newer, FIRST);
    assertThat(sender.counted(SenderEffect.Counted.REASSEMBLY)).isTrue();
    assertThat(sender.effects(SenderEffect.Assemble.class)).hasSize(1);

    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));
    assertThat(sender.sent()).as("of the earlier request").isEmpty();
    finished(newer, FIRST, new Domain.Assembly.Assembled(assembly("other")));
    assertThat(sender.sent()).containsExactly(response(newer, assembly("other")));
  }

  @Test
  void whatWasDelegatedElsewhereMeanwhileIsDropped() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);
    sender.index(Contract.heightPreferring(C, sender.height));

    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));

    assertThat(sender.sent()).isEmpty();
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATING);
  }

  @Test
  void whatFailsIsTriedAgainAfterABackOff() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);

    finished(REQUEST, FIRST, new Domain.Assembly.Failed("not now"));

    assertThat(sender.sent()).containsExactly(error(FIRST, REQUEST, Reason.FAILED, "not now"));
    var earliest =
        sender.now().plus(SenderOfA.SETTINGS.retries().attempt().wait(1, FIRST.id().hashCode()));
    assertThat(sender.last().events())
        .containsExactly(
            new SenderEvent.AttemptFailed(
                FIRST.id(),
                1,
                earliest,
                Optional.of(new Receipt.Happened(sender.now(), "not now"))));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.PENDING);
    assertThat(sender.transaction(FIRST).notBefore()).isEqualTo(earliest);
  }

  private static final Domain.Assembly LACKING =
      new Domain.Assembly.Insufficient("more than the balance");

  /** That another of its own is slow is no try of this one (SND-7). */
  @Test
  void whatLacksWhileAnotherOfItsOwnIsUnderWayWaitsForThatWhateverItTakes() {
    sender.delegated(FIRST, SECOND);
    ask(B, REQUEST, FIRST);
    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));
    for (int i = 0; i < 30; i++) {
      var again = new RequestId("again" + i);
      ask(B, again, SECOND);
      finished(again, SECOND, LACKING);
      assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.PENDING);
      sender.tickAfter(SenderOfA.SETTINGS.retries().attempt().cap());
      sender.accepted(sender.command(), i + 2);
      sender.tell(B, named(i + 2));
    }

    assertThat(sender.transaction(SECOND).attempts()).isZero();
  }

  /** However long that has it: what it needs is there (EXT-4). */
  @Test
  void whatNeedsWhatAnotherMembersHasTakenWaitsWhateverItTakes() {
    sender.delegated(SECOND);
    for (int i = 0; i < 30; i++) {
      var again = new RequestId("again" + i);
      ask(B, again, SECOND);
      finished(again, SECOND, new Domain.Assembly.Taken("another changes the record"));
      assertThat(sender.sent())
          .containsExactly(error(SECOND, again, Reason.FAILED, "another changes the record"));
      assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.PENDING);
      sender.tickAfter(SenderOfA.SETTINGS.retries().attempt().cap());
      sender.accepted(sender.command(), i + 2);
    }

    assertThat(sender.transaction(SECOND).attempts()).isZero();
  }

  /** And is refused as soon as none is, and not after so many tries. */
  @Test
  void whatStillLacksOnceNothingElseOfItsOwnIsUnderWayIsRefusedAtOnce() {
    sender.delegated(FIRST, SECOND);
    ask(B, REQUEST, FIRST);
    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));
    var second = new RequestId("second");
    ask(B, second, SECOND);
    finished(second, SECOND, LACKING);
    assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.PENDING);

    sender.confirm(FIRST);
    assertThat(sender.command().transactions()).as("at once").containsExactly(SECOND.id());
    sender.accepted(sender.command(), 2);
    var third = new RequestId("third");
    ask(B, third, SECOND);
    finished(third, SECOND, LACKING);

    assertThat(sender.state().transactions()).isEmpty();
    assertThat(sender.effects(SenderEffect.Complete.class))
        .singleElement()
        .satisfies(
            complete ->
                assertThat(complete.receipts().get(0).failureMessage())
                    .contains("more than the balance"));
  }

  /** Two that both lack do not wait for each other. */
  @Test
  void whatWaitsItselfIsNotUnderWay() {
    sender.delegated(FIRST, SECOND);
    ask(B, REQUEST, FIRST);
    finished(REQUEST, FIRST, LACKING);
    var second = new RequestId("second");
    ask(B, second, SECOND);

    finished(second, SECOND, LACKING);

    assertThat(sender.transaction(SECOND).attempts()).as("an ordinary try").isEqualTo(1);
  }

  private static CoordinatorHeartbeatNotification named(long number) {
    return new CoordinatorHeartbeatNotification(
        new HeartbeatSequence(1, number), Instant.EPOCH, ADDRESS, List.of(FIRST.id(), SECOND.id()));
  }

  @Test
  void whatIsPutAsideIsParkedAcrossRestartsUntilItsTime() {
    var parkedFor = SenderOfA.SETTINGS.retries().parkedFor();
    park();
    var until = sender.now().plus(parkedFor);
    assertThat(sender.sent()).containsExactly(error(FIRST, REQUEST, Reason.PARKED, "later"));
    assertThat(sender.last().events())
        .containsExactly(new SenderEvent.Parked(FIRST.id(), until, "later"));

    sender.restart(List.of(FIRST), Map.of());
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.PARKED);
    sender.tickAfter(parkedFor.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.delegatedTo()).containsExactly(B);
    assertThat(sender.last().events()).containsExactly(new SenderEvent.Resumed(FIRST.id()));
    sender.restart(List.of(FIRST), Map.of());
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.PENDING);
  }

  @Test
  void whyItWasPutAsideIsToldAndNotOnlyThatACallResumesIt() {
    park();
    assertThat(sender.transaction(FIRST).parkedFor()).isEqualTo("later");

    sender.restart(List.of(FIRST), Map.of());

    assertThat(sender.transaction(FIRST).parkedFor())
        .isEqualTo("It was parked before this node was started.");
  }

  @Test
  void whatIsPutAsideUntilItsDeadlineSaysWhy() {
    var urgent = FIRST.by(sender.now().plusSeconds(5));
    sender.delegated(urgent);
    ask(B, REQUEST, urgent);
    finished(REQUEST, urgent, new Domain.Assembly.Parked("Contents have not come."));

    sender.tickAfter(Duration.ofSeconds(5));

    assertThat(sender.effects(SenderEffect.Complete.class))
        .singleElement()
        .satisfies(
            complete ->
                assertThat(complete.receipts().get(0).failureMessage().orElseThrow())
                    .endsWith(", has passed. It was parked: Contents have not come."));
  }

  @Test
  void whetherItWaitsForItsTurnOrForOthersAfterItIsTold() {
    sender.delegated(FIRST);
    assertThat(sender.transaction(FIRST).waitsAtCoordinator()).isEqualTo("its turn at b");

    ask(B, REQUEST, FIRST);
    finished(REQUEST, FIRST, new Domain.Assembly.Assembled(ASSEMBLY));

    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.transaction(FIRST).waitsAtCoordinator())
        .isEqualTo("endorsements, or the transactions that it is to come after");
  }

  @Test
  void whatIsPutAsideIsResumedWhenItsTimeHasCome() {
    var parkedFor = SenderOfA.SETTINGS.retries().parkedFor();
    park();

    sender.tickAfter(parkedFor.minusMillis(1));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.PARKED);
    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void whatIsParkedIsResumedByACallAtOnce() {
    park();

    sender.tell(new SenderInput.Resume(SECOND.id()));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tell(new SenderInput.Resume(FIRST.id()));

    assertThat(sender.delegatedTo()).containsExactly(B);
    assertThat(sender.last().events()).containsExactly(new SenderEvent.Resumed(FIRST.id()));
    sender.tell(new SenderInput.Resume(FIRST.id()));
    assertThat(sender.last().events()).as("it is parked no longer").isEmpty();
  }

  /** A clock that was ahead said until when, and was set right. */
  @Test
  void whatIsParkedResumesAfterARestartNoLaterThanIfItWereParkedThen() {
    sender.passes(Duration.ofDays(3));
    park();
    sender.passes(Duration.ofDays(-3));

    sender.restart(List.of(FIRST), Map.of());
    sender.tickAfter(SenderOfA.SETTINGS.retries().parkedFor().minusSeconds(1));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.PARKED);
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(sender.stateOf(FIRST)).isNotEqualTo(TransactionState.PARKED);
  }

  private void park() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);
    finished(REQUEST, FIRST, new Domain.Assembly.Parked("later"));
  }

  @Test
  void whatCanNeverBeAssembledEndsAsReverted() {
    sender.delegated(FIRST);
    ask(B, REQUEST, FIRST);

    finished(REQUEST, FIRST, new Domain.Assembly.Reverted("never"));

    assertThat(sender.sent()).containsExactly(error(FIRST, REQUEST, Reason.REVERTED, "never"));
    assertThat(sender.completed())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.failureMessage()).contains("never"));
    assertThat(sender.state().isIdle()).isTrue();
  }

  private void ask(NodeName from, RequestId request, PrivateTransaction... transactions) {
    var items =
        Stream.of(transactions)
            .map(each -> item(each, sender.transaction(each).progress().delegation().orElseThrow()))
            .toArray(AssembleRequest.Item[]::new);
    sender.tell(from, request(request, items));
  }

  private AssembleRequest request(RequestId request, AssembleRequest.Item... items) {
    return new AssembleRequest(request, ADDRESS, sender.height, LOCKS, List.of(items));
  }

  private static AssembleRequest.Item item(PrivateTransaction transaction, DelegationId under) {
    return new AssembleRequest.Item(transaction.id(), under, transaction.inputs(), Bytes.EMPTY);
  }

  private void finished(RequestId request, PrivateTransaction transaction, Domain.Assembly result) {
    sender.tell(
        new SenderInput.AssemblyFinished(request, MESSAGE, Map.of(transaction.id(), result)));
  }

  private static AssembleResponse response(RequestId request, PostAssembly assembly) {
    return new AssembleResponse(FIRST.id(), request, ADDRESS, assembly);
  }

  private static AssembleError error(
      PrivateTransaction transaction, RequestId request, Reason reason, String message) {
    return new AssembleError(transaction.id(), request, ADDRESS, reason, message);
  }

  private static PostAssembly assembly(String output) {
    return new PostAssembly(
        List.of(),
        List.of(),
        List.of(Contract.state(output, A, B)),
        List.of(),
        Bytes.EMPTY,
        List.of(),
        Proof.NONE);
  }
}

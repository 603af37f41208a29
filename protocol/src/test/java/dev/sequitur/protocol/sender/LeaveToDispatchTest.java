package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Reason;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Leave is given for the newest assembly under the active delegation, and for nothing else. */
class LeaveToDispatchTest {
  private static final PrivateTransaction INTENT = Contract.transaction(A, 1);
  private static final PostAssembly EARLIER = assembly("earlier");
  private static final PostAssembly NEWEST = assembly("newest");

  private SenderOfA sender = SenderOfA.started();
  private int requests;

  @Test
  void leaveIsGivenForTheNewestAssemblyUnderTheActiveDelegation() {
    var active = delegated();
    assembles(active, NEWEST);

    assertThat(askedBy(B, active, NEWEST)).isEqualTo("granted");
    assertThat(askedBy(B, active, NEWEST)).as("and again").isEqualTo("granted");
  }

  @Test
  void noLeaveIsGivenForAnyOtherHash() {
    var active = delegated();
    assembles(active, EARLIER);
    assembles(active, NEWEST);
    var anotherDelegation = new DelegationId(A, active.epoch(), active.counter() + 1);

    assertThat(askedBy(B, active, EARLIER)).isEqualTo(Reason.HASH_MISMATCH);
    assertThat(askedBy(B, active, Contract.hash("any"))).isEqualTo(Reason.HASH_MISMATCH);
    assertThat(askedBy(B, active, NEWEST.confirmationHash(INTENT.id(), anotherDelegation)))
        .isEqualTo(Reason.HASH_MISMATCH);
    assertThat(askedBy(B, active, NEWEST.confirmationHash(Contract.transaction(A, 2).id(), active)))
        .isEqualTo(Reason.HASH_MISMATCH);
    assertThat(sender.transaction(INTENT).state()).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void noLeaveIsGivenToAnybodyElseThanTheActiveDelegate() {
    var active = delegated();
    assembles(active, NEWEST);

    assertThat(askedBy(C, active, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
    assertThat(askedBy(A, active, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
  }

  @Test
  void noLeaveIsGivenUnderAnotherDelegation() {
    var active = delegated();
    assembles(active, NEWEST);
    for (var other :
        List.of(
            new DelegationId(A, active.epoch(), active.counter() - 1),
            new DelegationId(A, active.epoch() + 1, active.counter()),
            new DelegationId(B, active.epoch(), active.counter()))) {
      assertThat(askedBy(B, other, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
    }
  }

  @Test
  void noLeaveIsGivenUnderAnEarlierDelegationToTheSameCoordinator() {
    var earlier = delegated();
    assembles(earlier, NEWEST);
    sender.tickAfter(SenderOfA.SETTINGS.heartbeats().coordinatorFailureThreshold());
    var active = delegation();
    assertThat(active).isNotEqualTo(earlier);

    assertThat(askedBy(B, earlier, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
    assertThat(sender.counted(SenderEffect.Counted.DISPATCH_DENIED)).isTrue();
    assertThat(askedBy(B, active, EARLIER)).isEqualTo(Reason.HASH_MISMATCH);
    assertThat(askedBy(B, active, NEWEST)).isEqualTo("granted");
    assertThat(sender.counted(SenderEffect.Counted.DISPATCH_DENIED)).isFalse();
  }

  @Test
  void noLeaveIsGivenWhileANewerAssemblyIsAskedFor() {
    var active = delegated();
    assembles(active, EARLIER);
    assemblyIsAskedFor(active);

    assertThat(askedBy(B, active, EARLIER)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
  }

  /** Its coordinator keeps what it was given first, and has not heard that more was asked for. */
  @Test
  void noLeaveIsGivenForWhatWasGivenUpForAnotherThatWasNotMade() {
    var earlier = delegated();
    assembles(earlier, EARLIER);
    var request = assemblyIsAskedFor(earlier);
    finished(request, new Domain.Assembly.Parked("later"));
    sender.tell(new SenderInput.Resume(INTENT.id()));
    var active = delegation();

    assertThat(askedBy(B, active, EARLIER)).isEqualTo(Reason.HASH_MISMATCH);

    assembles(active, NEWEST);
    assertThat(askedBy(B, active, NEWEST)).isEqualTo("granted");
  }

  @Test
  void noLeaveIsGivenOnceItIsRescinded() {
    var active = delegated();
    assembles(active, NEWEST);
    sender.tell(
        new SenderInput.BlockIndexed(
            Contract.heightPreferring(C, sender.height), sender.now(), Map.of()));

    assertThat(askedBy(B, active, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
  }

  @Test
  void noLeaveIsGivenForWhatHasEndedOrWasNeverHere() {
    var active = delegated();
    sender.confirm(INTENT);
    assertThat(askedBy(B, active, NEWEST)).isEqualTo(Reason.ALREADY_FINAL);

    assertThat(askedFor(Contract.transaction(A, 77), B, active, Contract.hash("any")))
        .isEqualTo(Reason.UNKNOWN_TRANSACTION);
  }

  @Test
  void afterARestartTheAnswerIsDeferredUntilItIsDelegated() {
    var before = delegated();
    assembles(before, NEWEST);
    sender.restart(List.of(INTENT), Map.of());

    assertThat(askedBy(B, before, NEWEST)).isEqualTo("no answer");

    sender.tickAfter(Duration.ofSeconds(2));
    var active = delegation();
    assertThat(active.isLaterThan(before)).isTrue();
    assertThat(askedBy(B, before, NEWEST)).isEqualTo(Reason.NOT_ACTIVE_DELEGATE);
    assertThat(askedBy(B, active, NEWEST)).isEqualTo("granted");
  }

  @Test
  void eachOfARequestIsAnsweredForItselfAndWhatIsDeferredIsLeftOut() {
    var deferred = Contract.transaction(A, 2);
    var active = delegated();
    assembles(active, NEWEST);
    sender.restart(List.of(INTENT, deferred), Map.of());
    sender.tell(B, request(INTENT, deferred, active));
    assertThat(sender.last().messages()).as("nothing is known yet").isEmpty();

    sender = SenderOfA.started();
    active = delegated();
    assembles(active, NEWEST);
    sender.tell(B, request(INTENT, deferred, active));

    var answer = (DispatchConfirmationResponse) sender.last().messages().get(0).message();
    assertThat(answer.granted())
        .extracting(DispatchConfirmationResponse.Granted::transaction)
        .containsExactly(INTENT.id());
    assertThat(answer.denied())
        .extracting(DispatchConfirmationResponse.Denied::reason)
        .containsExactly(Reason.UNKNOWN_TRANSACTION);
  }

  /** DSP-4: one that can't be answered yet holds no other back, wherever it stands. */
  @Test
  void whatCanBeAnsweredIsAnsweredThoughAnotherOfTheRequestCannotYet() {
    var active = delegated();
    var unknown = Contract.transaction(A, 77);
    sender.restart(List.of(INTENT), Map.of());

    for (var request :
        List.of(request(INTENT, unknown, active), request(unknown, INTENT, active))) {
      sender.tell(B, request);

      assertThat(sender.last().messages()).hasSize(1);
      var answer = (DispatchConfirmationResponse) sender.last().messages().get(0).message();
      assertThat(answer.granted()).isEmpty();
      assertThat(answer.denied())
          .singleElement()
          .satisfies(
              denied -> {
                assertThat(denied.transaction()).isEqualTo(unknown.id());
                assertThat(denied.reason()).isEqualTo(Reason.UNKNOWN_TRANSACTION);
              });
    }
  }

  private static RequestDispatchConfirmation request(
      PrivateTransaction known, PrivateTransaction other, DelegationId delegation) {
    return new RequestDispatchConfirmation(
        new RequestId("leave for both"),
        ADDRESS,
        B,
        List.of(
            new RequestDispatchConfirmation.Item(
                known.id(), delegation, NEWEST.confirmationHash(known.id(), delegation)),
            new RequestDispatchConfirmation.Item(other.id(), delegation, Contract.hash("any"))));
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

  /** B has accepted it. */
  private DelegationId delegated() {
    sender.accept(INTENT);
    var active = delegation();
    sender.tell(
        B,
        new DelegationAccepted(
            active, B, ADDRESS, List.of(INTENT.id()), new HeartbeatSequence(1, 1)));
    return active;
  }

  private DelegationId delegation() {
    return sender.last().messages().stream()
        .map(Outgoing::message)
        .filter(DelegationCommand.class::isInstance)
        .map(message -> ((DelegationCommand) message).delegationId())
        .findFirst()
        .orElseThrow();
  }

  private RequestId assemblyIsAskedFor(DelegationId active) {
    var request = new RequestId("assemble-" + ++requests);
    var item = new AssembleRequest.Item(INTENT.id(), active, Bytes.EMPTY, Bytes.EMPTY);
    sender.tell(
        B, new AssembleRequest(request, ADDRESS, sender.height, StateLocks.NONE, List.of(item)));
    return request;
  }

  private void assembles(DelegationId active, PostAssembly assembly) {
    finished(assemblyIsAskedFor(active), new Domain.Assembly.Assembled(assembly));
  }

  private void finished(RequestId request, Domain.Assembly result) {
    sender.tell(
        new SenderInput.AssemblyFinished(
            request, new MessageId(new UUID(0, 0)), Map.of(INTENT.id(), result)));
  }

  private Object askedBy(NodeName coordinator, DelegationId delegation, PostAssembly assembly) {
    return askedBy(coordinator, delegation, assembly.confirmationHash(INTENT.id(), delegation));
  }

  private Object askedBy(NodeName coordinator, DelegationId delegation, Hash hash) {
    return askedFor(INTENT, coordinator, delegation, hash);
  }

  private Object askedFor(
      PrivateTransaction intent, NodeName coordinator, DelegationId delegation, Hash hash) {
    var request = new RequestId("leave-" + ++requests);
    sender.tell(
        coordinator,
        new RequestDispatchConfirmation(
            request,
            ADDRESS,
            coordinator,
            List.of(new RequestDispatchConfirmation.Item(intent.id(), delegation, hash))));
    var answers = sender.last().messages();
    if (answers.isEmpty()) {
      return "no answer";
    }
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).to()).isEqualTo(coordinator);
    var answer = (DispatchConfirmationResponse) answers.get(0).message();
    assertThat(answer.requestId()).isEqualTo(request);
    assertThat(answer.transactions()).containsExactly(intent.id());
    return answer.denied().isEmpty() ? "granted" : answer.denied().get(0).reason();
  }
}

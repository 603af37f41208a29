package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Denied;
import dev.sequitur.protocol.message.DispatchConfirmationResponse.Reason;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What has ended at its sender, its coordinator lets go (SND-9). */
class RelinquishingTest {
  private static final Duration THRESHOLD =
      SenderOfA.SETTINGS.heartbeats().coordinatorFailureThreshold();
  private static final MessageId MESSAGE = new MessageId(new UUID(0, 0));

  private final SenderOfA sender = SenderOfA.started();
  private final PrivateTransaction urgent =
      Contract.transaction(A, 1).by(sender.now().plus(Duration.ofSeconds(1)));
  private final PrivateTransaction patient = Contract.transaction(A, 2);
  private long heartbeats = 1;
  private long requests;

  private void heartbeat(NodeName from, PrivateTransaction... named) {
    heartbeat(from, Stream.of(named).map(PrivateTransaction::id).toList());
  }

  private void heartbeat(NodeName from, List<TransactionId> named) {
    sender.tell(
        from,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, ++heartbeats), Instant.EPOCH, ADDRESS, named));
  }

  private void hasNoCoinFor(PrivateTransaction transaction) {
    var request = new RequestId("assembly " + ++requests);
    var delegation = sender.transaction(transaction).progress().delegation().orElseThrow();
    sender.tell(
        B,
        new AssembleRequest(
            request,
            ADDRESS,
            sender.height,
            StateLocks.NONE,
            List.of(
                new AssembleRequest.Item(transaction.id(), delegation, Bytes.EMPTY, Bytes.EMPTY))));
    sender.tell(
        new SenderInput.AssemblyFinished(
            request,
            MESSAGE,
            Map.of(transaction.id(), new Domain.Assembly.Insufficient("There is no coin."))));
  }

  private DispatchConfirmationResponse unasked(Reason reason, PrivateTransaction... ended) {
    var state = sender.state();
    var newest = new DelegationId(A, state.epoch(), state.counter());
    return new DispatchConfirmationResponse(
        DispatchConfirmationResponse.UNASKED,
        ADDRESS,
        List.of(),
        Arrays.stream(ended).map(each -> new Denied(each.id(), newest, reason)).toList());
  }

  @Test
  void whatEndsByItsDeadlineIsDeniedAtOnceAndAgainAsLongAsItIsNamed() {
    sender.delegated(urgent, patient);

    sender.tickAfter(Duration.ofSeconds(1));
    assertThat(sender.sent()).containsExactly(unasked(Reason.ALREADY_FINAL, urgent));

    heartbeat(B, urgent, patient);
    assertThat(sender.sent()).containsExactly(unasked(Reason.ALREADY_FINAL, urgent));
    heartbeat(B, patient);
    assertThat(sender.sent()).isEmpty();
  }

  /** CMT-8: until the next change those of the committee before hear each other. */
  @Test
  void aCoordinatorThatDoesNotHearThisNodeAnyMoreIsDeniedNothing() {
    var block = sender.height;
    var hearing = List.of(Contract.without(A, block), Contract.without(B, block));
    var deaf = List.of(Contract.longWithout(A, block), Contract.longWithout(B, block));

    for (var group : Stream.concat(hearing.stream(), deaf.stream()).toList()) {
      var leaving = SenderOfA.startedIn(group);
      leaving.delegated(urgent);

      leaving.tickAfter(Duration.ofSeconds(1));

      assertThat(leaving.completed()).hasSize(1);
      assertThat(leaving.sent())
          .as(group.committees().toString())
          .hasSize(hearing.contains(group) ? 1 : 0);
      assertThat(leaving.state().lettingGo().byId())
          .as("nothing waits for an answer that cannot come")
          .hasSize(hearing.contains(group) ? 1 : 0);
    }
  }

  @Test
  void whatAnEarlierLifeHasEndedIsDeniedAsUnknown() {
    sender.delegated(urgent);
    sender.tickAfter(Duration.ofSeconds(1));
    sender.restart(List.of(), Map.of());

    heartbeat(B, urgent);

    assertThat(sender.sent()).containsExactly(unasked(Reason.UNKNOWN_TRANSACTION, urgent));
  }

  /** What it spends is to stay locked until every node has read that block. */
  @Test
  void whatWasConfirmedIsLeftToTheLedger() {
    sender.delegated(patient);
    sender.confirm(patient);

    heartbeat(B, patient);

    assertThat(sender.sent()).isEmpty();
  }

  @Test
  void noMoreAreDeniedAtOnceThanACommandMayHave() {
    int most = SenderOfA.SETTINGS.limits().delegationBatch();
    var unknown =
        LongStream.rangeClosed(1, most + 1)
            .mapToObj(number -> Contract.transaction(A, 100 + number).id())
            .toList();

    heartbeat(B, unknown);

    assertThat(((DispatchConfirmationResponse) sender.sent().get(0)).transactions())
        .isEqualTo(unknown.subList(0, most));
  }

  /** Its coordinator has the coin locked still, so that it is not refused yet. */
  @Test
  void whatWaitsForItsCoinIsRefusedOnlyWhenItsCoordinatorHasLetGo() {
    sender.delegated(urgent, patient);
    hasNoCoinFor(patient);
    sender.tickAfter(Duration.ofSeconds(1));
    assertThat(sender.stateOf(patient)).isEqualTo(TransactionState.PENDING);

    heartbeat(C);
    heartbeat(B, urgent);
    assertThat(sender.delegatedTo()).isEmpty();
    heartbeat(B);
    assertThat(sender.delegatedTo()).containsExactly(B);

    sender.accepted(sender.command(), ++heartbeats);
    hasNoCoinFor(patient);
    assertThat(sender.completed())
        .singleElement()
        .satisfies(it -> assertThat(it.failureMessage()).contains("There is no coin."));
  }

  @Test
  void whatIsTriedBeforeThatIsNotRefused() {
    sender.delegated(urgent, patient);
    sender.tickAfter(Duration.ofSeconds(1));

    hasNoCoinFor(patient);

    assertThat(sender.stateOf(patient)).isEqualTo(TransactionState.PENDING);
    assertThat(sender.transaction(patient).attempts()).isZero();
  }

  @Test
  void aCoordinatorThatIsSilentKeepsNothingWaiting() {
    sender.delegated(urgent, patient);
    hasNoCoinFor(patient);
    sender.tickAfter(Duration.ofSeconds(1));
    heartbeat(B, urgent);

    sender.tickAfter(THRESHOLD.minusMillis(1));
    assertThat(sender.state().lettingGo().byId()).containsOnlyKeys(urgent.id());
    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.state().lettingGo()).isEqualTo(SenderState.LettingGoes.NONE);
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** Nobody has locked anything for what was never delegated. */
  @Test
  void whatNoCoordinatorHasIsLetGoByNobody() {
    sender.accept(SenderOfA.after(3, patient).by(sender.now().plusSeconds(1)));

    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(sender.completed()).hasSize(1);
    assertThat(sender.sent()).isEmpty();
    assertThat(sender.state().lettingGo()).isEqualTo(SenderState.LettingGoes.NONE);
  }
}

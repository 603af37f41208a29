package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.sender.SenderEffect.Fulfilled;
import dev.sequitur.protocol.sender.SenderEffect.Took;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How long each step of a transaction took is told once, by its sender's clock. */
class StepTimesTest {
  private static final PrivateTransaction INTENT = Contract.transaction(A, 1);
  private static final RequestId REQUEST = new RequestId("assemble");
  private static final PostAssembly ASSEMBLY =
      new PostAssembly(
          List.of(),
          List.of(),
          List.of(Contract.state("output", A, B)),
          List.of(),
          Bytes.EMPTY,
          List.of(),
          Proof.NONE);

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void eachStepIsTakenFromWhereTheOneBeforeItEnded() {
    sender.accept(INTENT);
    var command = sender.command();

    sender.passes(millis(10));
    sender.accepted(command, 1);
    assertTook(TransactionStep.DELEGATED, 10);

    sender.passes(millis(20));
    assemblyIsAskedFor(command.delegationId());
    assertThat(sender.effects(Took.class)).as("it is in the assembly's time").isEmpty();
    sender.passes(millis(1));
    assembled();
    assertTook(TransactionStep.ASSEMBLED, 21);

    sender.passes(millis(30));
    leaveIsAskedFor(command.delegationId());
    assertTook(TransactionStep.ENDORSED, 30);

    sender.passes(millis(40));
    dispatched(command.delegationId());
    assertTook(TransactionStep.DISPATCHED, 40);

    sender.passes(millis(50));
    sender.confirm(INTENT);
    assertTook(TransactionStep.CONFIRMED, 50);
    assertThat(sender.effects(Fulfilled.class))
        .containsExactly(new Fulfilled(INTENT.id(), millis(151)));
  }

  @Test
  void aStepIsToldOnceAlsoIfItsMessageComesAgain() {
    var command = sender.delegated(INTENT);
    sender.accepted(command, 2);
    assertThat(sender.effects(Took.class)).isEmpty();

    assemblyIsAskedFor(command.delegationId());
    assembled();
    leaveIsAskedFor(command.delegationId());
    leaveIsAskedFor(command.delegationId());
    assertThat(sender.effects(Took.class)).isEmpty();
  }

  @Test
  void aRequestThatOvertakesTheAnswerEndsTheDelegation() {
    sender.accept(INTENT);
    var command = sender.command();

    sender.passes(millis(10));
    assemblyIsAskedFor(command.delegationId());
    assertTook(TransactionStep.DELEGATED, 10);
    sender.passes(millis(5));
    sender.accepted(command, 1);
    assertThat(sender.effects(Took.class)).isEmpty();
    assembled();
    assertTook(TransactionStep.ASSEMBLED, 5);
  }

  @Test
  void whatIsPendingAgainBeginsItsStepsAnewButNotTheTimeToItsConfirmation() {
    sender.accept(INTENT);
    sender.passes(millis(100));
    sender.rejected(sender.command(), new DelegationRejected.Overloaded(Duration.ofSeconds(1)));
    assertThat(sender.effects(Took.class)).isEmpty();
    sender.tickAfter(Duration.ofSeconds(5));
    DelegationCommand again = sender.command();

    sender.passes(millis(3));
    sender.accepted(again, 1);
    assertTook(TransactionStep.DELEGATED, 5_003);

    sender.confirm(INTENT);
    assertThat(sender.effects(Fulfilled.class))
        .containsExactly(new Fulfilled(INTENT.id(), millis(5_103)));
  }

  @Test
  void aRestartDoesNotShortenTheTimeToConfirmation() {
    sender.delegated(INTENT);
    sender.passes(Duration.ofMinutes(10));
    sender.restart(List.of(INTENT), Map.of());
    sender.passes(millis(1));

    sender.confirm(INTENT);

    assertTook(TransactionStep.CONFIRMED, 1);
    assertThat(sender.effects(Fulfilled.class))
        .containsExactly(new Fulfilled(INTENT.id(), Duration.ofMinutes(10).plusMillis(1)));
  }

  @Test
  void aBlockThatIsSeenTwiceConfirmsOnce() {
    sender.delegated(INTENT);
    sender.confirm(INTENT);
    sender.confirm(INTENT);

    assertThat(sender.effects(Fulfilled.class)).isEmpty();
    assertThat(sender.effects(Took.class)).isEmpty();
  }

  private void assertTook(TransactionStep step, long millis) {
    assertThat(sender.effects(Took.class))
        .containsExactly(new Took(INTENT.id(), step, millis(millis)));
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private void assemblyIsAskedFor(DelegationId delegation) {
    var item = new AssembleRequest.Item(INTENT.id(), delegation, Bytes.EMPTY, Bytes.EMPTY);
    sender.tell(
        B, new AssembleRequest(REQUEST, ADDRESS, sender.height, StateLocks.NONE, List.of(item)));
  }

  private void assembled() {
    sender.tell(
        new SenderInput.AssemblyFinished(
            REQUEST,
            new MessageId(new UUID(0, 0)),
            Map.of(INTENT.id(), new Domain.Assembly.Assembled(ASSEMBLY))));
  }

  private void leaveIsAskedFor(DelegationId delegation) {
    sender.tell(
        B,
        new RequestDispatchConfirmation(
            new RequestId("leave"),
            ADDRESS,
            B,
            List.of(
                new RequestDispatchConfirmation.Item(
                    INTENT.id(), delegation, ASSEMBLY.confirmationHash(INTENT.id(), delegation)))));
  }

  private void dispatched(DelegationId delegation) {
    sender.tell(
        B, new Dispatched(ADDRESS, List.of(new Dispatched.Item(INTENT.id(), delegation)), B));
  }
}

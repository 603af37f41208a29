package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A caller's own deadline ends a wait for whoever is silent, and names that one (SND-8). */
class DeadlinesTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final SenderOfA sender = SenderOfA.started();
  private final PrivateTransaction patient = Contract.transaction(A, 1);
  private final PrivateTransaction urgent =
      Contract.transaction(A, 2).by(sender.now().plus(Duration.ofMinutes(1)));

  private void heartbeat(long number, Duration later) {
    sender.passes(later);
    sender.tell(
        B,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, number),
            Instant.EPOCH,
            ADDRESS,
            List.of(patient.id(), urgent.id()),
            List.of(
                new Waiting(
                    List.of(patient.id(), urgent.id()),
                    List.of(
                        new Asked(
                            Contract.party(C),
                            Instant.parse("2026-11-28T17:34:22.5Z"),
                            6,
                            Optional.empty()))))));
  }

  @Test
  void whatWaitsForSomebodySilentWaitsUntilItsCallersDeadlineAndSaysForWhom() {
    sender.delegated(patient, urgent);
    heartbeat(2, Duration.ofMinutes(1).minusMillis(1));
    assertThat(sender.stateOf(urgent)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.transaction(urgent).waiting())
        .contains("party@c's endorsement, asked 6 times since 2026-11-28T17:34:22Z: no answer");
    assertThat(sender.transaction(urgent).awaitedNodes()).containsExactly(C);

    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.effects(SenderEffect.Complete.class))
        .singleElement()
        .satisfies(
            complete ->
                assertThat(complete.receipts().get(0).failureMessage().orElseThrow())
                    .startsWith("Its deadline, ")
                    .contains("party@c's endorsement, asked 6 times since"));
    assertThat(sender.state().transactions()).containsOnlyKeys(patient.id());
  }

  /** A coordinator could name ten thousand, and what it says stands in each receipt. */
  @Test
  void ofManyThatAreWaitedForSomeAreNamedAndTheOthersCounted() {
    sender.delegated(patient);
    var many =
        IntStream.rangeClosed(1, 7)
            .mapToObj(
                i ->
                    new Asked(
                        new Identity("party" + i, C),
                        Instant.EPOCH,
                        i + 1,
                        Optional.of("x".repeat(i))))
            .toList();
    sender.tell(
        B,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 2),
            Instant.EPOCH,
            ADDRESS,
            List.of(patient.id()),
            List.of(new Waiting(List.of(patient.id()), many))));

    assertThat(sender.transaction(patient).waiting().orElseThrow())
        .startsWith(
            "party1@c's endorsement, asked 2 times since 1970-01-01T00:00:00Z: x and party2")
        .endsWith(": xxxxx and 2 more endorsements")
        .doesNotContain("party6");
  }

  @Test
  void withoutADeadlineSilenceEndsNothing() {
    sender.delegated(patient);
    for (int i = 0; i < 100; i++) {
      heartbeat(i + 2, Duration.ofSeconds(1));
      sender.tickAfter(Duration.ZERO);
    }
    heartbeat(200, LONG);

    assertThat(sender.stateOf(patient)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.transaction(patient).attempts()).isZero();
  }

  @Test
  void whatItsCoordinatorNoLongerWaitsForIsForgotten() {
    sender.delegated(patient);
    heartbeat(2, Duration.ofSeconds(1));
    assertThat(sender.transaction(patient).waiting()).isPresent();

    sender.tell(
        B,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 3), Instant.EPOCH, ADDRESS, List.of(patient.id())));

    assertThat(sender.transaction(patient).waiting()).isEmpty();
    assertThat(sender.transaction(patient).awaitedNodes()).containsExactly(B);
  }

  /** CMT-6: while its range goes on it is one, and others' senders are not concerned. */
  @Test
  void whatAMemberHasLeftThatIsRemovedEndsWithTheRange() {
    var block = SenderOfA.started().height;
    for (var group : List.of(Contract.without(A, block), Contract.without(C, block))) {
      boolean removed = group.equals(Contract.without(A, block));
      var leaving = SenderOfA.startedIn(group);
      leaving.delegated(patient);

      leaving.index(new BlockHeight(block.value() + 1));
      leaving.tickAfter(Duration.ofMillis(1));
      assertThat(leaving.state().transactions()).containsOnlyKeys(patient.id());

      leaving.index(Contract.heightPreferring(B, leaving.height));
      leaving.tickAfter(Duration.ofMillis(1));

      if (removed) {
        assertThat(leaving.state().transactions()).isEmpty();
        assertThat(leaving.effects(SenderEffect.Complete.class))
            .singleElement()
            .satisfies(
                complete ->
                    assertThat(complete.receipts().get(0).failureMessage().orElseThrow())
                        .startsWith("party@a is no member of the group any more"));
      } else {
        assertThat(leaving.state().transactions()).containsOnlyKeys(patient.id());
      }
    }
  }

  /** CMT-6: nobody would take it now. */
  @Test
  void whatAMemberSendsThatIsAddedWaitsForTheRangeInWhichItIsOne() {
    var block = SenderOfA.started().height;
    var back = new BlockHeight(block.value() + 25);
    var without = Contract.without(A, block);
    var again =
        without
            .changed(new CommitteeChange(2, Contract.GROUP.committees().newest(), back), back)
            .orElseThrow();
    var coming = SenderOfA.startedIn(again);
    coming.index(new BlockHeight(block.value() + 26));

    coming.accept(patient);
    coming.tickAfter(LONG);

    assertThat(coming.sent()).noneMatch(DelegationCommand.class::isInstance);
    assertThat(coming.stateOf(patient)).isEqualTo(TransactionState.PENDING);

    coming.index(new BlockHeight(block.value() + 36));
    coming.tickAfter(Duration.ofMinutes(1));
    assertThat(coming.sent()).anyMatch(DelegationCommand.class::isInstance);
  }

  /** It may be on its way to the base ledger, which decides then. */
  @Test
  void whatIsGrantedIsNotTakenBack() {
    sender.passes(Duration.ofSeconds(57));
    sender.delegated(urgent);
    var delegation = sender.transaction(urgent).progress().delegation().orElseThrow();
    var leave =
        new RequestDispatchConfirmation.Item(urgent.id(), delegation, Contract.hash("assembly"));
    sender.tell(
        B, new RequestDispatchConfirmation(new RequestId("leave"), ADDRESS, B, List.of(leave)));
    assertThat(sender.stateOf(urgent)).isEqualTo(TransactionState.PREPARED);

    sender.tickAfter(Duration.ofSeconds(5));

    assertThat(sender.stateOf(urgent)).isEqualTo(TransactionState.PREPARED);
    assertThat(sender.effects(SenderEffect.Complete.class)).isEmpty();
  }

  /** Silence of its submitter says nothing of whether a block will have it. */
  @Test
  void whatWasGrantedIsNotTakenBackWhenItsSubmitterIsLostEither() {
    sender.passes(Duration.ofSeconds(50));
    sender.delegated(urgent);
    var delegation = sender.transaction(urgent).progress().delegation().orElseThrow();
    var leave =
        new RequestDispatchConfirmation.Item(urgent.id(), delegation, Contract.hash("assembly"));
    sender.tell(
        B, new RequestDispatchConfirmation(new RequestId("leave"), ADDRESS, B, List.of(leave)));

    sender.tickAfter(LONG);

    assertThat(sender.stateOf(urgent)).isNotEqualTo(TransactionState.PREPARED);
    assertThat(sender.effects(SenderEffect.Complete.class)).isEmpty();

    sender.tickAfter(Duration.ofMillis(100));
    assertThat(sender.effects(SenderEffect.Complete.class))
        .as("nor once it was delegated again")
        .isEmpty();
  }

  /** CMT-6: as long as its submitter lives, the base ledger decides, however late. */
  @Test
  void whatWasGrantedToAMemberThatIsRemovedEndsOnceItsLeaveHasComeToNothing() {
    var leaving = SenderOfA.startedIn(Contract.without(A, SenderOfA.started().height));
    leaving.delegated(patient);
    var delegation = leaving.transaction(patient).progress().delegation().orElseThrow();
    var leave =
        new RequestDispatchConfirmation.Item(patient.id(), delegation, Contract.hash("assembly"));
    leaving.tell(
        B, new RequestDispatchConfirmation(new RequestId("leave"), ADDRESS, B, List.of(leave)));
    leaving.index(Contract.heightPreferring(B, leaving.height));
    leaving.tickAfter(Duration.ofMillis(100));
    assertThat(leaving.stateOf(patient)).isEqualTo(TransactionState.PREPARED);
    assertThat(leaving.effects(SenderEffect.Complete.class)).isEmpty();

    leaving.tickAfter(LONG);

    assertThat(leaving.effects(SenderEffect.Complete.class))
        .as("its submitter is lost")
        .singleElement()
        .satisfies(
            complete ->
                assertThat(complete.receipts().get(0).failureMessage().orElseThrow())
                    .startsWith("party@a is no member of the group any more"));
    assertThat(leaving.state().transactions()).isEmpty();
  }

  /** Submitters are still to say what they hold. */
  @Test
  void afterARestartADeadlineEndsNothingBeforeSubmittersCouldNameIt() {
    sender.passes(LONG);
    sender.restart(List.of(urgent), Map.of());

    sender.tickAfter(Duration.ofMillis(100));
    assertThat(sender.effects(SenderEffect.Complete.class)).isEmpty();

    sender.tickAfter(LONG);
    assertThat(sender.effects(SenderEffect.Complete.class)).hasSize(1);
  }
}

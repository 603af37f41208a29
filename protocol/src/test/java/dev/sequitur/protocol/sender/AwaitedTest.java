package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Other;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Turn;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told of a transaction that waits at its coordinator (HBT-6, HBT-7). */
class AwaitedTest {
  private static final PrivateTransaction ONE = Contract.transaction(A, 1);
  private static final PrivateTransaction TWO = Contract.transaction(A, 2);
  private static final Instant EARLY = Instant.parse("2026-11-28T17:34:22.5Z");
  private static final Instant LATER = Instant.parse("2026-11-28T17:44:00Z");
  private static final Other OTHER =
      new Other(Contract.transaction(C, 7).id(), Contract.party(C), EARLY);

  private final SenderOfA sender = SenderOfA.started();
  private long heartbeats = 10;

  private void told(NodeName coordinator, Waiting... waiting) {
    sender.tell(
        coordinator,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, ++heartbeats),
            Instant.EPOCH,
            ADDRESS,
            List.of(ONE.id(), TWO.id()),
            List.of(waiting)));
  }

  private static Waiting asked(Instant since, int times) {
    var silent = new Asked(Contract.party(C), since, times, Optional.empty());
    return new Waiting(List.of(ONE.id()), List.of(silent));
  }

  private String waits() {
    return sender.transaction(ONE).waitsAtCoordinator();
  }

  @Test
  void aPlaceInLineIsToldWithWhomTheLineWaitsFor() {
    sender.delegated(ONE, TWO);

    told(B, Waiting.inLine(List.of(ONE.id(), TWO.id()), new Turn(1, Optional.of(OTHER))));

    assertThat(waits())
        .isEqualTo(
            "its turn, 2nd in line at b, where party@c's assembly of %s is waited for since 2026-11-28T17:34:22Z"
                .formatted(OTHER.transaction()));
    assertThat(sender.transaction(TWO).waitsAtCoordinator()).startsWith("its turn, 3rd in line");
    assertThat(sender.transaction(ONE).awaitedNodes()).containsExactly(C);

    told(B, Waiting.inLine(List.of(ONE.id()), new Turn(0, Optional.empty())));

    assertThat(waits()).isEqualTo("its turn, 1st in line at b");
    assertThat(sender.transaction(ONE).awaitedNodes()).containsExactly(B);
    assertThat(sender.transaction(TWO).waitsAtCoordinator()).isEqualTo("its turn at b");
  }

  @Test
  void whatItComesAfterIsToldWithWhomThatWaitsFor() {
    sender.delegated(ONE, TWO);
    told(B, Waiting.after(OTHER, List.of(), List.of(ONE.id())));
    var after = "transaction %s of party@c, after which it comes".formatted(OTHER.transaction());
    assertThat(waits()).isEqualTo(after);
    assertThat(sender.transaction(ONE).awaitedNodes()).containsExactly(C);

    var silent = new Asked(Contract.party(B), LATER, 2, Optional.of("it is busy"));
    told(B, Waiting.after(OTHER, List.of(silent), List.of(ONE.id())));

    assertThat(waits())
        .isEqualTo(
            after
                + ", which waits for party@b's endorsement, asked 2 times since 2026-11-28T17:44:00Z: it is busy");
    assertThat(sender.transaction(ONE).awaitedNodes()).containsExactly(B);
  }

  private NodeName toAnotherCoordinator() {
    sender.index(Contract.heightPreferring(C, sender.state().height()));
    sender.accepted(sender.command(), ++heartbeats);
    return C;
  }

  @Test
  void howOftenAnEndorserWasAskedGoesOnWithTheNextCoordinator() {
    sender.delegated(ONE, TWO);
    told(B, asked(EARLY, 5));
    told(B, asked(EARLY, 6));
    var next = toAnotherCoordinator();
    assertThat(waits())
        .isEqualTo(
            "its turn at c; coordinators before waited for party@c's endorsement, asked 6 times since 2026-11-28T17:34:22Z");

    told(next);
    told(next, Waiting.inLine(List.of(ONE.id()), new Turn(4, Optional.empty())));
    told(next, asked(LATER, 1));
    assertThat(waits())
        .isEqualTo("party@c's endorsement, asked 7 times since 2026-11-28T17:34:22Z: no answer");

    told(next, asked(LATER, 4));
    assertThat(waits()).contains("asked 10 times since 2026-11-28T17:34:22Z");
  }

  @Test
  void whoeverHasAnsweredIsCountedAnew() {
    sender.delegated(ONE, TWO);
    told(B, asked(EARLY, 6));
    told(B);
    assertThat(waits()).isEqualTo("its turn at b");

    told(B, asked(LATER, 2));

    assertThat(waits()).contains("asked 2 times since 2026-11-28T17:44:00Z");
  }

  @Test
  void howOftenItWasRefusedIsToldToTheNextCoordinator() {
    sender.delegated(ONE, TWO);
    refused(B, 2);
    refused(B, 1);

    sender.index(Contract.heightPreferring(C, sender.state().height()));

    assertThat(sender.command().refused()).containsExactly(new Refusals(ONE.id(), 2));
  }

  @Test
  void refusalsCountNoMoreOnceTheyWereAFailedTry() {
    sender.delegated(ONE, TWO);
    refused(B, 2);
    sender.tell(
        B,
        new TransactionReverted(
            new RequestId("refused"), ONE.id(), ADDRESS, Optional.empty(), "refused", true));
    assertThat(sender.transaction(ONE).attempts())
        .isEqualTo(SenderOfA.SETTINGS.retries().maxRefusals());

    refused(B, 2);
    sender.tickAfter(SenderOfA.SETTINGS.retries().refusal().cap());

    assertThat(sender.command().transactions()).contains(ONE.id());
    assertThat(sender.command().refused()).as("whatever is told late").isEmpty();
  }

  @Test
  void whoseTurnItIsNotTellsOfNoRefusals() {
    sender.delegated(ONE, TWO);

    refused(C, 2);

    assertThat(sender.transaction(ONE).progress().refusals()).isZero();
  }

  private void refused(NodeName coordinator, int times) {
    sender.tell(
        coordinator,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, ++heartbeats),
            Instant.EPOCH,
            ADDRESS,
            List.of(ONE.id(), TWO.id()),
            List.of(),
            List.of(new Refusals(ONE.id(), times))));
  }

  @Test
  void whatComesAfterAnotherHasItsOwnEndorsements() {
    sender.delegated(ONE, TWO);
    told(B, asked(EARLY, 6));

    var silent = new Asked(Contract.party(C), LATER, 3, Optional.empty());
    told(B, Waiting.after(OTHER, List.of(silent), List.of(ONE.id())));

    assertThat(waits()).contains("asked 3 times since 2026-11-28T17:44:00Z");
  }

  @Test
  void onceItMayBeDispatchedNobodyIsWaitedForAnyMore() {
    sender.delegated(ONE, TWO);
    told(B, asked(EARLY, 6));
    var delegation = sender.transaction(ONE).progress().delegation().orElseThrow();
    var leave =
        new RequestDispatchConfirmation.Item(ONE.id(), delegation, Contract.hash("assembly"));

    sender.tell(
        B, new RequestDispatchConfirmation(new RequestId("leave"), ADDRESS, B, List.of(leave)));

    assertThat(sender.stateOf(ONE)).isEqualTo(TransactionState.PREPARED);
    assertThat(sender.transaction(ONE).progress().asking()).isEqualTo(Askings.NOBODY);
  }
}

package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Other;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Turn;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a coordinator tells senders of what their transactions wait for (HBT-6). */
class WaitedForTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateTransaction THIRD = Contract.transaction(B, 3);
  private static final PrivateTransaction OF_C = Contract.transaction(C, 4);
  private static final PrivateState COIN = Contract.state("coin", A, B, C);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final PrivateState MADE_OF_IT = Contract.state("made of it", A, B, C);
  private static final PostAssembly SPENDS_COIN = CoordinatorOfA.assembly(List.of(COIN), MADE);
  private static final PostAssembly SPENDS_MADE =
      CoordinatorOfA.assembly(List.of(MADE), MADE_OF_IT);
  private static final PostAssembly SPENDS_THAT =
      CoordinatorOfA.assembly(List.of(MADE_OF_IT), Contract.state("at last", A, B, C));
  private static final Duration BEAT = CoordinatorOfA.SETTINGS.heartbeats().coordinatorInterval();
  private static final Duration LONG =
      CoordinatorOfA.SETTINGS.heartbeats().coordinatorFailureThreshold().plus(BEAT);

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  /** What the newest heartbeat tells a node. */
  private List<Waiting> told(NodeName to) {
    return coordinator.allSent.stream()
        .filter(sent -> sent.to().equals(to))
        .map(Outgoing::message)
        .filter(CoordinatorHeartbeatNotification.class::isInstance)
        .map(CoordinatorHeartbeatNotification.class::cast)
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .waiting();
  }

  private static List<TransactionId> ids(PrivateTransaction... transactions) {
    return Stream.of(transactions).map(PrivateTransaction::id).toList();
  }

  private static List<TransactionId> ids(List<PrivateTransaction> transactions) {
    return transactions.stream().map(PrivateTransaction::id).toList();
  }

  private static Other from(NodeName node, PrivateTransaction transaction) {
    return new Other(transaction.id(), Contract.party(node), Instant.EPOCH);
  }

  @Test
  void whatStandsInLineIsToldHowManyAreBeforeItAndForWhoseAssemblyTheLineStandsStill() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegate(SECOND, THIRD);
    coordinator.delegateFrom(C, OF_C);

    coordinator.tickFor(LONG);

    var standing = Optional.of(from(B, FIRST));
    assertThat(told(C)).containsExactly(Waiting.inLine(ids(OF_C), new Turn(1, standing)));
    assertThat(told(B))
        .as("the turn of b comes after that of c")
        .containsExactly(Waiting.inLine(ids(SECOND, THIRD), new Turn(2, standing)));
    assertThat(told(A)).isEmpty();
  }

  @Test
  void whatHasWaitedForAMomentOnlyIsToldNothing() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.tickFor(LONG.dividedBy(2));
    coordinator.delegate(SECOND);
    coordinator.tickFor(LONG.dividedBy(2));

    assertThat(told(B)).isEmpty();
  }

  @Test
  void inEachRoundEachSenderHasABatch() {
    int batch = CoordinatorOfA.SETTINGS.limits().assembleBatch();
    var ofB = LongStream.range(10, 10 + batch + 2).mapToObj(i -> Contract.transaction(B, i));
    var ofC = LongStream.range(9_010, 9_010 + batch + 3).mapToObj(i -> Contract.transaction(C, i));
    var queuedB = ofB.toList();
    var queuedC = ofC.toList();
    coordinator.delegateFrom(A, Contract.transaction(A, 5));
    coordinator.load();
    coordinator.delegateFrom(B, queuedB.toArray(PrivateTransaction[]::new));
    coordinator.delegateFrom(C, queuedC.toArray(PrivateTransaction[]::new));

    coordinator.tickFor(LONG);

    assertThat(places(B)).containsExactly(1, 1 + 2 * batch);
    assertThat(told(B))
        .extracting(Waiting::transactions)
        .containsExactly(ids(queuedB.subList(0, batch)), ids(queuedB.subList(batch, batch + 2)));
    assertThat(places(C)).containsExactly(1 + batch, 1 + 2 * batch + 2);
  }

  private List<Integer> places(NodeName node) {
    return told(node).stream().map(waiting -> waiting.turn().orElseThrow().before()).toList();
  }

  @Test
  void whatIsEndorsedAndComesAfterOthersIsToldWhichOneAllWaitForAndWhoThatWaitsFor() {
    coordinator.delegate(FIRST, SECOND, THIRD);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.sent(EndorsementRequest.class).stream()
        .filter(request -> request.party().node().equals(B))
        .forEach(coordinator::endorse);
    coordinator.assembled(SECOND, SPENDS_MADE);
    coordinator.endorse();
    coordinator.assembled(THIRD, SPENDS_THAT);
    coordinator.endorse();

    coordinator.tickFor(LONG);

    var after = told(B).stream().filter(waiting -> waiting.after().isPresent()).toList();
    assertThat(after).hasSize(1);
    assertThat(after.getFirst().transactions())
        .containsExactlyInAnyOrderElementsOf(ids(SECOND, THIRD));
    assertThat(after.getFirst().after()).contains(from(B, FIRST));
    assertThat(after.getFirst().asked())
        .extracting(Asked::endorser)
        .containsExactly(Contract.party(C));
    assertThat(told(B))
        .as("what these wait for is told of itself as before")
        .contains(new Waiting(ids(FIRST), after.getFirst().asked()))
        .hasSize(2);
  }

  @Test
  void whatMayBeDispatchedAndComesAfterWhatMayNotIsToldSo() {
    coordinator.delegateFrom(C, OF_C);
    coordinator.load();
    coordinator.assembled(OF_C, SPENDS_COIN);
    coordinator.endorse();
    coordinator.delegate(SECOND);
    coordinator.assembled(SECOND, SPENDS_MADE);
    coordinator.endorse();
    coordinator.grant(B, coordinator.sent(RequestDispatchConfirmation.class).get(0));

    coordinator.tickFor(LONG);

    assertThat(told(B)).containsExactly(Waiting.after(from(C, OF_C), List.of(), ids(SECOND)));
    assertThat(told(C)).isEmpty();
  }

  @Test
  void whatWasRefusedStandsInNoLineAndIsToldUntilWhen() {
    coordinator.delegate(FIRST);
    coordinator.load();
    do {
      if (coordinator.state().assembling().isEmpty()) {
        coordinator.tickFor(Duration.ofMillis(100));
      } else {
        coordinator.assembled(FIRST, SPENDS_COIN);
        coordinator.refuse(coordinator.sent(EndorsementRequest.class).get(0));
      }
    } while (coordinator.transaction(FIRST).notBefore().isBefore(coordinator.now().plus(BEAT)));
    var until = coordinator.transaction(FIRST).notBefore();

    coordinator.tickFor(BEAT);

    assertThat(until).isAfter(coordinator.now());
    assertThat(told(B).getFirst().asked().getFirst().said().orElseThrow())
        .startsWith("its next turn at a, which is not before ")
        .endsWith(" has refused it");
  }
}

package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an identity has does not suffice: who waits for whom, and who is tried when (SND-7). */
class OwnFirstTest {
  private static final MessageId MESSAGE = new MessageId(new UUID(0, 0));
  private static final Domain.Assembly NO_COIN = new Domain.Assembly.Insufficient("No coin.");
  private static final Domain.Assembly SPENDS =
      new Domain.Assembly.Assembled(
          new PostAssembly(
              List.of(), List.of(), List.of(), List.of(), Bytes.EMPTY, List.of(), Proof.NONE));

  private final SenderOfA sender = SenderOfA.started();
  private final PrivateTransaction first = Contract.transaction(A, 1);
  private final List<PrivateTransaction> waiting =
      LongStream.rangeClosed(2, 21).mapToObj(number -> Contract.transaction(A, number)).toList();
  private long requests;
  private long heartbeats = 1;

  private void assembles(PrivateTransaction transaction, Domain.Assembly result) {
    var request = new RequestId("assembly " + ++requests);
    var delegation = sender.transaction(transaction).progress().delegation().orElseThrow();
    var item = new AssembleRequest.Item(transaction.id(), delegation, Bytes.EMPTY, Bytes.EMPTY);
    sender.tell(
        B, new AssembleRequest(request, ADDRESS, sender.height, StateLocks.NONE, List.of(item)));
    sender.tell(
        new SenderInput.AssemblyFinished(request, MESSAGE, Map.of(transaction.id(), result)));
  }

  @BeforeEach
  void allButTheFirstFindNoCoin() {
    var all = new PrivateTransaction[waiting.size() + 1];
    all[0] = first;
    IntStream.range(0, waiting.size()).forEach(i -> all[i + 1] = waiting.get(i));
    sender.delegated(all);
    assembles(first, SPENDS);
    waiting.forEach(each -> assembles(each, NO_COIN));
  }

  private List<TransactionId> triedAfter(Duration time) {
    sender.tickAfter(time);
    return sender.sent().stream()
        .filter(DelegationCommand.class::isInstance)
        .flatMap(command -> ((DelegationCommand) command).transactions().stream())
        .toList();
  }

  private void triedNext(PrivateTransaction next, Domain.Assembly result) {
    sender.accepted(sender.command(), ++heartbeats);
    assembles(next, result);
  }

  @Test
  void whatWaitsSaysWhichOneItComesAfter() {
    var live = sender.state().live();

    assertThat(live.ownBefore(sender.transaction(waiting.get(3))))
        .contains("transaction %s of party@a, after which it comes".formatted(first.id()));
    assertThat(live.ownBefore(sender.transaction(first))).isEmpty();
  }

  /** Each of n ends would have n others tried, for one that can profit. */
  @Test
  void theEndOfOneHasTheNextThatWaitsTriedAndNoOther() {
    sender.confirm(first);

    assertThat(sender.command().transactions()).containsExactly(waiting.get(0).id());
    assertThat(triedAfter(Duration.ofMillis(100))).isEmpty();
  }

  /** There may be more. */
  @Test
  void whoGetsWhatItNeedsHasTheNextOneTried() {
    sender.confirm(first);
    triedNext(waiting.get(0), SPENDS);

    assertThat(triedAfter(Duration.ofMillis(100))).containsExactly(waiting.get(1).id());
    triedNext(waiting.get(1), NO_COIN);
    assertThat(triedAfter(Duration.ofMillis(100))).isEmpty();
    assertThat(sender.stateOf(waiting.get(1))).isEqualTo(TransactionState.PENDING);
  }

  /** Else of two that wait and are tried together each would wait for the other. */
  @Test
  void whatWaitsIsNotUnderWayThoughItIsBeingTried() {
    sender.confirm(first);
    assertThat(sender.command().transactions()).containsExactly(waiting.get(0).id());
    sender.accepted(sender.command(), ++heartbeats);
    var late = Contract.transaction(A, 30);
    sender.accept(late);
    triedNext(late, NO_COIN);

    assertThat(sender.transaction(late).attempts()).as("an ordinary try").isEqualTo(1);
    assertThat(OwnFirst.waits(step(), sender.transaction(late))).isFalse();
    assembles(waiting.get(0), NO_COIN);
    assertThat(sender.completed())
        .as("none is under way: it is refused")
        .extracting(Receipt::transaction)
        .containsExactly(waiting.get(0).id());
  }

  /** Who is being tried already needs no other sign. */
  @Test
  void anEndHastensTheFirstOfThoseThatAreNotBeingTried() {
    sender.confirm(first);
    sender.accepted(sender.command(), ++heartbeats);
    var late = Contract.transaction(A, 30);
    sender.accept(late);
    triedNext(late, SPENDS);

    sender.confirm(late);

    assertThat(sender.command().transactions()).containsExactly(waiting.get(1).id());
  }

  /** What another identity of the node has taken is of no use to this one. */
  @Test
  void anotherIdentitysTransactionsAreNotWaitedFor() {
    var ofAnother = Contract.transaction(A, 30).withFrom(new Identity("another", A));
    sender.accept(ofAnother);

    triedNext(ofAnother, NO_COIN);

    assertThat(OwnFirst.waits(step(), sender.transaction(ofAnother))).isFalse();
    assertThat(sender.transaction(ofAnother).attempts()).isEqualTo(1);
  }

  /** What has ended by its deadline, and is not let go yet, is its own identity's too (SND-9). */
  @Test
  void whatAnotherIdentitysEndedTransactionsHoldIsNotWaitedFor() {
    var urgent = Contract.transaction(A, 30).by(sender.now().plusMillis(1));
    sender.accept(urgent.withFrom(new Identity("another", A)));
    sender.accepted(sender.command(), ++heartbeats);
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.state().lettingGo().byId()).containsOnlyKeys(urgent.id());

    sender.confirm(first);
    triedNext(waiting.get(0), NO_COIN);

    assertThat(sender.completed())
        .extracting(Receipt::transaction)
        .containsExactly(waiting.get(0).id());
  }

  private SenderStep step() {
    var setup =
        new SenderSetup(A, Contract.GROUP, Contract.SELECTION, SenderOfA.SETTINGS, Links.UNKNOWN);
    return new SenderStep(setup, sender.state(), sender.now());
  }

  /** None is forgotten, and each costs one try more. */
  @Test
  void whenNothingIsLeftAllAreRefusedOneAfterTheOther() {
    sender.confirm(first);
    for (var each : waiting) {
      assertThat(sender.command().transactions()).containsExactly(each.id());
      triedNext(each, NO_COIN);
      assertThat(sender.completed())
          .singleElement()
          .extracting(Receipt::transaction)
          .isEqualTo(each.id());
      sender.tickAfter(Duration.ofMillis(100));
    }
    assertThat(sender.state().live().afterOwn()).isEmpty();
  }
}
